// SPDX-License-Identifier: Apache-2.0
/// An application slice by slice: all its processes added up, from its first slice to its last without holes.
#pragma once

#include <array>

#include "slices/direction.h"

namespace fathom::slices {

struct Sum {
  std::uint32_t running = 0;              // processes that were there for at least a part of the slice
  std::array<std::uint32_t, 3> active{};  // of them, those that moved data; by Direction
  Values values{};                        // times in nanoseconds
};

struct Series {
  std::int64_t length = 0;          // of a slice, nanoseconds
  std::int64_t first = 0;           // number of the first slice
  std::int64_t start = 0, end = 0;  // of the application: its first process's start, its last one's end
  std::vector<Sum> sums;

  std::int64_t last() const { return first + static_cast<std::int64_t>(sums.size()) - 1; }
  const Sum& at(std::int64_t number) const { return sums[static_cast<std::size_t>(number - first)]; }
};

/// The number of the slice that a moment lies in; right before 1970 too.
inline std::int64_t slice_of(std::int64_t moment, std::int64_t length) { return moment / length - (moment % length < 0 ? 1 : 0); }

/// The slices that a process was there for, as [first, last]. Where its clock was set back and forth, all that it has.
struct SliceRange {
  std::int64_t first = 0, last = 0;
};
SliceRange range_of(const Process& process, std::int64_t length);

/// An error if a clock was so wrong that there would be more slices than memory holds.
Result<Series> add_up(const Profile& profile);

}  // namespace fathom::slices
