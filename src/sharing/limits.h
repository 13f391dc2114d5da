// SPDX-License-Identifier: Apache-2.0
/// Which numbers make sense for an application, in a file and on the command line alike.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace fathom::sharing {

/// Wide enough for any machine, narrow enough that no quotient of two leaves the range of a double.
struct Range {
  double least, most;
  std::string_view words;
  bool holds(double value) const { return value >= least && value <= most; }  // never for a NaN
};

inline constexpr Range positive{1e-9, 1e24, "above 0 and at most 1e24"};  // bytes, bytes per second, seconds
inline constexpr Range moment{-1e12, 1e12, "between -1e12 and 1e12"};     // seconds on a clock
inline constexpr std::int64_t largest_count = 1'000'000'000;              // processes, nodes, writers: sums fit 64 bits

}  // namespace fathom::sharing
