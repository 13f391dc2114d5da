// SPDX-License-Identifier: Apache-2.0
#include "simulate/comparison.h"

#include <algorithm>
#include <cmath>

namespace fathom::simulate {
namespace {

struct JobTimes {
  Picoseconds io_time = 0, start = time_limit, end = 0;
  bool finished = true;
};

std::vector<JobTimes> job_times(const Work& work, const Outcome& outcome) {
  std::vector<JobTimes> jobs(work.jobs.size());
  for (std::size_t i = 0; i < work.shares.size(); ++i) {
    JobTimes& job = jobs[work.shares[i].job];
    job.io_time = std::max(job.io_time, outcome.shares[i].io_time);
    job.start = std::min(job.start, outcome.shares[i].start);
    job.end = std::max(job.end, outcome.shares[i].end);
    job.finished = job.finished && outcome.shares[i].finished;
  }
  return jobs;
}

Comparison put_together(const Work& work, const Outcome& original, Outcome changed) {
  Comparison found;
  found.stopped = original.stopped || changed.stopped;
  found.changed = std::move(changed);
  for (std::size_t n = 0; n < work.nodes.size(); ++n)
    found.node_io_time.push_back({found.changed.nodes[n].io_time, original.nodes[n].io_time});
  const std::vector<JobTimes> before = job_times(work, original), after = job_times(work, found.changed);
  for (std::size_t i = 0; i < work.jobs.size(); ++i)
    if (!work.jobs[i].nodes.empty())
      found.jobs.push_back({i,
                            {after[i].io_time, before[i].io_time},
                            {after[i].end - after[i].start, before[i].end - before[i].start},
                            before[i].finished && after[i].finished});
  return found;
}

/// Nothing was done on the changed architecture.
Outcome not_begun(Outcome original) {
  for (ShareOutcome& share : original.shares) share.finished = false;
  for (NodeOutcome& node : original.nodes) node.finished = false;
  return original;
}

}  // namespace

Result<Comparison> compare_with(const Outcome& original, const Architecture& architecture, const Work& work, const CompletionSink& sink,
                                const Watch& watch) {
  TRY(Outcome changed, run(architecture, work, &original.pauses, sink, watch));
  return put_together(work, original, std::move(changed));
}

Result<Comparison> compare(const Architecture& architecture, const std::optional<Architecture>& original, const Work& work,
                           const CompletionSink& sink, const Watch& watch) {
  if (!original) {
    TRY(const Outcome only, run(architecture, work, nullptr, sink, watch));
    return put_together(work, only, only);
  }
  const auto half = [&](std::uint64_t which) {
    if (!watch) return Watch();
    return Watch([&watch, which](Moment moment) {
      moment.steps += which * moment.all_steps;
      moment.all_steps *= 2;
      return watch(moment);
    });
  };
  TRY(const Outcome first, run(*original, work, nullptr, {}, half(0)));
  if (first.stopped) return put_together(work, first, not_begun(first));
  return compare_with(first, architecture, work, sink, half(1));
}

std::vector<double> ratios_of(const Comparison& found, Pair JobComparison::*times) {
  std::vector<double> ratios;
  for (const JobComparison& job : found.jobs)
    if (const auto ratio = (job.*times).ratio(); ratio && job.finished) ratios.push_back(*ratio);
  return ratios;
}

std::optional<RatioStatistics> statistics(std::vector<double> ratios) {
  if (ratios.empty()) return std::nullopt;
  std::sort(ratios.begin(), ratios.end());
  RatioStatistics found;
  found.count = ratios.size();
  const auto n = static_cast<double>(ratios.size());
  double sum = 0, squares = 0;
  for (const double each : ratios) sum += each;
  found.average = sum / n;
  for (const double each : ratios) squares += (each - found.average) * (each - found.average);
  if (ratios.size() > 1) found.standard_deviation = std::sqrt(squares / (n - 1));
  found.maximum = ratios.back();
  const std::size_t middle = ratios.size() / 2;
  found.median = ratios.size() % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
  found.share_above = static_cast<double>(ratios.end() - std::upper_bound(ratios.begin(), ratios.end(), notable_ratio)) / n;
  return found;
}

}  // namespace fathom::simulate
