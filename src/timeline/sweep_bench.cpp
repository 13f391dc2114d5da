// SPDX-License-Identifier: Apache-2.0
// How many increments a second the sweep takes: jobs of 6 hours with 4 and 32 servers, unsynchronised samples every 120 s.
#include <chrono>
#include <cstdio>
#include <vector>

#include "base/random.h"
#include "timeline/sweep.h"

namespace {

using namespace fathom;

struct MadeJob {
  std::vector<std::vector<Stretch>> stretches;
  JobTimeline timeline;
};

MadeJob make_job(std::uint32_t servers, Random& random) {
  MadeJob job;
  const std::int64_t start = 1'272'844'800'000'000, end = start + 6 * 3600'000'000LL;
  job.timeline = {start, end, servers, {}};
  job.stretches.resize(servers);
  for (std::uint32_t s = 0; s < servers; ++s) {
    std::int64_t t = start + random.whole(1, 119'999'999);
    while (t + 121'000'000 < end) {
      const std::int64_t next = t + 120'000'000 + random.whole(-300'000, 300'000);
      // A log line in every increment, a burst in some: as the synthetic Blue Gene has it.
      const std::int64_t burst = random.whole(0, 9) == 0 ? random.whole(1 << 20, 1 << 30) : 0;
      job.stretches[s].push_back({t, next, next - t, {burst / 2, 400 + burst, burst >> 20, 2 + (burst >> 20)}});
      t = next;
    }
    job.timeline.lanes.push_back({s, true, all_counters, {std::span<const Stretch>(job.stretches[s])}});
  }
  return job;
}

void measure(std::uint32_t servers, const std::vector<std::uint64_t>& thresholds) {
  Random random(1);
  std::vector<MadeJob> jobs;
  for (int i = 0; i < 16; ++i) jobs.push_back(make_job(servers, random));
  Sweeper sweeper({1'000'000, thresholds, {4096}, false});
  double best = 0, sink = 0;
  for (int round = 0; round < 5; ++round) {
    std::size_t increments = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int repeat = 0; repeat < (servers < 8 ? 200 : 30); ++repeat)
      for (const MadeJob& job : jobs) {
        sink += sweeper.sweep(job.timeline).totals[1];
        for (const auto& each : job.stretches) increments += each.size();
      }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, static_cast<double>(increments) / seconds);
  }
  std::printf("sweep alone: %2u servers a job, %zu threshold%s: %5.1f M increments/s%s\n", servers, thresholds.size(),
              thresholds.size() == 1 ? "" : "s", best / 1e6, sink < 0 ? "!" : "");
}

}  // namespace

int main() {
  for (const std::uint32_t servers : {4u, 32u}) {
    measure(servers, {1 << 20});
    measure(servers, {0, 1 << 10, 8 << 10, 128 << 10, 512 << 10, 1 << 20});
  }
}
