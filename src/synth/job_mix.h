// SPDX-License-Identifier: Apache-2.0
/// Which applications a machine runs, how often, how long, on how many nodes, and how much each of them reads and writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace fathom {

/// The shape of the population. Defaults are those of JUGENE; docs/synthetic-jugene.md says where each comes from.
struct Workload {
  std::size_t applications = 600;
  std::uint64_t long_in_twenty = 3;  // jobs that run for an hour or more
  double short_median = 360;         // seconds
  double short_spread = 1.3;         // sigma of the logarithm
  double longest_hours = 24;
  std::uint64_t most_nodes = 32768;
  bool has_small_partitions = true;

  // How strongly the logarithms hang together, as correlations of normal scores.
  double write_with_read = 0.45;
  double nodes_with_volume = 0.4;
  double duration_with_volume = 0.3;
  double spread_with_read = 0.79;
  double duty_with_write = 0.12;
  double parallel_with_write = 0.88;
  double requests_with_volume = 0.8;

  double start_only = 0.7;  // share of applications that read at their start only
  double spread_power = 1.35;
  double duty_power = 2.45;
  double duty_most = 1.0;
  double serial_writers = 0.632;  // share of applications whose first I/O node does all the writing
  double parallel_power = 2.1;
  double read_rate = 80;  // MiB/s of one I/O node, median
  double write_rate = 40;
};

/// One application of one user at one size.
struct Application {
  std::string user;
  std::string name;
  std::uint64_t nodes = 0;
  double until = 0;                                                               // share of runs that fall to it and those before it
  double read_bytes = 0, write_bytes = 0, read_requests = 0, write_requests = 0;  // of an average run
  // Ranks in (0, 1) among all applications, by share of runs:
  double duration = 0;
  double read_spread = 0;
  double write_duty = 0;
  double write_parallel = 0;
  double read_together = 0;
  double silence = 0;
  std::uint8_t filesystem = 0;
};

/// One run: what it is going to do, before it has a place and a time.
struct Run {
  std::uint64_t number = 0;
  const Application* application = nullptr;
  std::uint64_t nodes = 0;
  std::int64_t seconds = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t read_requests = 0;
  std::uint64_t write_requests = 0;
  double read_spread = 0;      // share of the run time with reading after the start; 0: reads at its start only
  double write_duty = 0;       // share of the run time in which a 120 s sample sees an output
  double write_parallel = 0;   // share of outputs in which all I/O nodes take part
  bool reads_together = true;  // all I/O nodes read, not the first alone
  bool logs = true;            // a line about every minute
  double read_rate = 80;       // bytes/s of one I/O node
  double write_rate = 0;
};

class JobMix {
 public:
  JobMix(std::uint64_t seed, const Workload& workload);
  /// The same run for the same number, whatever else is asked.
  Run run(std::uint64_t number) const;
  const std::vector<Application>& applications() const { return applications_; }

 private:
  std::uint64_t seed_;
  Workload workload_;
  std::vector<Application> applications_;
};

}  // namespace fathom
