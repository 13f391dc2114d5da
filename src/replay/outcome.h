// SPDX-License-Identifier: Apache-2.0
/// What a policy did to the jobs of the replayed machine, in a few numbers.
#pragma once

#include <string>
#include <vector>

#include "replay/machine.h"

namespace fathom::replay {

struct Outcome {
  std::size_t jobs = 0, io_jobs = 0;           // all; those with a periodic pattern whose bursts came to their end
  double slowdown_mean = 0, slowdown_p95 = 0;  // of I/O of the latter
  double io_hours = 0;                         // of the latter together
  double wait_mean = 0, io_wait_mean = 0;      // seconds, of all jobs and of the latter
  double makespan_days = 0;
  std::size_t delayed = 0;                // jobs that advice held back
  double delay_mean = 0, delay_most = 0;  // seconds that it did
};

/// The smallest value that at least this share of the values does not exceed.
double quantile(std::vector<double> values, double share);

Outcome outcome_of(const Workload& workload, const MachineRun& run, const std::vector<double>& delays = {});

}  // namespace fathom::replay
