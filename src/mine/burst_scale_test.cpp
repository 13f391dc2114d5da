// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace fathom::mine {
namespace {

TEST(BurstScale, LogarithmsOverARobustRange) {
  // Heights e^0 to e^20, areas e^0, e^3, ..., e^60: the 5 % and 95 % quantiles of 21 values are the second and the last but one: 1 and 19,
  // and 3 and 57. Spreads 18 / 3.29 and 54 / 3.29, centres 10 and 30: both axes become the same.
  std::vector<BurstSize> bursts;
  for (int i = 0; i <= 20; ++i) bursts.push_back({std::exp(i), std::exp(3 * i)});
  const ScaledBursts found = scaled(bursts);
  EXPECT_NEAR(found.height.centre, 10, 1e-12);
  EXPECT_NEAR(found.height.spread, 18 / 3.29, 1e-12);
  EXPECT_NEAR(found.area.spread, 54 / 3.29, 1e-12);
  for (int i = 0; i <= 20; ++i) {
    EXPECT_NEAR(found.points[i].x, (i - 10) * 3.29 / 18, 1e-12);
    EXPECT_NEAR(found.points[i].y, found.points[i].x, 1e-12);
  }
}

TEST(BurstScale, NoUnitMatters) {
  Random random(5);
  std::vector<BurstSize> bytes, gibibytes;
  for (int i = 0; i < 200; ++i) {
    bytes.push_back({random.lognormal(1e9, 1), random.lognormal(1e12, 2)});
    gibibytes.push_back({std::ldexp(bytes.back().height, -30), std::ldexp(bytes.back().area, -30)});
  }
  const ScaledBursts a = scaled(bytes), b = scaled(gibibytes);
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_NEAR(a.points[i].x, b.points[i].x, 1e-12);
    EXPECT_NEAR(a.points[i].y, b.points[i].y, 1e-12);
  }
  EXPECT_NEAR(sensible_max_eps(a.points, 5), sensible_max_eps(b.points, 5), 1e-12);
}

TEST(BurstScale, AConstantAxisWithNoiseIsNotBlownUp) {
  // Heights within 1 % of each other, areas over six decades: the height's spread is the least one, and its points within 0.2 of each
  // other.
  Random random(6);
  std::vector<BurstSize> bursts;
  for (int i = 0; i < 100; ++i) bursts.push_back({random.uniform(1e9, 1.01e9), std::pow(10.0, random.uniform(6, 12))});
  const ScaledBursts found = scaled(bursts);
  EXPECT_EQ(found.height.spread, least_spread);
  const auto [low, high] = std::minmax_element(found.points.begin(), found.points.end(), [](Point a, Point b) { return a.x < b.x; });
  EXPECT_LT(high->x - low->x, 0.2);
  for (BurstSize& each : bursts) each.height = 7e8;
  for (const Point each : scaled(bursts).points) EXPECT_EQ(each.x, 0);
}

TEST(BurstScale, MostBurstsOfOnePatternDoNotSetTheScale) {
  // Four bursts in five are of one pattern, 1 % wide; the rest spans a factor of e^6 on either side. The quartiles lie in the pattern and
  // would say 0.01; the 5 % and 95 % quantiles are the middle of the 10 % on either side: -3 and 3, so 6 / 3.29 = 1.8.
  std::vector<BurstSize> bursts;
  for (int i = 0; i < 800; ++i) bursts.push_back({std::exp(0.01 * (i / 400.0 - 1)), 1});
  for (int i = 1; i <= 100; ++i)
    for (const double side : {-1.0, 1.0}) bursts.push_back({std::exp(side * 0.06 * i), 1});
  EXPECT_NEAR(scaled(bursts).height.spread, 6 / 3.29, 0.05);
}

TEST(BurstScale, WhatHasNoLogarithmIsLeftOutAndCounted) {
  const double infinite = std::numeric_limits<double>::infinity(), unknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<BurstSize> bursts{{1, 1}, {0, 1}, {2, 2}, {1, -1}, {unknown, 1}, {1, infinite}, {4, 4}};
  const ScaledBursts found = scaled(bursts);
  EXPECT_EQ(found.left_out, 4u);
  EXPECT_EQ(found.burst, (std::vector<std::uint32_t>{0, 2, 6}));
  EXPECT_EQ(found.points.size(), 3u);
  EXPECT_TRUE(scaled({}).points.empty());
}

TEST(MaxEps, IsTheDistanceThatNearlyAllNeighboursHave) {
  // 99 points a step apart and one 902 steps away, k = 2 (the point itself and one more): 99 distances of 1, one of 902. The 98 % quantile
  // is at rank 0.98 * 99 = 97.02 of 0 to 99: between two ones.
  std::vector<Point> points;
  for (int i = 0; i < 99; ++i) points.push_back({static_cast<double>(i), 0});
  points.push_back({1000, 0});
  EXPECT_EQ(sensible_max_eps(points, 2), 1);
}

TEST(MaxEps, IsFiniteAndAboveZero) {
  std::vector<Point> points(100, Point{1, 1});
  EXPECT_EQ(sensible_max_eps(points, 5), 1);  // no distance at all
  points[0] = {4, 5};
  EXPECT_EQ(sensible_max_eps(points, 5), 5);  // 99 distances of 0 and one of 5
  EXPECT_EQ(sensible_max_eps({}, 5), 1);
  EXPECT_EQ(sensible_max_eps(std::vector<Point>{{0, 0}, {9, 9}}, 5), 1);  // fewer points than min_points
}

TEST(MaxEps, KeepsPatternsOfAllDensities) {
  // A pattern 1 % wide, another 40 times as wide and with a tenth of the points, noise over a square of 6 by 6: of both patterns nearly all
  // points stay core. k-distances grow with the width and fall with the root of the number: the second pattern's are 40 * sqrt(10) = 126
  // times those of the first, and still below the noise's.
  Random random(7);
  std::vector<Point> points;
  const auto add = [&](int count, Point centre, double wide) {
    for (int i = 0; i < count; ++i) points.push_back({centre.x + wide * random.normal(), centre.y + wide * random.normal()});
  };
  add(1000, {-1, -1}, 0.003);
  add(100, {1, 1}, 0.12);
  for (int i = 0; i < 200; ++i) points.push_back({random.uniform(-3, 3), random.uniform(-3, 3)});
  const double max_eps = sensible_max_eps(points, 5);
  const std::vector<double> core = core_distances(points, 5);
  const auto lost = [&](int from, int to) {
    return std::count_if(core.begin() + from, core.begin() + to, [&](double d) { return d > max_eps; });
  };
  EXPECT_EQ(lost(0, 1000), 0);
  EXPECT_EQ(lost(1000, 1100), 0);
  EXPECT_EQ(lost(1100, 1300), 26);  // 2 % of 1300
}

}  // namespace
}  // namespace fathom::mine
