// SPDX-License-Identifier: Apache-2.0
#include "advise/least_deviations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/random.h"

namespace fathom::advise {
namespace {

double deviation(const std::vector<double>& weights, const std::vector<LinearPoint>& points) {
  double sum = 0;
  for (const LinearPoint& point : points) {
    double predicted = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) predicted += weights[i] * point.factors[i];
    sum += std::fabs(predicted - point.value);
  }
  return sum;
}

/// Gauss with pivoting; nothing where there is no single solution.
std::optional<std::vector<double>> solve(std::vector<std::vector<double>> a) {
  const std::size_t n = a.size();
  for (std::size_t column = 0; column < n; ++column) {
    const auto pivot = std::max_element(a.begin() + static_cast<std::ptrdiff_t>(column), a.end(),
                                        [&](const auto& x, const auto& y) { return std::fabs(x[column]) < std::fabs(y[column]); });
    if (std::fabs((*pivot)[column]) < 1e-9) return std::nullopt;
    std::swap(a[column], *pivot);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double times = a[row][column] / a[column][column];
      for (std::size_t k = column; k <= n; ++k) a[row][k] -= times * a[column][k];
    }
  }
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(a[i][n] / a[i][i]);
  return x;
}

/// The least there is, by trying all corners: the sum of absolute deviations is convex and linear between planes, so that a least value
/// lies where as many planes as there are weights meet: points met exactly, w_1 = 0, or w_i = w_(i-1).
double least_by_corners(const std::vector<LinearPoint>& points) {
  const std::size_t n = points.front().factors.size();
  std::vector<std::vector<double>> planes;
  for (const LinearPoint& point : points) {
    planes.push_back(point.factors);
    planes.back().push_back(point.value);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> plane(n + 1, 0);
    plane[i] = 1;
    if (i > 0) plane[i - 1] = -1;
    planes.push_back(plane);
  }
  double best = 1e300;
  std::vector<std::vector<double>> chosen;
  const std::function<void(std::size_t)> choose = [&](std::size_t from) {
    if (chosen.size() == n) {
      const auto x = solve(chosen);
      if (!x) return;
      for (std::size_t i = 0; i < n; ++i)
        if ((*x)[i] < (i > 0 ? (*x)[i - 1] : 0) - 1e-9) return;
      best = std::min(best, deviation(*x, points));
      return;
    }
    for (std::size_t i = from; i < planes.size(); ++i) {
      chosen.push_back(planes[i]);
      choose(i + 1);
      chosen.pop_back();
    }
  };
  choose(0);
  return best;
}

std::vector<double> fractions(std::size_t bands, Random& random) {
  std::vector<double> f;
  double sum = 0;
  for (std::size_t i = 0; i < bands; ++i) sum += f.emplace_back(random.chance(0.3) ? 0 : random.uniform());
  for (double& each : f) each /= sum > 0 ? sum : 1;
  return f;
}

TEST(LeastDeviations, AgreesWithAllCorners) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto bands = static_cast<std::size_t>(random.whole(1, 4));
    std::vector<LinearPoint> points;
    for (std::int64_t i = random.whole(1, 11); i > 0; --i) points.push_back({fractions(bands, random), random.uniform(0.5, 4)});
    const auto found = least_deviations(points);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_NEAR(found->deviation, least_by_corners(points), 1e-7) << "seed " << seed;
    EXPECT_NEAR(deviation(found->weights, points), found->deviation, 1e-9);
    for (std::size_t i = 0; i < bands; ++i) EXPECT_GE(found->weights[i], i > 0 ? found->weights[i - 1] : 0);
  }
}

TEST(LeastDeviations, FindsPlantedWeightsAmongGrossOutliers) {
  // One point in five is off by 2 to 50, always upwards; the others are exact. Least squares would be off by several units.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    std::vector<double> planted{1};
    while (planted.size() < 17) planted.push_back(planted.back() + random.uniform(0, 0.5));
    std::vector<LinearPoint> points;
    for (int i = 0; i < 600; ++i) {
      LinearPoint point{fractions(17, random), 0};
      for (std::size_t b = 0; b < 17; ++b) point.value += planted[b] * point.factors[b];
      if (i % 5 == 0) point.value += random.uniform(2, 50);
      points.push_back(std::move(point));
    }
    const auto found = least_deviations(points);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    for (std::size_t b = 0; b < 17; ++b) EXPECT_NEAR(found->weights[b], planted[b], 1e-6) << "seed " << seed;
  }
}

TEST(LeastDeviations, NeverFallsEvenWhereTheDataDo) {
  // Band 0 says 3, band 1 says 1: the closest that do not fall are equal. With two points on each side the sum is 4 for every common value
  // from 1 to 3.
  const auto found = least_deviations({{{1, 0}, 3}, {{1, 0}, 3}, {{0, 1}, 1}, {{0, 1}, 1}});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->weights[0], found->weights[1], 1e-9);
  EXPECT_NEAR(found->deviation, 4, 1e-7);
}

TEST(LeastDeviations, ABandThatWasNeverSeenIsLikeTheOneBelow) {
  const auto found = least_deviations({{{1, 0, 0}, 1}, {{0.5, 0.5, 0}, 1.5}});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->weights[0], 1, 1e-9);
  EXPECT_NEAR(found->weights[1], 2, 1e-9);
  EXPECT_NEAR(found->weights[2], 2, 1e-9);
}

TEST(LeastDeviations, AmongEquallyGoodWeightsThoseThatRiseEvenly) {
  // w_0 = 1 and (w_2 + w_3) / 4 = 1.5 meet both points: with steps d, 2 d_1 + 2 d_2 + d_3 = 4. Even steps are 4 / 5. A corner of the system
  // could as well say that bands 1 and 2 cost nothing and band 3 five times as much, and a server that is busy at nine tenths of its peak
  // would seem idle.
  const auto found = least_deviations({{{1, 0, 0, 0}, 1}, {{0.5, 0, 0.25, 0.25}, 2}});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->deviation, 0, 1e-9);
  for (std::size_t b = 0; b < 4; ++b) EXPECT_NEAR(found->weights[b], 1 + 0.8 * static_cast<double>(b), 1e-7);
}

TEST(LeastDeviations, ABandInBetweenThatWasNeverSeenIsInBetween) {
  const auto found = least_deviations({{{1, 0, 0}, 1}, {{0.5, 0, 0.5}, 2}});
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->weights[1], 2, 1e-7);
  EXPECT_NEAR(found->weights[2], 3, 1e-7);
}

TEST(LeastDeviations, RefusesWhatIsNoSystem) {
  EXPECT_FALSE(least_deviations({}).has_value());
  EXPECT_FALSE(least_deviations({{{}, 1}}).has_value());
  EXPECT_FALSE(least_deviations({{{1, 0}, 1}, {{1}, 1}}).has_value());
  EXPECT_FALSE(least_deviations({{{std::nan("")}, 1}}).has_value());
  EXPECT_FALSE(least_deviations({{{1}, std::numeric_limits<double>::infinity()}}).has_value());
}

}  // namespace
}  // namespace fathom::advise
