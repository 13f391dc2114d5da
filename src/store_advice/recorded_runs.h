// SPDX-License-Identifier: Apache-2.0
/// The runs of a store's known applications: how long their I/O took, and what was known of the servers when they started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advise/advisor.h"
#include "store_advice/known_applications.h"
#include "store_advice/store_load.h"

namespace fathom {

/// A run's bursts of one pattern. Alone each takes as long as the shortest tenth of all bursts of that pattern do, and none is shorter.
struct RecordedPattern {
  advise::KnownPattern pattern;
  std::size_t bursts = 0;
  double io_seconds = 0, alone_seconds = 0;

  double slowdown() const { return io_seconds / alone_seconds; }
};

struct RecordedRun {
  const advise::KnownApplication* application = nullptr;
  std::string job;
  Time start{}, end{};
  bool counted = false;                // else mining did not look at it, see mine/counted.h
  std::vector<RecordedPattern> shown;  // the patterns of which it has bursts; none: nobody knows how long its I/O took

  std::size_t bursts() const;
  double io_seconds() const;
  double slowdown() const;  // over all its patterns
};

struct RecordedRuns {
  std::vector<RecordedRun> runs;                       // of known applications, in order of their starts
  std::size_t other_applications = 0, other_runs = 0;  // of which nothing is known
};

/// From the bursts that mining left in the store. `known` must outlive what is returned.
Result<RecordedRuns> recorded_runs(const Snapshot& snapshot, const KnownApplications& known);

/// What could be asked when `run` started: counters up to then, and the runs of `all` that ran. Nothing: that is before the counters begin,
/// or after they end.
Result<std::optional<advise::Advisor>> advisor_at_start(const Snapshot& snapshot, const LoadCounters& counters,
                                                        const advise::Trained& trained, const advise::AdvisorSettings& settings,
                                                        const std::vector<RecordedRun>& all, const RecordedRun& run);

}  // namespace fathom
