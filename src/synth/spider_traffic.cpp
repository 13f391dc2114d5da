// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_traffic.h"

#include <algorithm>
#include <numeric>

#include "synth/spider_applications.h"

namespace fathom::titan {

namespace {

constexpr std::size_t stripes = partition_osts / stripe_count;

void choose_osts(std::uint32_t footprint, std::size_t partition, Random& random, std::vector<std::uint16_t>& osts) {
  std::array<std::uint16_t, stripes> order;
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  const std::size_t wanted = std::min<std::size_t>(stripes, (footprint + stripe_count - 1) / stripe_count);
  for (std::size_t i = 0; i < wanted && wanted < stripes; ++i)  // the first of a random order, each once
    std::swap(order[i], order[static_cast<std::size_t>(random.whole(static_cast<std::int64_t>(i), stripes - 1))]);
  std::sort(order.begin(), order.begin() + wanted);
  const std::size_t count = std::min<std::size_t>(footprint, partition_osts);
  for (std::size_t i = 0; i < count; ++i)
    osts.push_back(static_cast<std::uint16_t>(partition * partition_osts + order[i / stripe_count] * stripe_count + i % stripe_count));
}

}  // namespace

Burst make_burst(std::uint64_t bytes, std::uint32_t footprint, std::size_t partition, std::uint64_t rate, Random& random) {
  Burst burst;
  choose_osts(footprint, partition, random, burst.osts);
  const std::uint64_t count = burst.osts.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t share = bytes / count + (i < bytes % count ? 1 : 0);
    const double speed = static_cast<double>(rate) * random.uniform(slowest_ost, 1);
    if (share > 0) burst.flows.push_back({burst.osts[i], std::max(1u, static_cast<std::uint32_t>(speed)), share});
  }
  return burst;
}

std::vector<Burst> Traffic::advance(Millis from, StepBytes& bytes) {
  for (const Burst& burst : active_)
    for (const Burst::Flow& flow : burst.flows) {
      ++loads_[flow.ost].flows;
      if (burst.owner != Burst::nobody) ++loads_[flow.ost].of_jobs;
    }

  std::vector<Burst> ended;
  for (Burst& burst : active_) {
    const Millis begin = std::max(from, burst.begin);
    const Millis until = std::min(from + step, burst.deadline);
    const auto available = static_cast<std::uint64_t>(std::max<Millis>(0, until - begin));
    auto& moved = bytes[static_cast<std::size_t>(burst.direction)];
    std::size_t kept = 0;
    for (Burst::Flow flow : burst.flows) {
      const Load load = loads_[flow.ost];
      const std::uint64_t fair = std::min<std::uint64_t>(flow.rate, burst_capacity / load.flows);
      const std::uint64_t rate = std::max<std::uint64_t>(1, burst.owner == Burst::nobody ? fair : fair * 2 / (load.of_jobs + 1u));
      const std::uint64_t amount = std::min(flow.left, rate * available);
      moved[flow.ost] += amount;
      burst.moved += amount;
      flow.left -= amount;
      if (flow.left > 0) {
        burst.flows[kept++] = flow;
      } else {
        burst.end = std::max(burst.end, begin + static_cast<Millis>((amount + rate - 1) / rate));
      }
    }
    burst.flows.resize(kept);
    if (burst.deadline <= from + step && kept > 0) burst.end = burst.deadline;
  }
  loads_.fill({});
  std::size_t kept = 0;
  for (Burst& burst : active_) {
    if (burst.done() || burst.deadline <= from + step) {
      ended.push_back(std::move(burst));
    } else if (&active_[kept] != &burst) {
      active_[kept++] = std::move(burst);
    } else {
      ++kept;
    }
  }
  active_.resize(kept);
  return ended;
}

}  // namespace fathom::titan
