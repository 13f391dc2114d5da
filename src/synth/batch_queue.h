// SPDX-License-Identifier: Apache-2.0
/// Jobs are submitted, wait, are backfilled onto free midplanes, run and end.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

#include "base/random.h"
#include "synth/blue_gene_racks.h"
#include "synth/job_mix.h"

namespace fathom {

struct StartedJob {
  Run run;
  Place place;
  std::int64_t submit = 0;  // seconds since the Unix epoch
  std::int64_t start = 0;
  std::int64_t end() const { return start + run.seconds; }
};

class BatchQueue {
 public:
  BatchQueue(const JobMix& mix, Racks& racks, std::uint64_t seed, std::int64_t begin, double jobs_per_day);
  /// Jobs that start before `until`, in order of their start.
  std::vector<StartedJob> run_until(std::int64_t until);

 private:
  struct Waiting {
    Run run;
    std::int64_t submit;
  };
  struct Ending {
    std::int64_t end;
    Place place;
    bool operator>(const Ending& other) const { return end > other.end; }
  };
  std::int64_t next_submission(std::int64_t after);
  void start_what_fits(std::int64_t now, std::vector<StartedJob>& started);

  const JobMix& mix_;
  Racks& racks_;
  Random random_;
  double jobs_per_day_;
  double clock_;  // of the submission process, seconds
  std::int64_t submission_;
  std::uint64_t submitted_ = 0;
  std::deque<Waiting> waiting_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> running_;
};

}  // namespace fathom
