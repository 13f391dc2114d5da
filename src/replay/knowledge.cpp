// SPDX-License-Identifier: Apache-2.0
#include "replay/knowledge.h"

#include <algorithm>

namespace fathom::replay {
namespace {

constexpr std::uint64_t knowledge_streams = 0x800000000u;

double off_by(double value, double error, Random& random) { return value * std::clamp(1 + error * random.normal(), 0.5, 1.5); }

advise::KnownApplication as_mined(const titan::Application& app, const KnowledgeSettings& settings, Random& random) {
  advise::KnownPattern pattern;
  const double burst = static_cast<double>(app.quiet_burst()) / 1000;
  pattern.filesystem = titan::partition_names[app.partition];
  pattern.direction = app.reading > 0.5 ? advise::Direction::read : advise::Direction::write;
  pattern.period_seconds = off_by(static_cast<double>(app.period) / 1000, settings.period_error, random);
  pattern.burst_bytes = off_by(static_cast<double>(app.burst_bytes), settings.volume_error, random);
  pattern.burst_seconds = std::min(off_by(burst, settings.burst_length_error, random), 0.9 * pattern.period_seconds);
  pattern.mean_throughput = pattern.burst_bytes / pattern.burst_seconds;
  pattern.peak_throughput = off_by(static_cast<double>(app.rate) * 1000 * app.footprint, settings.volume_error, random);
  pattern.footprint = std::clamp(off_by(app.footprint, settings.footprint_error, random), 1.0, static_cast<double>(titan::partition_osts));
  pattern.io_to_compute = pattern.burst_seconds / (pattern.period_seconds - pattern.burst_seconds);
  const double iterations = (static_cast<double>(app.least_iterations) + app.most_iterations) / 2;
  const double run = iterations * static_cast<double>(app.period) / 1000;
  return {app.user, app.name, app.nodes, {pattern}, off_by(run, settings.run_length_error, random)};
}

}  // namespace

std::vector<std::optional<advise::KnownApplication>> what_is_known(const Workload& workload, std::uint64_t seed,
                                                                   const KnowledgeSettings& settings) {
  std::vector<std::size_t> runs(workload.applications.size(), 0);
  for (const titan::Submission& job : workload.jobs) ++runs[job.application];
  std::vector<std::optional<advise::KnownApplication>> known(workload.applications.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const titan::Application& app = workload.applications[i];
    Random random = Random::stream(seed, knowledge_streams + i);
    const bool found = !random.chance(settings.missed);
    // One file on four OSTs is too weak to be seen among the others (IOR_H of Table III).
    if (!found || !app.iterates() || app.model == titan::FileModel::n_to_1) continue;
    // Groups run all the time; what runs seldom was seen seldom. A month before this one has about as many runs.
    if (runs[i] < settings.support && i < workload.first_of_groups) continue;
    known[i] = as_mined(app, settings, random);
  }
  return known;
}

}  // namespace fathom::replay
