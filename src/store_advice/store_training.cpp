// SPDX-License-Identifier: Apache-2.0
#include "store_advice/store_training.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "base/parallel.h"

namespace fathom {
namespace {

/// A point for each pattern that the run shows.
Result<std::vector<StoreTrainingPoint>> points_of(const Snapshot& snapshot, const LoadCounters& counters, const advise::Trained& untrained,
                                                  const std::vector<RecordedRun>& all, std::size_t number) {
  const RecordedRun& run = all[number];
  std::vector<StoreTrainingPoint> points;
  TRY(std::optional<advise::Advisor> advisor, advisor_at_start(snapshot, counters, untrained, {}, all, run));
  if (!advisor) return points;
  for (std::size_t i = 0; i < run.shown.size(); ++i) {
    const advise::KnownPattern& pattern = run.shown[i].pattern;
    if (!(pattern.footprint > 0)) continue;
    const auto load = advisor->load_found_by(pattern, unix_seconds(run.start));
    if (load) points.push_back({number, i, {*load, pattern.mean_throughput, pattern.io_to_compute, run.shown[i].slowdown()}});
  }
  return points;
}

}  // namespace

Result<StoreTraining> training_in(const Snapshot& snapshot, const KnownApplications& known, const advise::LoadSettings& load,
                                  const std::function<void(std::size_t, std::size_t)>& progress) {
  StoreTraining training;
  TRY(training.recorded, recorded_runs(snapshot, known));
  TRY(const LoadCounters counters, load_counters(snapshot, {}));
  advise::Trained untrained;
  untrained.load = load;
  untrained.weights.assign(load.bands.count(), 0);
  const std::vector<RecordedRun>& all = training.recorded.runs;
  std::vector<std::size_t> usable;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool shown = std::any_of(all[i].shown.begin(), all[i].shown.end(), [](const auto& each) { return each.pattern.footprint > 0; });
    if (shown) usable.push_back(i);
    training.not_counted += !shown && !all[i].counted;
    training.not_shown += !shown && all[i].counted;
  }
  std::vector<std::vector<StoreTrainingPoint>> points(usable.size());
  std::atomic<std::size_t> done = 0;
  TRY_VOID(in_parallel(usable.size(), cores(), [&](unsigned thread, std::size_t i) -> Result<void> {
    TRY(points[i], points_of(snapshot, counters, untrained, all, usable[i]));
    ++done;
    if (thread == 0) progress(done, usable.size());
    return {};
  }));
  std::set<const advise::KnownApplication*> applications;
  for (std::size_t i = 0; i < usable.size(); ++i) {
    if (points[i].empty()) {
      ++training.load_unknown;
      continue;
    }
    ++training.runs;
    applications.insert(all[usable[i]].application);
    std::move(points[i].begin(), points[i].end(), std::back_inserter(training.points));
  }
  training.applications = applications.size();
  return training;
}

}  // namespace fathom
