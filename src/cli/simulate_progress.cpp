// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_progress.h"

#include <fmt/format.h>

#include <memory>

#include "base/units.h"

namespace fathom {

simulate::Watch SimulationProgress::watch() {
  const std::lock_guard lock(mutex_);
  Run& run = known_.emplace_back();
  // A run that nobody watches any more has ended; a short one was never told of.
  const auto end = std::shared_ptr<void>(nullptr, [this, &run](void*) {
    const std::lock_guard again(mutex_);
    run.share = 1;
  });
  return [this, &run, end](const simulate::Moment& moment) { return tell(run, moment); };
}

bool SimulationProgress::tell(Run& run, const simulate::Moment& moment) {
  if (interrupt_.asked()) return false;
  const std::lock_guard lock(mutex_);
  if (moment.requests < run.requests) run.before += run.requests;
  run.requests = moment.requests;
  run.share = moment.all_steps == 0 ? 0 : static_cast<double>(moment.steps) / static_cast<double>(moment.all_steps);
  double share = 0;
  std::uint64_t requests = 0;
  for (const Run& each : known_) {
    share += each.share;
    requests += each.before + each.requests;
  }
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const auto simulated = Duration{moment.time / simulate::picoseconds_per_microsecond};
  std::string detail = fmt::format("{} simulated, {} requests/s", human_duration(std::chrono::floor<std::chrono::seconds>(simulated)),
                                   human_count(static_cast<std::uint64_t>(static_cast<double>(requests) / std::max(elapsed, 1e-3))));
  if (runs_ > 1) detail = fmt::format("run {} of {}, {}", known_.size(), runs_, detail);
  bar_.update(static_cast<std::uint64_t>(share / static_cast<double>(runs_) * 1e6), 1'000'000, detail);
  return true;
}

}  // namespace fathom
