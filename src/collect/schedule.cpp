// SPDX-License-Identifier: Apache-2.0
#include "collect/schedule.h"

#include <algorithm>

#include "collect/source.h"

namespace fathom {

Time WallClock::now() { return wall_clock(); }

bool WallClock::wait_until(Time t) {
  std::unique_lock lock(mutex_);
  // An absolute wait on the system's clock: a clock that is set takes effect at once.
  while (!stopped_ && wall_clock() < t) stopping_.wait_until(lock, t);
  return !stopped_;
}

void WallClock::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  stopping_.notify_all();
}

Time PollSchedule::after(Time now) const {
  const std::int64_t step = interval_.count(), at = micros(now);
  const std::int64_t begun = at / step - (at % step < 0 ? 1 : 0);
  return time_from_micros((begun + 1) * step);
}

Duration PollSchedule::pause(std::uint64_t failures) const {
  if (failures == 0) return interval_;
  const Duration longest = std::max(interval_, std::min<Duration>(16 * interval_, std::chrono::minutes(5)));
  return std::min(longest, interval_ * (std::int64_t{1} << std::min<std::uint64_t>(failures - 1, 5)));
}

std::uint64_t PollSchedule::between(Time deadline, Time next) const {
  const std::int64_t steps = (next - deadline) / interval_;
  return steps > 1 ? static_cast<std::uint64_t>(steps - 1) : 0;
}

}  // namespace fathom
