// SPDX-License-Identifier: Apache-2.0
#include "dashboard/call_levels.h"

#include <algorithm>

namespace fathom::dashboard {
namespace {

constexpr std::size_t both = 2;

}  // namespace

void raise(Levels& to, const Levels& by) {
  for (std::size_t d = 0; d < to.size(); ++d) to[d] = std::max(to[d], by[d]);
}

LevelSweep::LevelSweep(std::int64_t from, std::int64_t to, std::size_t most) : most_(std::max<std::size_t>(1, most)), since_(from) {
  levels_.from = from;
  levels_.to = std::max(from + 1, to);
  width_ = (levels_.to - from - 1) / static_cast<std::int64_t>(most_) + 1;
  bins_.resize(static_cast<std::size_t>((levels_.to - from - 1) / width_ + 1));
  levels_.steps.push_back({from, {}});
}

/// The level as it is now held from one moment to another; also where that is no time at all.
void LevelSweep::note(std::int64_t from, std::int64_t to) {
  raise(levels_.most, now_);
  const auto first = static_cast<std::size_t>((std::min(from, levels_.to - 1) - levels_.from) / width_);
  const auto last = static_cast<std::size_t>((std::min(std::max(from, to - 1), levels_.to - 1) - levels_.from) / width_);
  for (std::size_t bin = first; bin <= last; ++bin) raise(bins_[bin], now_);
  if (levels_.lasted.size() <= now_[both]) levels_.lasted.resize(now_[both] + 1);
  levels_.lasted[now_[both]] += to - from;
  if (!levels_.exact) return;
  CallLevels::Step& step = levels_.steps.back();
  if (step.time == from)
    step.levels = now_;
  else if (step.levels != now_)
    levels_.steps.push_back({from, now_});
  if (levels_.steps.size() > most_) {
    levels_.exact = false;
    levels_.steps.clear();
  }
}

void LevelSweep::hold_until(std::int64_t time) {
  time = std::clamp(time, since_, levels_.to);
  note(since_, time);
  since_ = time;
}

void LevelSweep::end_until(std::int64_t time) {
  for (;;) {
    std::int64_t next = INT64_MAX;
    for (const Ends& ends : under_way_)
      if (!ends.empty()) next = std::min(next, ends.top());
    if (next > time) return;
    hold_until(next);
    for (std::size_t d = 0; d < under_way_.size(); ++d)
      for (; !under_way_[d].empty() && under_way_[d].top() <= next; --now_[d], --now_[both]) under_way_[d].pop();
  }
}

void LevelSweep::take(std::int64_t start, std::int64_t end, Direction direction) {
  start = std::clamp(start, levels_.from, levels_.to);
  end = std::clamp(end, start, levels_.to);
  end_until(start);
  hold_until(start);
  const auto d = static_cast<std::size_t>(direction);
  under_way_[d].push(end);
  ++now_[d];
  ++now_[both];
  note(since_, since_);
}

CallLevels LevelSweep::finish() {
  end_until(levels_.to);
  hold_until(levels_.to);
  if (!levels_.exact)
    for (std::size_t bin = 0; bin < bins_.size(); ++bin)
      levels_.steps.push_back({levels_.from + static_cast<std::int64_t>(bin) * width_, bins_[bin]});
  // What lasted no time is no step.
  else if (levels_.steps.size() > 1 && levels_.steps.back().time >= levels_.to)
    levels_.steps.pop_back();
  return std::move(levels_);
}

}  // namespace fathom::dashboard
