// SPDX-License-Identifier: Apache-2.0
#include "mine/timed_log.h"

#include <algorithm>

namespace fathom::mine {

TimedLog::TimedLog(const BurstLog& log) : log_(log), step_(seconds(log.step)) {
  starts_.reserve(log.bursts.size());
  for (const KnownBurst& burst : log.bursts) {
    starts_.push_back(seconds(burst.start.time_since_epoch()));
    lengths_.push_back(seconds(burst.end - burst.start));
  }
  double sum = 0;
  for (const Stretch& stretch : log.seen) {
    stretch_from_.push_back(seconds(stretch.from.time_since_epoch()));
    stretch_to_.push_back(seconds(stretch.to.time_since_epoch()));
    seen_before_.push_back(sum);
    sum += stretch_to_.back() - stretch_from_.back();
  }
}

std::pair<std::uint32_t, std::uint32_t> TimedLog::within(double from, double to) const {
  const auto first = std::lower_bound(starts_.begin(), starts_.end(), from);
  const auto last = std::lower_bound(first, starts_.end(), to);
  return {static_cast<std::uint32_t>(first - starts_.begin()), static_cast<std::uint32_t>(last - starts_.begin())};
}

double TimedLog::seen(double from, double to) const {
  const auto until = [this](double t) {
    const auto after = static_cast<std::size_t>(std::upper_bound(stretch_from_.begin(), stretch_from_.end(), t) - stretch_from_.begin());
    if (after == 0) return 0.0;
    return seen_before_[after - 1] + std::min(t, stretch_to_[after - 1]) - stretch_from_[after - 1];
  };
  return to > from ? until(to) - until(from) : 0;
}

std::pair<double, double> TimedLog::reach(double from, double to) const {
  const auto first = static_cast<std::size_t>(std::upper_bound(stretch_to_.begin(), stretch_to_.end(), from) - stretch_to_.begin());
  const auto last = static_cast<std::size_t>(std::lower_bound(stretch_from_.begin(), stretch_from_.end(), to) - stretch_from_.begin());
  if (first >= last) return {from, from};
  return {std::max(from, stretch_from_[first]), std::min(to, stretch_to_[last - 1])};
}

}  // namespace fathom::mine
