// SPDX-License-Identifier: Apache-2.0
#include "fit/student.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fathom::fit {
namespace {

TEST(Student, OneAndTwoDegreesOfFreedomHaveClosedForms) {
  // One: F(t) = 1/2 + atan(t) / pi. Two: F(t) = 1/2 + t / (2 sqrt(2 + t^2)).
  for (const double t : {-30.0, -2.0, -0.1, 0.0, 0.5, 1.0, 12.7, 400.0}) {
    EXPECT_NEAR(student_cdf(t, 1), 0.5 + std::atan(t) / std::numbers::pi, 1e-13) << t;
    EXPECT_NEAR(student_cdf(t, 2), 0.5 + t / (2 * std::sqrt(2 + t * t)), 1e-13) << t;
  }
  EXPECT_NEAR(student_quantile(0.975, 1), std::tan(0.475 * std::numbers::pi), 1e-9);  // 12.7062
  // From F = p: t = (2p - 1) sqrt(2 / (1 - (2p - 1)^2)).
  EXPECT_NEAR(student_quantile(0.975, 2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-9);  // 4.3027
}

TEST(Student, AgreesWithTheIntegralOfTheDensity) {
  // Density: G((f + 1) / 2) / (sqrt(f pi) G(f / 2)) (1 + t^2 / f)^(-(f + 1) / 2), summed by Simpson's rule from 0.
  for (const double f : {3.0, 7.0, 18.0, 250.0})
    for (const double t : {0.3, 1.7, 3.9}) {
      const double front = std::exp(std::lgamma((f + 1) / 2) - std::lgamma(f / 2)) / std::sqrt(f * std::numbers::pi);
      const auto density = [&](double x) { return front * std::pow(1 + x * x / f, -(f + 1) / 2); };
      constexpr int steps = 2000;
      double sum = density(0) + density(t);
      for (int i = 1; i < steps; ++i) sum += (i % 2 == 0 ? 2 : 4) * density(t * i / steps);
      EXPECT_NEAR(student_cdf(t, f), 0.5 + sum * t / steps / 3, 1e-10) << f << " " << t;
    }
}

TEST(Student, QuantilesUndoTheDistribution) {
  for (const double f : {1.0, 4.0, 33.0, 1e6})
    for (const double p : {1e-6, 0.025, 0.5, 0.9, 0.9995}) EXPECT_NEAR(student_cdf(student_quantile(p, f), f), p, 1e-9) << f << " " << p;
}

}  // namespace
}  // namespace fathom::fit
