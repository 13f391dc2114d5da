// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_counters.h"

#include <algorithm>

namespace fathom::titan {

namespace {

constexpr std::uint64_t counter_stream = 0x400000004u;
constexpr double days_between_failovers = 3.5;
constexpr double days_between_outages = 2.3;
constexpr std::int64_t shortest_outage = 4 * minute / step;
constexpr std::int64_t longest_outage = 12 * minute / step;

/// How many happen in the log: one at least, so that short logs have them too.
std::int64_t count_of(double days_between, std::int64_t samples) {
  const double days = static_cast<double>(samples) * static_cast<double>(step) / static_cast<double>(day);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(days / days_between + 0.5));
}

}  // namespace

OstCounters::OstCounters(std::uint64_t seed, std::int64_t samples) {
  Random random = Random::stream(seed, counter_stream);
  for (auto& direction : values_)
    for (auto& value : direction) value = static_cast<std::uint64_t>(random.whole(2'000'000'000'000, 90'000'000'000'000)) / 4096 * 4096;
  base_ = values_;
  if (samples < 4 * longest_outage / 3) return;  // too short for faults

  // Each in a slot of its own: failovers in the first third of theirs, outages in the last third, so that they stay apart.
  const std::int64_t slots = std::max(count_of(days_between_failovers, samples), count_of(days_between_outages, samples));
  const std::int64_t failovers = count_of(days_between_failovers, samples);
  const std::int64_t outages = count_of(days_between_outages, samples);
  const std::int64_t slot = samples / slots;
  const auto first_server = static_cast<std::size_t>(random.whole(0, ost_count / osts_per_server - 1));
  for (std::int64_t i = 0; i < slots; ++i) {
    const std::int64_t begin = i * slot;
    if (i < failovers) {
      const std::size_t server = (first_server + static_cast<std::size_t>(i) * 37) % (ost_count / osts_per_server);
      failovers_.push_back({begin + random.whole(slot / 12, slot / 4), server * osts_per_server});
    }
    if (i < outages) {
      const std::int64_t length = std::min(random.whole(shortest_outage, longest_outage), slot / 4);
      const std::int64_t from = begin + random.whole(slot / 2, slot - length - 2);
      outages_.push_back({from, from + length});
    }
  }
}

void OstCounters::fail_over(std::size_t first_ost, const StepBytes& bytes) {
  for (std::size_t ost = first_ost; ost < first_ost + osts_per_server; ++ost) {
    for (std::size_t d = 0; d < 2; ++d) {
      before_[d][ost] += last_read_[d][ost] - base_[d][ost];
      base_[d][ost] = 0;
      values_[d][ost] = bytes[d][ost] - bytes[d][ost] / 3;  // a third of the step had passed: lost
    }
    ++resets_;
  }
}

bool OstCounters::advance(std::int64_t index, const StepBytes& bytes) {
  const auto failing = std::find_if(failovers_.begin(), failovers_.end(), [&](const Failover& f) { return f.index == index; });
  if (failing != failovers_.end()) last_read_ = values_;  // faults stay apart: the previous reading was taken
  for (std::size_t d = 0; d < 2; ++d) {
    std::uint64_t sum = 0;
    for (std::size_t ost = 0; ost < ost_count; ++ost) {
      values_[d][ost] += bytes[d][ost];
      sum += bytes[d][ost];
    }
    happened_[d] += sum;
  }
  if (failing != failovers_.end()) fail_over(failing->first_ost, bytes);
  const bool down = std::any_of(outages_.begin(), outages_.end(), [&](const Outage& o) { return index >= o.from && index < o.to; });
  if (!down) {
    ++readings_;
    if (missed_) gaps_ += ost_count;
  }
  missed_ = down;
  return !down;
}

OstCounters::Known OstCounters::known(std::size_t ost) const {
  Known known;
  known.samples = readings_;
  known.increments = readings_ - 1;
  for (std::size_t d = 0; d < 2; ++d) known.bytes[d] = before_[d][ost] + values_[d][ost] - base_[d][ost];
  return known;
}

}  // namespace fathom::titan
