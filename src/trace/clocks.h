// SPDX-License-Identifier: Apache-2.0
/// Ticks of every process on one clock, in nanoseconds of Unix time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/process_details.h"

namespace fathom::trace {

/// A straight line from ticks to nanoseconds; later ticks never come out earlier.
struct ClockLine {
  static constexpr int shift = 48;
  static constexpr std::uint64_t reach = std::uint64_t{1} << 57;  // ticks either side of `zero`: years

  std::uint64_t zero = 0;
  std::int64_t at_zero = 0;
  std::int64_t slope = std::int64_t{1} << shift;  // nanoseconds per tick x 2^shift

  std::int64_t operator()(std::uint64_t ticks) const {
    const auto since = static_cast<std::int64_t>(ticks - zero);
    const auto later = static_cast<std::uint64_t>((static_cast<Wide>(since) * slope) >> shift);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(at_zero) + later);  // what it does not reach wraps
  }
  /// Whether it can be told at all: further away numbers would overflow.
  bool reaches(std::uint64_t ticks) const { return ticks < zero ? zero - ticks < reach : ticks - zero < reach; }

 private:
  __extension__ using Wide = __int128;
};

struct Clocks {
  std::vector<ClockLine> lines;       // one for each process
  double drift = 0;                   // largest disagreement of hosts at the last barrier, seconds
  std::vector<std::string> problems;  // in words
};

/// Processes of one boot of a host share their clocks: one line from the earliest and the latest reading of them all. Where an MPI job
/// spans hosts, its barriers shift and stretch the lines of the others to that of the lowest rank's host.
Clocks put_on_one_clock(const std::vector<ProcessDetails>& processes);

}  // namespace fathom::trace
