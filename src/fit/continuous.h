// SPDX-License-Identifier: Apache-2.0
/// Which intervals of counters were full of I/O, as far as counters can tell.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fit/link_load.h"

namespace fathom::fit {

struct Interval {  // by its place
  std::size_t load = 0, interval = 0;
};

/// Only an interval full of I/O says how fast a link is (5.4.1 of the dissertation), and no counter says that it was full. What can be
/// seen: the rate stays the same from one interval to the next and to the one after, as high as it ever does. I/O that begins or ends
/// within an interval makes that interval slower than the one beside it, so that the inner ones of such a stretch were full.
struct Continuous {
  double sustained = 0;             // the highest rate that was kept up for three intervals in a row, bytes per second
  double fastest = 0;               // of all intervals
  std::vector<Interval> intervals;  // within the tolerance of `sustained`, as are both their neighbours
  std::uint64_t faster = 0;         // intervals above the tolerance: the link could do more than `sustained`
  bool mostly_exact = false;        // most intervals are, and only those can be continuous
};

Continuous find_continuous(std::span<const LinkLoad> loads, double tolerance);

/// The `count` fastest of all that moved anything.
std::vector<Interval> fastest_intervals(std::span<const LinkLoad> loads, std::size_t count);

}  // namespace fathom::fit
