// SPDX-License-Identifier: Apache-2.0
/// What advice needs to know of an application: the bursts that come again and again in its runs.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom::advise {

enum class Direction : std::uint8_t { read, write, both };

struct KnownPattern {
  std::string filesystem;  // empty: any
  Direction direction = Direction::write;
  double period_seconds = 0;  // burst start to burst start
  double burst_bytes = 0;
  double burst_seconds = 0;
  double mean_throughput = 0;  // bytes per second during bursts, all servers together
  double peak_throughput = 0;
  double footprint = 1;      // servers that take part in a burst, mean; the scheduler uses its ceiling (AID, section IV-C)
  double io_to_compute = 0;  // burst time / time between bursts

  std::size_t servers() const { return static_cast<std::size_t>(std::ceil(footprint)); }
  /// Share of the time that bursts are on.
  double duty() const { return period_seconds > 0 ? std::fmin(1, burst_seconds / period_seconds) : 0; }
  /// Bytes per second on each server that takes part, during bursts.
  double server_throughput() const { return servers() > 0 ? mean_throughput / static_cast<double>(servers()) : 0; }
};

struct KnownApplication {
  std::string user, name;
  std::uint32_t nodes = 0;
  std::vector<KnownPattern> patterns;
  double usual_seconds = 0;  // of a run; 0: not known
};

}  // namespace fathom::advise
