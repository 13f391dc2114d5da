// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_traffic.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace fathom::titan {
namespace {

/// One flow of `bytes` at `rate` on OST 5, by a job.
Burst one_flow(std::uint64_t bytes, std::uint32_t rate, Millis begin = 0) {
  Burst burst;
  burst.owner = 0;
  burst.begin = begin;
  burst.flows = {{5, rate, bytes}};
  burst.osts = {5};
  return burst;
}

std::uint64_t sum(const StepBytes& bytes) {
  std::uint64_t all = 0;
  for (const auto& direction : bytes) all = std::accumulate(direction.begin(), direction.end(), all);
  return all;
}

TEST(SpiderTraffic, ABurstAloneTakesVolumeOverRate) {
  // 1,500,000,000 B at 100,000 B/ms: 15 s. Begun at 2 s, it moves 8 s x 100 MB/s in the first step, the rest until 17 s.
  Traffic traffic;
  traffic.begin(one_flow(1'500'000'000, 100'000, 2 * second));
  StepBytes bytes{};
  EXPECT_TRUE(traffic.advance(0, bytes).empty());
  EXPECT_EQ(bytes[1][5], 800'000'000u);
  bytes = {};
  const auto ended = traffic.advance(step, bytes);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(bytes[1][5], 700'000'000u);
  EXPECT_EQ(ended[0].end, 17 * second);
  EXPECT_EQ(ended[0].moved, 1'500'000'000u);
}

TEST(SpiderTraffic, TwoJobsOnOneOstSeekBetweenTheirFiles) {
  // Each at 2 / (2 + 1) of its 90 MB/s: 60 MB/s, 600 MB per step of 10 s.
  Traffic traffic;
  traffic.begin(one_flow(5'000'000'000, 90'000));
  traffic.begin(one_flow(5'000'000'000, 90'000));
  StepBytes bytes{};
  traffic.advance(0, bytes);
  EXPECT_EQ(bytes[1][5], 2 * 600'000'000u);
}

TEST(SpiderTraffic, AnOstNeverGivesMoreThanItHas) {
  // Three without a job, 400 MB/s each: a third of 460 MB/s for each of them.
  Traffic traffic;
  for (int i = 0; i < 3; ++i) {
    Burst burst = one_flow(50'000'000'000, 400'000);
    burst.owner = Burst::nobody;
    burst.direction = Direction::read;
    traffic.begin(burst);
  }
  StepBytes bytes{};
  traffic.advance(0, bytes);
  EXPECT_EQ(bytes[0][5], burst_capacity / 3 * 3 * step);
}

TEST(SpiderTraffic, ADeadJobMovesNothing) {
  Traffic traffic;
  Burst burst = one_flow(5'000'000'000, 100'000);
  burst.deadline = 4 * second;
  traffic.begin(burst);
  StepBytes bytes{};
  const auto ended = traffic.advance(0, bytes);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_FALSE(ended[0].done());
  EXPECT_EQ(ended[0].moved, 400'000'000u);
  EXPECT_EQ(ended[0].end, 4 * second);
  bytes = {};
  EXPECT_TRUE(traffic.advance(step, bytes).empty());
  EXPECT_EQ(sum(bytes), 0u);
}

TEST(SpiderTraffic, FootprintsKeepTheirSizeAndMove) {
  Random random(3);
  std::set<std::vector<std::uint16_t>> sets;
  for (const std::uint32_t footprint : {1u, 4u, 64u, 180u, 504u}) {
    for (int i = 0; i < 20; ++i) {
      const Burst burst = make_burst(1'000'000'007, footprint, 1, 80'000, random);
      EXPECT_EQ(burst.osts.size(), footprint);
      EXPECT_EQ(std::set<std::uint16_t>(burst.osts.begin(), burst.osts.end()).size(), footprint);
      std::uint64_t bytes = 0;
      for (const auto& flow : burst.flows) {
        bytes += flow.left;
        EXPECT_GE(flow.ost, partition_osts);  // its own partition
        EXPECT_LT(flow.ost, ost_count);
        EXPECT_GE(flow.rate, 72'000u - 1);
      }
      EXPECT_EQ(bytes, 1'000'000'007u);
      if (footprint == 180) sets.insert(burst.osts);
    }
  }
  EXPECT_EQ(sets.size(), 20u);
}

TEST(SpiderTraffic, WhatMovesIsWhatWasAsked) {
  Random random(4);
  Traffic traffic;
  std::uint64_t asked = 0, moved = 0, told = 0;
  for (Millis now = 0; now < 2 * hour; now += step) {
    if (now < hour && random.chance(0.1)) {
      const auto volume = static_cast<std::uint64_t>(random.whole(1, 400'000'000'000));
      Burst burst = make_burst(volume, static_cast<std::uint32_t>(random.whole(1, 504)), 0,
                               static_cast<std::uint64_t>(random.whole(1000, 400'000)), random);
      burst.owner = 1;
      burst.begin = now + random.whole(0, step - 1);
      asked += volume;
      traffic.begin(std::move(burst));
    }
    StepBytes bytes{};
    for (const Burst& burst : traffic.advance(now, bytes)) told += burst.moved;
    for (std::size_t ost = 0; ost < ost_count; ++ost) EXPECT_LE(bytes[0][ost] + bytes[1][ost], burst_capacity * step);
    moved += sum(bytes);
  }
  for (const Burst& burst : traffic.active()) {
    told += burst.moved;
    for (const auto& flow : burst.flows) asked -= flow.left;
  }
  EXPECT_EQ(moved, asked);
  EXPECT_EQ(told, asked);
}

}  // namespace
}  // namespace fathom::titan
