// SPDX-License-Identifier: Apache-2.0
#include "population/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "population/distribution.h"

namespace fathom {
namespace {

std::uint64_t counted(const std::vector<HistogramBin>& bins) {
  std::uint64_t sum = 0;
  for (const HistogramBin& bin : bins) sum += bin.count;
  return sum;
}

TEST(Histogram, FractionsHaveTheirWholeRangeAndOneIsInTheLastBin) {
  // Four bins of a quarter: 0 and 0.1; 0.25 begins the second; 0.5 the third; 0.75 and 1 in the last.
  const std::vector<double> values = {0, 0.1, 0.25, 0.5, 0.75, 1};
  const auto bins = histogram(values, Scale::linear, 4);
  ASSERT_EQ(bins.size(), 4u);
  EXPECT_EQ(bins.front().from, 0);
  EXPECT_EQ(bins.back().to, 1);
  EXPECT_EQ(bins[0].count, 2u);
  EXPECT_EQ(bins[1].count, 1u);
  EXPECT_EQ(bins[2].count, 1u);
  EXPECT_EQ(bins[3].count, 2u);
}

TEST(Histogram, LogBinsBeginAtPowersOfTenAndLeaveZeroOut) {
  // 1 to 1000 are three decades and a bit: 20 bins each would be 61, so 10 each: 31 bins with edges 10^(k/10).
  const std::vector<double> values = {0, 0, 1, 10, 10, 1000};
  const auto bins = histogram(values, Scale::log);
  EXPECT_EQ(counted(bins), 4u);
  EXPECT_EQ(bins.size(), 31u);
  EXPECT_EQ(bins[0].from, 1);
  EXPECT_EQ(bins[0].count, 1u);
  EXPECT_EQ(bins[10].from, 10);
  EXPECT_EQ(bins[10].count, 2u);
  EXPECT_EQ(bins[30].from, 1000);
  EXPECT_EQ(bins[30].count, 1u);
}

TEST(Histogram, NothingOneValueAndOnlyZeros) {
  EXPECT_TRUE(histogram({}, Scale::log).empty());
  EXPECT_TRUE(histogram(std::vector<double>{0, 0}, Scale::log).empty());
  EXPECT_EQ(counted(histogram(std::vector<double>{5, 5, 5}, Scale::log)), 3u);
  EXPECT_EQ(counted(histogram(std::vector<double>{7, 7}, Scale::linear)), 2u);
}

TEST(Histogram, EveryValueIsInTheBinThatHoldsIt) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Scale scale = random.chance(0.5) ? Scale::log : Scale::linear;
    std::vector<double> values;
    for (int i = 0; i < 200; ++i) {
      const double wide = std::pow(10.0, static_cast<double>(random.whole(-3, 12)));  // on the edges, too
      values.push_back(scale == Scale::linear ? random.uniform() : random.chance(0.3) ? wide : random.lognormal(1e5, 4));
    }
    std::sort(values.begin(), values.end());
    const auto bins = histogram(values, scale);
    ASSERT_LE(bins.size(), 60u) << "seed " << seed;
    ASSERT_EQ(counted(bins), values.size()) << "seed " << seed;
    for (const HistogramBin& bin : bins) {
      const bool last = bin.to == bins.back().to;
      const auto inside =
          std::count_if(values.begin(), values.end(), [&](double v) { return v >= bin.from && (last ? v <= bin.to : v < bin.to); });
      ASSERT_EQ(static_cast<std::uint64_t>(inside), bin.count) << "seed " << seed << ", bin from " << bin.from;
    }
  }
}

TEST(Cumulative, FewValuesAreAllThere) {
  // 0 has no place on a log axis, but it is one of four jobs.
  const std::vector<double> values = {0, 1, 1, 8};
  const std::vector<std::pair<double, double>> expected = {{1, 0.75}, {8, 1}};
  EXPECT_EQ(cumulative_curve(values, Scale::log), expected);
  EXPECT_TRUE(cumulative_curve({}, Scale::log).empty());
}

TEST(Cumulative, ThinnedCurvesStayOnTheExactOne) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::vector<double> values;
    const double zero = random.uniform() * 0.95;
    for (int i = 0; i < 3000; ++i) values.push_back(random.chance(zero) ? 0 : random.lognormal(1e6, 4));
    std::sort(values.begin(), values.end());
    const double p80 = inverse_ecdf(values, 80);
    const auto curve = cumulative_curve(values, Scale::log, 200);
    ASSERT_LE(curve.size(), 200u);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const auto up_to = std::count_if(values.begin(), values.end(), [&](double v) { return v <= curve[i].first; });
      ASSERT_EQ(curve[i].second, static_cast<double>(up_to) / 3000) << "seed " << seed;
      if (i > 0) {
        ASSERT_LT(curve[i - 1].first, curve[i].first) << "seed " << seed;
      }
    }
    ASSERT_EQ(curve.back().second, 1);
    const bool has_p80 = std::any_of(curve.begin(), curve.end(), [&](const auto& point) { return point.first == p80; });
    ASSERT_EQ(has_p80, p80 > 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace fathom
