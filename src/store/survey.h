// SPDX-License-Identifier: Apache-2.0
/// What a store holds, in numbers: per series its usual interval, gaps and coverage, and the sums that count.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/counters.h"
#include "model/sample.h"
#include "store/store.h"

namespace fathom {

struct SeriesSurvey {
  SeriesName name;
  std::uint64_t increments = 0;
  std::uint64_t gaps = 0;        // longer than gap_factor times the usual interval
  std::uint64_t unmeasured = 0;  // unmounts and expiries
  Duration usual_interval{};     // median, to the second (to the millisecond below 10 s)
  Time first{}, last{};          // begin of the first increment, end of the last
  Duration covered{};            // measured and not in a gap
  CounterMask has = 0;
  Counters sums{};
  /// False where another series counts the same bytes: a server's total beside its file systems, job tags beside either.
  bool counts = true;
};

struct StoreSurvey {
  std::vector<SeriesSurvey> series;
  std::uint64_t resets = 0;           // told by the log; per server and time
  std::uint64_t resets_inferred = 0;  // increments
  std::uint64_t wraps = 0;
  std::uint64_t unmounts = 0;
  std::uint64_t expiries = 0;

  /// Over the series that count.
  struct Total {
    std::uint64_t increments = 0, gaps = 0;
    CounterMask has = 0;
    Counters sums{};
    Time first = no_time, last = no_time;
    double coverage = 0;  // share of series-seconds between first and last that were measured
    bool any = false;
  };
  Total total() const;
};

Result<StoreSurvey> survey(const Snapshot& snapshot, Database& database);

}  // namespace fathom
