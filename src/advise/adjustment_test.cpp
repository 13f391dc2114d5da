// SPDX-License-Identifier: Apache-2.0
#include "advise/adjustment.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace fathom::advise {
namespace {

Loads loads_of(std::vector<std::vector<double>> servers) {
  Loads loads;
  loads.bands = servers.front().size();
  for (const auto& each : servers) loads.fractions.insert(loads.fractions.end(), each.begin(), each.end());
  loads.coverage.assign(servers.size(), 1);
  return loads;
}

/// 60 s of every 300 s at so many bytes per second on each of `footprint` servers.
KnownPattern pattern_of(double server_throughput, double footprint) {
  KnownPattern pattern;
  pattern.period_seconds = 300;
  pattern.burst_seconds = 60;
  pattern.footprint = footprint;
  pattern.mean_throughput = server_throughput * std::ceil(footprint);
  return pattern;
}

const Bands five{30e6, 150e6};
const std::vector<std::uint32_t> three{0, 1, 2};

TEST(Adjustment, HowMuchOfAJobIsStillToCome) {
  EXPECT_DOUBLE_EQ(unseen_share(0, std::nullopt, 1200), 1);       // just started, nobody knows for how long
  EXPECT_DOUBLE_EQ(unseen_share(300, std::nullopt, 1200), 0.75);  // a quarter is in the table
  EXPECT_DOUBLE_EQ(unseen_share(5000, std::nullopt, 1200), 0);
  EXPECT_DOUBLE_EQ(unseen_share(5000, 300, 1200), -0.75);  // for a quarter of the next 20 minutes
  EXPECT_DOUBLE_EQ(unseen_share(300, 600, 1200), 0.25);    // a quarter seen, half to come
  EXPECT_DOUBLE_EQ(*left_seconds(100, 1000, std::nullopt), 900);
  EXPECT_DOUBLE_EQ(*left_seconds(100, 1000, 500), 400);
  EXPECT_DOUBLE_EQ(*left_seconds(1100, 1000, 1500), 400);  // longer than usual: until its limit
  EXPECT_FALSE(left_seconds(1100, 1000, std::nullopt).has_value());
}

TEST(Adjustment, APatternGoesToTheMostIdleServers) {
  // 70 MB/s is band 2; for a fifth of the time, on the two idle ones of three. The footprint of 1.2 counts as 2.
  Loads loads = loads_of({{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}});
  adjust(loads, five, three, pattern_of(70e6, 1.2), 1, 1200);
  for (const std::size_t server : {0u, 2u}) {
    EXPECT_NEAR(loads.of(server)[0], 0.8, 1e-12);
    EXPECT_NEAR(loads.of(server)[2], 0.2, 1e-12);
  }
  EXPECT_EQ(loads.of(1)[1], 1);
}

TEST(Adjustment, EveryBurstTakesTheMostIdleServersOfItsTime) {
  // Three idle servers, one at a time; three bursts in 900 s: each has its turn, for a third of a fifth of the time.
  Loads loads = loads_of({{1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}});
  adjust(loads, five, three, pattern_of(70e6, 1), 1, 900);
  for (const std::size_t server : {0u, 1u, 2u}) EXPECT_NEAR(loads.of(server)[2], 0.2 / 3, 1e-12);
}

TEST(Adjustment, BusyTimeMovesUpByThePattern) {
  // All in band 1, even between 30 and 60 MB/s; 45 MB/s more is 75 to 105: half in band 2, half in band 3. With half a share d = 0.1.
  Loads loads = loads_of({{0, 1, 0, 0, 0}});
  const std::vector<std::uint32_t> only{0};
  adjust(loads, five, only, pattern_of(45e6, 1), 0.5, 1200);
  EXPECT_NEAR(loads.of(0)[1], 0.9, 1e-12);
  EXPECT_NEAR(loads.of(0)[2], 0.05, 1e-12);
  EXPECT_NEAR(loads.of(0)[3], 0.05, 1e-12);
}

TEST(Adjustment, TakingOffBeginsWithTheBusiest) {
  // d = 0.2 at 70 MB/s: the busiest server has 0.15 in band 2 and 0.1 in band 4. Band 2 goes to 0, then 0.05 of band 4 to band 4 - 2 = 2.
  Loads loads = loads_of({{0.9, 0, 0.1, 0, 0}, {0.75, 0, 0.15, 0, 0.1}, {1, 0, 0, 0, 0}});
  adjust(loads, five, three, pattern_of(70e6, 1), -1, 1200);
  EXPECT_EQ(loads.of(0)[2], 0.1);
  EXPECT_NEAR(loads.of(1)[0], 0.9, 1e-12);
  EXPECT_NEAR(loads.of(1)[2], 0.05, 1e-12);
  EXPECT_NEAR(loads.of(1)[4], 0.05, 1e-12);
}

TEST(Adjustment, WhatIsNotThereIsNotTaken) {
  Loads loads = loads_of({{1, 0, 0, 0, 0}});
  const std::vector<std::uint32_t> only{0};
  adjust(loads, five, only, pattern_of(70e6, 1), -1, 1200);
  EXPECT_EQ(loads.of(0)[0], 1);
}

TEST(Adjustment, KeepsFractionsFractions) {
  Random random(11);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::vector<double>> servers(8, std::vector<double>(5, 0));
    for (auto& each : servers)
      for (int k = 0; k < 10; ++k) each[static_cast<std::size_t>(random.whole(0, 4))] += 0.1;
    Loads loads = loads_of(servers);
    std::vector<std::uint32_t> all(8);
    std::iota(all.begin(), all.end(), 0u);
    KnownPattern pattern = pattern_of(random.uniform(0, 300e6), random.uniform(0.5, 12));
    pattern.burst_seconds = random.uniform(0, 400);
    for (int k = 0; k < 4; ++k) adjust(loads, five, all, pattern, random.uniform(-1, 1), 1200);
    for (std::size_t server = 0; server < 8; ++server) {
      double sum = 0;
      for (const double f : loads.of(server)) {
        EXPECT_GE(f, 0);
        sum += f;
      }
      EXPECT_NEAR(sum, 1, 1e-9);
    }
  }
}

TEST(Adjustment, PuttingOnAndTakingOffIsNothing) {
  Loads loads = loads_of({{1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {1, 0, 0, 0, 0}});
  adjust(loads, five, three, pattern_of(95e6, 2), 0.7, 1200);
  EXPECT_NEAR(loads.of(0)[3] + loads.of(1)[3] + loads.of(2)[3], 2 * 0.14, 1e-12);
  adjust(loads, five, three, pattern_of(95e6, 2), -0.7, 1200);
  for (const std::size_t server : {0u, 1u, 2u}) EXPECT_NEAR(loads.of(server)[0], 1, 1e-12);
}

}  // namespace
}  // namespace fathom::advise
