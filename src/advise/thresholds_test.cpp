// SPDX-License-Identifier: Apache-2.0
#include "advise/thresholds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fathom::advise {
namespace {

/// Isotonic regression by its min-max formula: the fit at i is the largest, over starts up to i, of the smallest mean over ends from i.
std::vector<double> min_max_fit(const std::vector<double>& y) {
  std::vector<double> fit;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double largest = -1e300;
    for (std::size_t a = 0; a <= i; ++a) {
      double smallest = 1e300;
      for (std::size_t b = i; b < y.size(); ++b) {
        double sum = 0;
        for (std::size_t k = a; k <= b; ++k) sum += y[k];
        smallest = std::min(smallest, sum / static_cast<double>(b - a + 1));
      }
      largest = std::max(largest, smallest);
    }
    fit.push_back(largest);
  }
  return fit;
}

TEST(Isotonic, PoolsWhatFalls) {
  // 1, 3, 2, 4 at 1, 2, 3, 4: 3 and 2 become 2.5.
  const auto steps = isotonic_fit({{3, 2}, {1, 1}, {4, 4}, {2, 3}});
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].first, 2);
  EXPECT_EQ(steps[1].last, 3);
  EXPECT_EQ(steps[1].value, 2.5);
  EXPECT_EQ(steps[1].points, 2u);
}

TEST(Isotonic, AgreesWithTheMinMaxFormula) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    std::vector<std::pair<double, double>> points;
    std::vector<double> y;
    for (int i = 0; i < 25; ++i) {
      y.push_back(std::round(random.uniform(0, 10)) + i * random.uniform(0, 0.3));
      points.emplace_back(i, y.back());
    }
    const auto steps = isotonic_fit(points);
    const auto expected = min_max_fit(y);
    std::size_t at = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      while (steps[at].last < static_cast<double>(i)) ++at;
      EXPECT_NEAR(steps[at].value, expected[i], 1e-9);
    }
  }
}

TrainingPoint point_of(double load, double normalised, double throughput = 20e9, double ratio = 0.2) {
  return {{1 - load, load}, throughput, ratio, normalised};
}

const std::vector<double> one_and_two{1, 2};  // score = 1 + load

TEST(Thresholds, TheLargestScoreWithinTheImpact) {
  // Normalised time = 1 + 2 load at loads 0, 0.01, ... 0.99: within 1.5 up to load 0.25, within 1.2 up to 0.1.
  std::vector<TrainingPoint> points;
  for (int i = 0; i < 100; ++i) points.push_back(point_of(i / 100.0, 1 + 2 * i / 100.0));
  const ThresholdTable table = make_thresholds(points, one_and_two);
  const ThresholdCell& cell = table.of(20e9, 0.2);
  EXPECT_EQ(cell.own_points, 100u);
  EXPECT_FALSE(cell.borrowed());
  EXPECT_NEAR(limit_of(cell, 1.5).score, 1.25, 1e-12);
  EXPECT_NEAR(limit_of(cell, 1.2).score, 1.10, 1e-12);
  EXPECT_TRUE(limit_of(cell, 9).all_within);
  EXPECT_NEAR(limit_of(cell, 9).score, 1.99, 1e-12);
  EXPECT_TRUE(limit_of(cell, 0.9).none_within);
  EXPECT_EQ(limit_of(cell, 0.9).score, 1);
}

TEST(Thresholds, NoiseIsPooledBeforeItIsJudged) {
  // One lucky point at a high load does not raise the limit: it is pooled with its neighbours.
  std::vector<TrainingPoint> points;
  for (int i = 0; i < 100; ++i) points.push_back(point_of(i / 100.0, i < 50 ? 1.1 : 2));
  points.push_back(point_of(0.995, 1.0));
  EXPECT_NEAR(limit_of(make_thresholds(points, one_and_two).of(20e9, 0.2), 1.5).score, 1.49, 1e-12);
}

TEST(Thresholds, SparseCellsBorrowAndSaySo) {
  std::vector<TrainingPoint> points;
  for (int i = 0; i < 60; ++i) points.push_back(point_of(i / 60.0, 1 + i / 60.0));
  for (int i = 0; i < 3; ++i) points.push_back(point_of(0.5, 1.2, 20e9, 0.3));  // the cell beside it
  const ThresholdTable table = make_thresholds(points, one_and_two);
  const ThresholdCell& beside = table.of(20e9, 0.3);
  EXPECT_EQ(beside.own_points, 3u);
  EXPECT_EQ(beside.borrowed_points, 60u);
  EXPECT_EQ(beside.distance, 1u);
  const ThresholdCell& far = table.of(100e9, 0.9);  // two rows and two columns away from the large one
  EXPECT_TRUE(far.borrowed());
  EXPECT_EQ(far.own_points, 0u);
  EXPECT_EQ(far.borrowed_points, 63u);
  EXPECT_EQ(far.distance, 2u);
}

TEST(Thresholds, WithoutPointsThereIsNoLimit) {
  const ThresholdTable table = make_thresholds({}, one_and_two);
  EXPECT_EQ(limit_of(table.of(1, 1), 1.2).score, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace fathom::advise
