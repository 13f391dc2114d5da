// SPDX-License-Identifier: Apache-2.0
#include "population/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace fathom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Distribution of(std::vector<double> values) { return describe(sort_values(std::move(values))); }

TEST(Distribution, NothingHasNoNumbers) {
  const Distribution d = of({});
  EXPECT_EQ(d.n, 0u);
  EXPECT_EQ(d.undefined, 0u);
  for (const double v : {d.min, d.median, d.p80, d.mean, d.sd, d.max, d.top20_share}) EXPECT_TRUE(std::isnan(v));
  const Distribution all_undefined = of({nan, nan});
  EXPECT_EQ(all_undefined.n, 0u);
  EXPECT_EQ(all_undefined.undefined, 2u);
  EXPECT_TRUE(std::isnan(all_undefined.p80));
}

TEST(Distribution, OneJobIsEverything) {
  // ceil(0.2 * 1) = 1: the largest fifth is the job itself.
  const Distribution d = of({7});
  EXPECT_EQ(d.n, 1u);
  for (const double v : {d.min, d.median, d.p80, d.mean, d.max, d.sum}) EXPECT_EQ(v, 7);
  EXPECT_EQ(d.sd, 0);
  EXPECT_EQ(d.top20_share, 1);
}

TEST(Distribution, FiveJobsWithTiesAndZeros) {
  // Sorted 0 0 2 2 6: median 2; 80 % of 5 are 4, the fourth is 2; mean 10 / 5 = 2;
  // variance (4 + 4 + 0 + 0 + 16) / 5 = 4.8; the largest ceil(1) = 1 has 6 of 10.
  const Distribution d = of({2, 0, 6, nan, 2, 0});
  EXPECT_EQ(d.n, 5u);
  EXPECT_EQ(d.zeros, 2u);
  EXPECT_EQ(d.undefined, 1u);
  EXPECT_EQ(d.min, 0);
  EXPECT_EQ(d.median, 2);
  EXPECT_EQ(d.p80, 2);
  EXPECT_EQ(d.mean, 2);
  EXPECT_DOUBLE_EQ(d.sd, std::sqrt(4.8));
  EXPECT_EQ(d.max, 6);
  EXPECT_DOUBLE_EQ(d.top20_share, 0.6);
}

TEST(Distribution, TheLargestFifthIsRoundedUp) {
  // n = 6: ceil(1.2) = 2 jobs: (5 + 6) / 21. n = 11: ceil(2.2) = 3 jobs: (9 + 10 + 11) / 66. n = 10: exactly 2: (9 + 10) / 55.
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 4, 5, 6}).top20_share, 11.0 / 21);
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).top20_share, 30.0 / 66);
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).top20_share, 19.0 / 55);
}

TEST(Distribution, AllEqualAndAllZero) {
  // 10 jobs with 3: the 2 largest have 6 of 30.
  const Distribution equal = of(std::vector<double>(10, 3.0));
  EXPECT_EQ(equal.p80, 3);
  EXPECT_EQ(equal.sd, 0);
  EXPECT_DOUBLE_EQ(equal.top20_share, 0.2);
  // No sum, no share of it.
  const Distribution zero = of({0, 0, 0});
  EXPECT_EQ(zero.zeros, 3u);
  EXPECT_EQ(zero.p80, 0);
  EXPECT_TRUE(std::isnan(zero.top20_share));
}

TEST(Distribution, MedianOfAnEvenNumberIsBetween) { EXPECT_EQ(of({1, 2, 10, 20}).median, 6); }

TEST(InverseEcdf, IsTheSmallestValueThatEnoughValuesDoNotExceed) {
  // n = 4: shares 1/4, 2/4, 3/4, 4/4: 80 % is reached at the fourth. n = 10: at the eighth, exactly.
  const std::vector<double> four = {1, 2, 3, 4}, ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(inverse_ecdf(four, 80), 4);
  EXPECT_EQ(inverse_ecdf(four, 75), 3);
  EXPECT_EQ(inverse_ecdf(four, 76), 4);
  EXPECT_EQ(inverse_ecdf(ten, 80), 8);
  EXPECT_EQ(inverse_ecdf(ten, 0), 1);
  EXPECT_EQ(inverse_ecdf(ten, 100), 10);
  EXPECT_TRUE(std::isnan(inverse_ecdf({}, 80)));
}

/// By counting, value by value.
double slow_inverse_ecdf(const std::vector<double>& values, unsigned percent) {
  double best = nan;
  for (const double candidate : values) {
    std::size_t below = 0;
    for (const double v : values) below += v <= candidate;
    if (below * 100 >= values.size() * percent && !(candidate >= best)) best = candidate;
  }
  return best;
}

TEST(Distribution, AgreesWithCountingOnRandomLists) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<double> values;
    const auto n = static_cast<std::size_t>(random.whole(1, 60));
    const bool ties = random.chance(0.5);
    for (std::size_t i = 0; i < n; ++i) values.push_back(ties ? static_cast<double>(random.whole(0, 5)) : random.lognormal(1e6, 3));
    const Distribution d = of(values);
    const SortedValues sorted = sort_values(values);
    for (const unsigned percent : {1u, 20u, 50u, 80u, 99u, 100u})
      ASSERT_EQ(inverse_ecdf(sorted.values, percent), slow_inverse_ecdf(values, percent)) << "seed " << seed;
    // The largest fifth, by taking the largest away one by one.
    std::vector<double> left = values;
    double top = 0, all = 0;
    for (const double v : values) all += v;
    for (std::size_t k = 0; 5 * k < n; ++k) {
      const auto largest = std::max_element(left.begin(), left.end());
      top += *largest;
      left.erase(largest);
    }
    if (all > 0) {
      ASSERT_NEAR(d.top20_share, top / all, 1e-12) << "seed " << seed;
    }
    double squares = 0;
    for (const double v : values) squares += (v - all / static_cast<double>(n)) * (v - all / static_cast<double>(n));
    ASSERT_NEAR(d.sd, std::sqrt(squares / static_cast<double>(n)), 1e-9 * (1 + d.sd)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fathom
