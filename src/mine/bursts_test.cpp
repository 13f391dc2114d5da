// SPDX-License-Identifier: Apache-2.0
#include "mine/bursts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "mine/boxes.h"
#include "mine/haar.h"
#include "mine/rolling_quantile.h"

namespace fathom {
namespace {

TrafficSeries grid(std::vector<double> amounts, int step = 10) {
  return {time_from_seconds(1000), std::chrono::seconds{step}, std::move(amounts)};
}

std::vector<double> noisy(std::size_t size, double level, double sigma, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(std::max(0.0, level + sigma * random.normal()));
  return values;
}

TEST(RollingQuantile, AgreesWithSorting) {
  Random random(5);
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(random.chance(0.1) ? unknown_amount : static_cast<double>(random.whole(0, 20)));
  for (const std::size_t half : {1u, 7u, 200u}) {
    RollingQuantile window(values, {});
    for (std::size_t i = 0; i < values.size(); ++i) {
      window.move_to(i, half);
      const std::size_t length = std::min(values.size(), 2 * half + 1), from = std::min(i > half ? i - half : 0, values.size() - length);
      std::vector<double> inside;
      for (std::size_t k = from; k < from + length; ++k)
        if (!std::isnan(values[k])) inside.push_back(values[k]);
      std::sort(inside.begin(), inside.end());
      ASSERT_EQ(window.count(), inside.size());
      if (inside.empty()) continue;
      const double rank = 0.3 * static_cast<double>(inside.size() - 1);
      const auto below = static_cast<std::size_t>(rank);
      const double above = inside[std::min(below + 1, inside.size() - 1)];
      ASSERT_NEAR(window.quantile(0.3), inside[below] + (rank - static_cast<double>(below)) * (above - inside[below]), 1e-12);
    }
  }
}

TEST(Haar, KeepsABoxAndDropsNoise) {
  std::vector<double> values = noisy(512, 10, 1, 3);
  for (std::size_t i = 200; i < 240; ++i) values[i] += 8;
  const std::vector<double> clean = denoised(values, 5, 3.5);  // sqrt(2 ln 512) = 3.53
  double off = 0;
  for (std::size_t i = 0; i < 512; ++i) off = std::max(off, std::abs(clean[i] - (i >= 200 && i < 240 ? 18 : 10)));
  EXPECT_LT(off, 2);  // of noise whose largest of 512 values is beyond 3
}

TEST(Boxes, PartialOverlapIsTakenApart) {
  // Box A: 10 in slots 1 to 9 (ends at 10); box B: 20 in slots 8 to 14 (ends at 15): 0, 10 x 7, 30 x 2, 20 x 5, 0. What rises by 10 falls
  // by 10.
  std::vector<double> values(17, 0);
  for (std::size_t i = 1; i < 10; ++i) values[i] += 10;
  for (std::size_t i = 8; i < 15; ++i) values[i] += 20;
  const std::vector<double> least(17, 1);
  const std::vector<Box> boxes = boxes_of(values, least);
  ASSERT_EQ(boxes.size(), 2u);
  EXPECT_DOUBLE_EQ(boxes[0].start, 1);
  EXPECT_DOUBLE_EQ(boxes[0].end, 10);
  EXPECT_DOUBLE_EQ(boxes[0].area, 90);
  EXPECT_DOUBLE_EQ(boxes[1].start, 8);
  EXPECT_DOUBLE_EQ(boxes[1].end, 15);
  EXPECT_DOUBLE_EQ(boxes[1].area, 140);
}

TEST(Bursts, OneBoxWithinSlots) {
  // 100 bytes in every slot of 10 s, and 50 bytes/s from t = 1506 to t = 1538: slots 50 (1500-1510) has 4 s = 200 bytes, 51 and 52 have
  // 500, 53 has 8 s = 400. All equal otherwise: the background is 100 exactly. Height 50 bytes/s, area 1600 bytes.
  std::vector<double> amounts(200, 100);
  amounts[50] += 200;
  amounts[51] += 500;
  amounts[52] += 500;
  amounts[53] += 400;
  const auto bursts = find_bursts(grid(amounts));
  ASSERT_TRUE(bursts);
  ASSERT_EQ(bursts->size(), 1u);
  const Burst& burst = bursts->front();
  EXPECT_NEAR(seconds(burst.start.time_since_epoch()), 1506, 1e-3);
  EXPECT_NEAR(seconds(burst.end.time_since_epoch()), 1538, 1e-3);
  EXPECT_NEAR(burst.height, 50, 1e-9);
  EXPECT_NEAR(burst.area, 1600, 1e-9);
  EXPECT_NEAR(burst.background, 10, 1e-9);
}

TEST(Bursts, NothingToFind) {
  for (const std::vector<double>& amounts : {std::vector<double>{}, std::vector<double>{7}, std::vector<double>(50, 0),
                                             std::vector<double>(1000, 3e12), std::vector<double>(300, unknown_amount)}) {
    const auto bursts = find_bursts(grid(amounts));
    ASSERT_TRUE(bursts);
    EXPECT_EQ(bursts->size(), 0u) << amounts.size();
  }
}

TEST(Bursts, RefusesWhatIsNoTraffic) {
  for (const double bad : {-1.0, 1e30, std::numeric_limits<double>::infinity()}) {
    std::vector<double> amounts(100, 5);
    amounts[40] = bad;
    EXPECT_FALSE(find_bursts(grid(amounts)));
  }
  EXPECT_FALSE(find_bursts({time_from_seconds(0), Duration{0}, {1, 2}}));
}

TEST(Bursts, GapsEndABurst) {
  std::vector<double> amounts = noisy(400, 1000, 50, 9);
  for (std::size_t i = 100; i < 110; ++i) amounts[i] += 2000;
  for (std::size_t i = 104; i < 107; ++i) amounts[i] = unknown_amount;
  const auto bursts = find_bursts(grid(amounts));
  ASSERT_TRUE(bursts);
  for (const Burst& burst : *bursts)
    for (std::size_t i = burst.first_slot; i <= burst.last_slot; ++i) EXPECT_FALSE(std::isnan(amounts[i])) << i;
  EXPECT_GE(bursts->size(), 2u);
}

TEST(Bursts, WeakAndLongByWavelet) {
  // 32 slots of 2 standard deviations: no slot stands out by 4, but all together by 2 sqrt 32 = 11.
  std::size_t found = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> amounts = noisy(2000, 1000, 50, seed);
    for (std::size_t i = 900; i < 932; ++i) amounts[i] += 100;
    const auto covers = [](const std::vector<Burst>& bursts) {
      return std::any_of(bursts.begin(), bursts.end(),
                         [](const Burst& b) { return b.first_slot < 916 && b.last_slot > 916 && b.last_slot - b.first_slot > 16; });
    };
    found += covers(*find_bursts(grid(amounts, 1)));
    without += covers(*find_bursts(grid(amounts, 1), {.weak = false}));
  }
  std::printf("weak bursts found: %zu of 20, without wavelets %zu\n", found, without);
  EXPECT_GE(found, 16u);
  EXPECT_LE(without, 2u);
}

TEST(Bursts, LastAndMoveSomething) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<double> amounts = noisy(300, 100, 10, seed);
    for (int i = 0; i < 12; ++i) {
      const auto begin = static_cast<std::size_t>(random.whole(0, 299)),
                 end = std::min<std::size_t>(300, begin + static_cast<std::size_t>(random.whole(1, 20)));
      const double height = random.lognormal(100, 1);
      for (std::size_t k = begin; k < end; ++k) amounts[k] += height;
    }
    for (int i = 0; i < 3; ++i) amounts[static_cast<std::size_t>(random.whole(0, 299))] = unknown_amount;
    const auto bursts = find_bursts(grid(amounts), {});
    ASSERT_TRUE(bursts);
    found += bursts->size();
    for (const Burst& burst : *bursts) {
      EXPECT_LT(burst.start, burst.end) << "seed " << seed;
      EXPECT_GT(burst.area, 0) << "seed " << seed;
      EXPECT_GT(burst.height, 0) << "seed " << seed;
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(Bursts, NoiseAloneHasFew) {
  // A single slot is beyond four standard deviations with 3e-5: three in 100,000 slots.
  const auto bursts = find_bursts(grid(noisy(100'000, 1000, 50, 1)));
  ASSERT_TRUE(bursts);
  std::printf("bursts in 100,000 slots of noise: %zu\n", bursts->size());
  EXPECT_LE(bursts->size(), 25u);  // the local noise is an estimate: a little more
}

}  // namespace
}  // namespace fathom
