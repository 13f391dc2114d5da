// SPDX-License-Identifier: Apache-2.0
#include "replay/servers.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace fathom::replay {
namespace {

constexpr double capacity = static_cast<double>(titan::burst_capacity) * 1000;  // bytes per second
constexpr double per_second(std::uint32_t bytes_per_millisecond) { return static_cast<double>(bytes_per_millisecond) * 1000; }

}  // namespace

double Servers::alone_seconds(const titan::Burst& burst) {
  double longest = 0;
  for (const titan::Burst::Flow& flow : burst.flows)
    longest = std::max(longest, static_cast<double>(flow.left) / std::min(per_second(flow.rate), capacity));
  return longest;
}

std::uint32_t Servers::begin(const titan::Burst& burst, bool of_job, double now) {
  assert(!burst.flows.empty());
  std::uint32_t id = static_cast<std::uint32_t>(bursts_.size());
  if (free_bursts_.empty()) {
    bursts_.emplace_back();
  } else {
    id = free_bursts_.back();
    free_bursts_.pop_back();
  }
  Live& live = bursts_[id];
  live.osts.clear();
  live.flows_left = static_cast<std::uint32_t>(burst.flows.size());
  for (const titan::Burst::Flow& flow : burst.flows) {
    live.osts.push_back(static_cast<std::uint16_t>(flow.ost));
    move_on(flow.ost, now);
    osts_[flow.ost].flows.push_back({id, of_job, per_second(flow.rate), static_cast<double>(flow.left)});
    share(flow.ost);
  }
  return id;
}

void Servers::cancel(std::uint32_t burst, double now) {
  for (const std::uint16_t ost : bursts_[burst].osts) {
    move_on(ost, now);
    if (std::erase_if(osts_[ost].flows, [&](const Flow& flow) { return flow.burst == burst; }) > 0) share(ost);
  }
  bursts_[burst].flows_left = 0;
  free_bursts_.push_back(burst);
}

void Servers::move_on(std::uint32_t ost, double now) {
  Ost& at = osts_[ost];
  const double passed = now - at.updated;
  at.updated = now;
  if (passed <= 0) return;
  for (Flow& flow : at.flows) {
    const double amount = std::min(flow.left, flow.rate * passed);
    flow.left -= amount;
    moved_[ost] += amount;
  }
}

/// Max-min: whoever wants least is served first, and what is left is shared by the others; then the seeks.
void Servers::share(std::uint32_t ost) {
  Ost& at = osts_[ost];
  ++at.version;
  if (at.flows.empty()) return;
  order_.resize(at.flows.size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (order_.size() > 1)
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return at.flows[a].most < at.flows[b].most; });
  const auto of_jobs = static_cast<double>(std::count_if(at.flows.begin(), at.flows.end(), [](const Flow& flow) { return flow.of_job; }));
  double left = capacity, soonest = 1e300;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Flow& flow = at.flows[order_[i]];
    const double part = std::min(flow.most, left / static_cast<double>(order_.size() - i));
    left -= part;
    flow.rate = flow.of_job ? part * 2 / (of_jobs + 1) : part;
    soonest = std::min(soonest, flow.left / flow.rate);
  }
  due_.push({at.updated + soonest, ost, at.version});
}

std::optional<double> Servers::next() {
  while (!due_.empty() && due_.top().version != osts_[due_.top().ost].version) due_.pop();
  if (due_.empty()) return std::nullopt;
  return due_.top().t;
}

std::optional<std::uint32_t> Servers::finish_next() {
  const Due due = due_.top();
  due_.pop();
  assert(due.version == osts_[due.ost].version);
  move_on(due.ost, due.t);
  auto& flows = osts_[due.ost].flows;
  // The one with the least left at its rate: what rounding leaves of it is less than a byte, and counts as moved.
  const auto done =
      std::min_element(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.left / a.rate < b.left / b.rate; });
  moved_[due.ost] += done->left;
  const std::uint32_t burst = done->burst;
  flows.erase(done);
  share(due.ost);
  if (--bursts_[burst].flows_left > 0) return std::nullopt;
  free_bursts_.push_back(burst);
  return burst;
}

std::span<const double> Servers::sample(double now) {
  for (std::uint32_t ost = 0; ost < osts_.size(); ++ost)
    if (!osts_[ost].flows.empty()) move_on(ost, now);
  sampled_.swap(moved_);
  moved_.assign(titan::ost_count, 0);
  return sampled_;
}

}  // namespace fathom::replay
