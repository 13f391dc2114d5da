// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_piggy_back.h"

#include <algorithm>

namespace fathom::titan {

namespace {

constexpr std::uint64_t piggy_streams = 0x600000000u;
/// AID's scope check looks five periods beyond each end of a run.
constexpr double periods_around = 5.5;

}  // namespace

PiggyBack::PiggyBack(const std::vector<Application>& apps, std::uint64_t seed) : apps_(apps), seed_(seed) {
  for (std::uint32_t i = 0; i < apps.size(); ++i)
    if (apps[i].host) riders_.push_back(i);
}

void PiggyBack::job_started(const Submission& job, Millis start) {
  for (std::size_t which = 0; which < riders_.size(); ++which) {
    const std::uint32_t rider = riders_[which];
    const Application& app = apps_[rider];
    if (*app.host != job.application || job.io_off) continue;
    const auto around = static_cast<Millis>(periods_around * static_cast<double>(apps_[job.application].period));
    const Millis room = job.run_time - 2 * around - app.longest_run;
    if (room <= 0) continue;
    Random random = Random::stream(seed_, piggy_streams + job.id * riders_.size() + which);
    for (std::uint32_t i = 0; i < app.runs_per_host; ++i) {
      const double at = (i + random.uniform()) / app.runs_per_host;
      planned_.push_back({start + around + static_cast<Millis>(at * static_cast<double>(room)) / second * second, rider, job.id});
    }
  }
}

void PiggyBack::submit(Millis to, const std::function<bool(std::uint64_t)>& runs, Workload& workload, std::vector<Submission>& into) {
  for (const Planned& run : planned_) {
    if (run.t >= to || !runs(run.host)) continue;
    into.push_back(workload.draw(run.application, run.t, false));
    into.back().host = run.host;
  }
  std::erase_if(planned_, [&](const Planned& run) { return run.t < to; });
}

}  // namespace fathom::titan
