// SPDX-License-Identifier: Apache-2.0
#include "fit/line_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"

namespace fathom::fit {
namespace {

TEST(LineFit, FourPointsByHand) {
  // Means 2.5 and 6; sum (x - 2.5)^2 = 5; sum (x - 2.5)(y - 6) = 4.5 + 0.5 + 0 + 6 = 11: slope 2.2, intercept 6 - 2.2 x 2.5 = 0.5.
  // Residuals 0.3, 0.1, -1.1, 0.7: squares 1.8, of y 26: R^2 = 1 - 1.8 / 26; deviation sqrt(1.8 / 2).
  // Slope's error: textbook sqrt(0.9 / 5) = 0.424. HC3: leverages 0.7, 0.3, 0.3, 0.7, so sum of (x - 2.5)^2 e^2 / (1 - h)^2 =
  // 2.25 x 0.09 / 0.09 + 0.25 x 0.01 / 0.49 + 0.25 x 1.21 / 0.49 + 2.25 x 0.49 / 0.09 = 15.1224490; sqrt(15.1224490) / 5 = 0.7777519.
  // t of 97.5 % with 2 degrees of freedom is 4.3026527.
  const std::vector<Point> points = {{1, 3}, {2, 5}, {3, 6}, {4, 10}};
  const auto line = fit_line(points, 0.95);
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope.value, 2.2, 1e-12);
  EXPECT_NEAR(line->intercept.value, 0.5, 1e-12);
  EXPECT_NEAR(line->r_squared, 1 - 1.8 / 26, 1e-12);
  EXPECT_NEAR(line->deviation, std::sqrt(0.9), 1e-12);
  EXPECT_NEAR(line->slope.upper - 2.2, 4.3026527 * 0.7777519, 1e-5);
  EXPECT_NEAR(2.2 - line->slope.lower, 4.3026527 * 0.7777519, 1e-5);
  EXPECT_FALSE(line->outlier);
}

TEST(LineFit, WhatDeterminesNoLineGivesNone) {
  EXPECT_FALSE(fit_line({}, 0.95));
  EXPECT_FALSE(fit_line(std::vector<Point>{{1, 1}, {2, 2}}, 0.95));
  EXPECT_FALSE(fit_line(std::vector<Point>{{7, 1}, {7, 2}, {7, 3}, {7, 4}}, 0.95));
}

TEST(LineFit, PointsOnALineHaveNoWidthAndNoOutlier) {
  std::vector<Point> points;
  for (int i = 1; i <= 20; ++i) points.push_back({i * 1e9, 0.25 + i * 1e9 / 3.1e8});
  const auto line = fit_line(points, 0.95);
  ASSERT_TRUE(line);
  EXPECT_NEAR(1 / line->slope.value, 3.1e8, 1);
  EXPECT_NEAR(line->intercept.value, 0.25, 1e-9);
  EXPECT_NEAR((line->slope.upper - line->slope.lower) / line->slope.value, 0, 1e-9);
  EXPECT_FALSE(line->outlier);
  EXPECT_FALSE(line->curved);
}

TEST(LineFit, OneAccidentIsLeftOutTwoAreNot) {
  std::vector<Point> points;
  Random random(4);
  for (int i = 1; i <= 12; ++i) points.push_back({static_cast<double>(i), 1 + 2 * i + 0.1 * random.normal()});
  points[8].y += 30;
  auto line = fit_line(points, 0.95);
  ASSERT_TRUE(line && line->outlier);
  EXPECT_EQ(*line->outlier, 8u);
  EXPECT_EQ(line->points, 11u);
  EXPECT_NEAR(line->slope.value, 2, 0.05);
  points[2].y += 30;  // two hide each other: both stay, and the interval says how little is known
  line = fit_line(points, 0.95);
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->outlier);
  EXPECT_LT(line->slope.lower, 0);
}

TEST(LineFit, SeesAParabola) {
  std::vector<Point> points;
  Random random(4);
  for (int i = 1; i <= 12; ++i) points.push_back({static_cast<double>(i), 0.2 * i * i + 0.3 * random.normal()});
  EXPECT_TRUE(fit_line(points, 0.95)->curved);
}

/// In how many of 2,000 fits the true slope is within its interval, and how many points were left out.
struct Coverage {
  double slope = 0, left_out = 0, curved = 0;
};
Coverage coverage(const std::function<double(Random&, double)>& noise, bool accident, double confidence) {
  constexpr int seeds = 2000;
  Coverage found;
  for (int seed = 0; seed < seeds; ++seed) {
    Random random = Random::stream(5, static_cast<std::uint64_t>(seed));
    std::vector<Point> points;
    for (int i = 1; i <= 16; ++i) points.push_back({static_cast<double>(i), 3 + 0.5 * i + noise(random, 3 + 0.5 * i)});
    if (accident) points[static_cast<std::size_t>(random.whole(0, 15))].y *= 5;
    const auto line = fit_line(points, confidence);
    found.slope += line->slope.lower <= 0.5 && 0.5 <= line->slope.upper;
    found.left_out += line->outlier.has_value();
    found.curved += line->curved;
  }
  found.slope /= seeds, found.left_out /= seeds, found.curved /= seeds;
  return found;
}

/// Never too narrow: not below what it says by more than chance explains, four times sqrt(c (1 - c) / 2000). Not idly wide either, though
/// the larger of two standard errors makes it somewhat wider: the truth is outside at least half as often as it says.
void expect_honest(double share, double confidence) {
  EXPECT_GT(share, confidence - 4 * std::sqrt(confidence * (1 - confidence) / 2000)) << confidence;
  EXPECT_LT(share, 1 - (1 - confidence) / 2) << confidence;
}

TEST(LineFit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const auto even = [](Random& random, double) { return 0.2 * random.normal(); };
  const auto growing = [](Random& random, double time) { return 0.05 * time * random.normal(); };
  for (const double confidence : {0.8, 0.95}) {
    const Coverage of_even = coverage(even, false, confidence), of_growing = coverage(growing, false, confidence);
    expect_honest(of_even.slope, confidence);
    expect_honest(of_growing.slope, confidence);
    EXPECT_LT(of_even.left_out, 0.02);  // 1 % by design
    EXPECT_LT(of_even.curved, 0.02);
    EXPECT_LT(of_growing.left_out, 0.05);
  }
}

TEST(LineFit, AnAccidentDoesNotSpoilTheInterval) {
  const auto even = [](Random& random, double) { return 0.2 * random.normal(); };
  const Coverage found = coverage(even, true, 0.95);
  EXPECT_GT(found.left_out, 0.99);
  expect_honest(found.slope, 0.95);
}

}  // namespace
}  // namespace fathom::fit
