// SPDX-License-Identifier: Apache-2.0
#include "replay/outcome.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom::replay {
namespace {

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

Outcome outcome_of(const Workload& workload, const MachineRun& run, const std::vector<double>& delays) {
  Outcome out;
  out.jobs = run.jobs.size();
  std::vector<double> slowdowns, waits, io_waits;
  for (const JobRun& job : run.jobs) {
    waits.push_back(job.waited_seconds());
    if (!workload.applications[job.job.application].iterates() || job.bursts == 0) continue;
    slowdowns.push_back(job.slowdown());
    io_waits.push_back(job.waited_seconds());
    out.io_hours += job.io_seconds / 3600;
  }
  out.io_jobs = slowdowns.size();
  out.slowdown_mean = mean(slowdowns);
  out.slowdown_p95 = quantile(slowdowns, 0.95);
  out.wait_mean = mean(waits);
  out.io_wait_mean = mean(io_waits);
  out.makespan_days = static_cast<double>(run.makespan) / static_cast<double>(titan::day);
  out.delayed = delays.size();
  out.delay_mean = mean(delays);
  out.delay_most = delays.empty() ? 0 : *std::max_element(delays.begin(), delays.end());
  return out;
}

}  // namespace fathom::replay
