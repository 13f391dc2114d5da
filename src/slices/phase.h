// SPDX-License-Identifier: Apache-2.0
/// When an application's I/O began in earnest and when it was over: what lies before is start-up, what lies after is ending.
#pragma once

#include "slices/series.h"

namespace fathom::slices {

struct Phase {
  std::int64_t first = 0, slices = 0;     // slices 0: nothing was moved
  std::int64_t begin = 0, end = 0;        // nanoseconds of Unix time; not before the application began, nor after it ended
  std::int64_t start_up = 0, ending = 0;  // nanoseconds that the application ran before and after

  std::int64_t last() const { return first + slices - 1; }
  std::int64_t length() const { return end - begin; }
  bool holds(std::int64_t number) const { return number >= first && number < first + slices; }
};

/// From the first to the last slice in which at least half as many processes moved data as in the slice with the most of them.
/// Half of all processes would never be reached where a few write for all the others, or where they take turns.
Phase io_phase(const Series& series, Direction direction);

/// What was moved in these slices.
std::uint64_t bytes_in(const Series& series, Direction direction, std::int64_t first, std::int64_t slices);

}  // namespace fathom::slices
