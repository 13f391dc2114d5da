// SPDX-License-Identifier: Apache-2.0
#include "replay/servers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace fathom::replay {
namespace {

titan::Burst on_one(std::uint32_t ost, std::uint64_t megabytes, std::uint32_t megabytes_per_second) {
  titan::Burst burst;
  burst.flows.push_back({ost, megabytes_per_second * 1000, megabytes * 1'000'000});
  return burst;
}

/// Bursts in the order of their ends.
std::vector<std::pair<std::uint32_t, double>> run_out(Servers& servers) {
  std::vector<std::pair<std::uint32_t, double>> ends;
  while (const auto t = servers.next())
    if (const auto burst = servers.finish_next()) ends.emplace_back(*burst, *t);
  return ends;
}

TEST(ReplayServers, ABurstAloneTakesWhatItTakesAlone) {
  Random random(5);
  const titan::Burst burst = titan::make_burst(std::uint64_t{1} << 40, 256, 1, 75'000, random);
  Servers servers;
  servers.begin(burst, true, 100);
  const auto ends = run_out(servers);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_NEAR(ends[0].second - 100, Servers::alone_seconds(burst), 1e-6);
}

TEST(ReplayServers, TwoJobsSeek) {
  // 800 MB each at 80 MB/s: 10 s alone. The second comes after 4 s. Then both run at 80 x 2/3 = 53.33 MB/s. The first has 480 MB left:
  // 9 s, so it ends at 13. The second moved 480 MB meanwhile and has 320 MB left: 4 s alone, so it ends at 17.
  Servers servers;
  const auto first = servers.begin(on_one(7, 800, 80), true, 0);
  EXPECT_DOUBLE_EQ(servers.sample(4)[7], 320e6);
  const auto second = servers.begin(on_one(7, 800, 80), true, 4);
  const auto ends = run_out(servers);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0].first, first);
  EXPECT_NEAR(ends[0].second, 13, 1e-6);
  EXPECT_EQ(ends[1].first, second);
  EXPECT_NEAR(ends[1].second, 17, 1e-6);
}

TEST(ReplayServers, SharesAreMaxMin) {
  // 460 MB/s for 400, 100 and 60 MB/s that no job owns: the small ones get what they want, the large one the other 300.
  Servers servers;
  servers.begin(on_one(0, 4000, 400), false, 0);
  servers.begin(on_one(0, 4000, 100), false, 0);
  servers.begin(on_one(0, 4000, 60), false, 0);
  const double moved = servers.sample(10)[0];
  EXPECT_NEAR(moved, 4600e6, 1);
  const auto ends = run_out(servers);
  EXPECT_NEAR(ends[0].second, 4000.0 / 300, 1e-6);
  EXPECT_NEAR(ends[1].second, 40, 1e-6);
  EXPECT_NEAR(ends[2].second, 4000.0 / 60, 1e-6);
}

TEST(ReplayServers, WhatIsCancelledIsGone) {
  // Alone for 2 s, with another for 3 s at 2/3: 160 + 160 MB moved, 480 left, 6 s more alone.
  Servers servers;
  servers.begin(on_one(3, 800, 80), true, 0);
  const auto other = servers.begin(on_one(3, 80'000, 80), true, 2);
  servers.cancel(other, 5);
  const auto ends = run_out(servers);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_NEAR(ends[0].second, 11, 1e-6);
}

/// The same law written down plainly: everything is looked at again whenever anything happens.
std::map<std::size_t, double> reference_ends(const std::vector<std::pair<double, titan::Burst>>& bursts) {
  struct Flow {
    std::size_t burst;
    std::uint32_t ost;
    double most, left, rate;
  };
  std::vector<Flow> flows;
  std::map<std::size_t, double> ends;
  std::size_t next = 0;
  double now = 0;
  while (next < bursts.size() || !flows.empty()) {
    for (Flow& flow : flows) {  // max-min by raising a common level until the capacity is used
      std::vector<double> wants;
      for (const Flow& other : flows)
        if (other.ost == flow.ost) wants.push_back(other.most);
      double low = 0, high = 460e6;
      for (int i = 0; i < 200; ++i) {
        const double level = (low + high) / 2;
        double used = 0;
        for (const double want : wants) used += std::min(want, level);
        (used <= 460e6 ? low : high) = level;
      }
      flow.rate = std::min(flow.most, high) * 2 / (static_cast<double>(wants.size()) + 1);
    }
    double t = next < bursts.size() ? bursts[next].first : 1e300;
    for (const Flow& flow : flows) t = std::min(t, now + flow.left / flow.rate);
    for (Flow& flow : flows) flow.left -= flow.rate * (t - now);
    now = t;
    for (const Flow& flow : flows)
      if (flow.left <= 1e-3) ends[flow.burst] = now;
    std::erase_if(flows, [](const Flow& flow) { return flow.left <= 1e-3; });
    for (; next < bursts.size() && bursts[next].first <= now; ++next)
      for (const auto& flow : bursts[next].second.flows)
        flows.push_back({next, flow.ost, flow.rate * 1e3, static_cast<double>(flow.left), 0});
  }
  return ends;
}

TEST(ReplayServers, AgreesWithThePlainReference) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    std::vector<std::pair<double, titan::Burst>> bursts;
    double t = 0, total = 0;
    for (int i = 0; i < 14; ++i) {
      t += random.uniform(0, 12);
      titan::Burst burst;
      for (std::uint32_t ost = 0; ost < 6; ++ost)
        if (random.chance(0.6) || (ost == 5 && burst.flows.empty())) {
          const auto left = static_cast<std::uint64_t>(random.whole(1, 3'000'000'000));
          burst.flows.push_back({ost, static_cast<std::uint32_t>(random.whole(20'000, 300'000)), left});
          total += static_cast<double>(left);
        }
      bursts.emplace_back(t, std::move(burst));
    }
    const auto expected = reference_ends(bursts);
    Servers servers;
    std::map<std::uint32_t, std::size_t> numbers;  // ids are used again
    std::map<std::size_t, double> ends;
    double moved = 0, sampled = 0;
    std::size_t begun = 0;
    while (true) {
      const double flow = servers.next().value_or(1e300);
      const double arrival = begun < bursts.size() ? bursts[begun].first : 1e300;
      if (std::min(flow, arrival) > 1e299) break;
      while (sampled + 10 <= std::min(flow, arrival)) {
        sampled += 10;
        const auto bytes = servers.sample(sampled);
        moved += std::accumulate(bytes.begin(), bytes.end(), 0.0);
      }
      if (arrival < flow) {
        numbers[servers.begin(bursts[begun].second, true, arrival)] = begun;
        ++begun;
      } else if (const auto done = servers.finish_next()) {
        ends[numbers[*done]] = flow;
      }
    }
    const auto rest = servers.sample(1e6);
    moved += std::accumulate(rest.begin(), rest.end(), 0.0);
    ASSERT_EQ(ends.size(), expected.size());
    for (const auto& [burst, end] : expected) EXPECT_NEAR(ends[burst], end, 1e-4) << "seed " << seed << " burst " << burst;
    EXPECT_NEAR(moved, total, 1e-6 * total);
  }
}

}  // namespace
}  // namespace fathom::replay
