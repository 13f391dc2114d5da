// SPDX-License-Identifier: Apache-2.0
/// Training runs that a store holds: those of its known applications, with the load that each was started into.
#pragma once

#include <functional>

#include "advise/training_point.h"
#include "store_advice/recorded_runs.h"

namespace fathom {

/// One run's bursts of one pattern: `recorded.runs[run].shown[pattern]`.
struct StoreTrainingPoint {
  std::size_t run = 0, pattern = 0;
  advise::TrainingPoint point;
};

struct StoreTraining {
  RecordedRuns recorded;
  std::vector<StoreTrainingPoint> points;  // in order of the runs' starts
  std::size_t applications = 0, runs = 0;  // that the points are of

  // Runs of known applications that give no point.
  std::size_t not_counted = 0;   // mining did not look at them
  std::size_t not_shown = 0;     // no pattern of theirs was seen, or none of which the servers are known
  std::size_t load_unknown = 0;  // too little of the servers was measured before they started
};

/// `known` must outlive what is returned. `progress` is called by one thread at a time.
Result<StoreTraining> training_in(const Snapshot& snapshot, const KnownApplications& known, const advise::LoadSettings& load,
                                  const std::function<void(std::size_t done, std::size_t all)>& progress);

}  // namespace fathom
