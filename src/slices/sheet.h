// SPDX-License-Identifier: Apache-2.0
/// Puts what a process moved in known stretches of time into time slices: evenly over each stretch, and in all exactly what was moved.
#pragma once

#include <map>
#include <optional>

#include "base/wide.h"
#include "slices/profile.h"

namespace fathom::slices {

/// Unix times in nanoseconds are below this; it is the year 2116.
inline constexpr std::int64_t latest_moment = std::int64_t{1} << 62;
/// Amounts of one stretch; those of a sheet may add up to no more.
inline constexpr std::uint64_t largest_amount = std::uint64_t{1} << 62;

/// The slices of one process. A stretch costs the same however many slices it runs through.
class Sheet {
 public:
  /// `length` of a slice, nanoseconds.
  explicit Sheet(std::int64_t length) : length_(length) {}

  /// An amount of a counter over [begin, end); if that is empty, in the slice of `begin`. 0 <= begin <= end < latest_moment.
  void spread(std::int64_t begin, std::int64_t end, Counter counter, std::uint64_t amount);

  /// Slices in order, those alone in which something was done; nothing if its stretches run through more than `most`.
  std::optional<std::vector<Slice>> slices(std::size_t most) const;

 private:
  using Amounts = std::array<Int128, trace::slice_counters>;  // in units of 2^-32

  std::int64_t length_;
  std::map<std::int64_t, Amounts> parts_;    // what falls into a slice
  std::map<std::int64_t, Amounts> changes_;  // of what falls into every slice from this one on
};

}  // namespace fathom::slices
