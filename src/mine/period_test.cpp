// SPDX-License-Identifier: Apache-2.0
#include "mine/period.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "mine/fourier.h"

namespace fathom {
namespace {

constexpr double hours_4 = 14400;

std::vector<double> poisson(Random& random, double count, double length) {
  std::vector<double> times;
  for (double t = random.exponential(length / count); t < length; t += random.exponential(length / count)) times.push_back(t);
  return times;
}

struct Pattern {
  double period = 300, missing = 0, foreign = 0, jitter = 0.02, drift = 0;
};

std::vector<double> made(Random& random, const Pattern& p, double length) {
  std::vector<double> times;
  for (double t = random.uniform(0, p.period); t < length;
       t += p.period * (1 + p.drift * (t / length - 0.5)) * (1 + p.jitter * random.normal()))
    if (!random.chance(p.missing)) times.push_back(t);
  const auto others = static_cast<std::size_t>(p.foreign * static_cast<double>(times.size()) + 0.5);
  for (std::size_t i = 0; i < others; ++i) times.push_back(random.uniform(0, length));
  std::sort(times.begin(), times.end());
  return times;
}

/// The sanitizers make this twenty times slower; the release build measures over all seeds.
std::uint64_t seeds(std::uint64_t all) {
#ifdef __SANITIZE_ADDRESS__
  return all / 50;
#else
  return all;
#endif
}

TEST(Period, ByHand) {
  // Bursts at 100, 160, 220, (280 missing), 340, 400, 460, 520: the line through (0, 100), (1, 160), (2, 220), (4, 340) ... has the slope
  // 60 and begins at 100; 8 are expected from the first to the last, 7 are seen. They span 420 of 600 s.
  const std::vector<double> times = {100, 160, 220, 340, 400, 460, 520};
  const PeriodClaim claim = find_period(times, 0, 600, 1);
  EXPECT_TRUE(claim.periodic) << claim.evidence;
  EXPECT_NEAR(claim.period, 60, 1e-9);
  EXPECT_NEAR(claim.phase, 100, 1e-6);
  EXPECT_NEAR(claim.seen, 7.0 / 8, 1e-12);
  EXPECT_NEAR(claim.span, 0.7, 1e-12);
  EXPECT_NEAR(claim.standard_error, 0, 1e-9);
}

TEST(Period, TooLittleIsNoClaim) {
  for (const std::vector<double>& times : {std::vector<double>{}, std::vector<double>{5}, std::vector<double>{5, 15, 25}}) {
    const PeriodClaim claim = find_period(times, 0, 100, 1);
    EXPECT_FALSE(claim.periodic);
    EXPECT_EQ(claim.period, 0);
  }
  // A period of 15 s on a grid of 10 s is below two slots.
  std::vector<double> fast;
  for (double t = 0; t < 3000; t += 15) fast.push_back(t);
  const PeriodClaim claim = find_period(fast, 0, 3000, 10);
  EXPECT_TRUE(!claim.periodic || claim.period >= 20) << claim.evidence;
}

TEST(Period, SameAnswerEveryTime) {
  Random random(4);
  const std::vector<double> times = made(random, {.missing = 0.3, .foreign = 1}, hours_4);
  EXPECT_EQ(find_period(times, 0, hours_4, 10).evidence, find_period(times, 0, hours_4, 10).evidence);
}

TEST(Period, ManyMissingAndAsManyForeign) {
  const std::uint64_t all = seeds(100);
  std::uint64_t right = 0, claimed = 0;
  for (std::uint64_t seed = 0; seed < all; ++seed) {
    Random random = Random::stream(11, seed);
    const PeriodClaim claim = find_period(made(random, {.missing = 0.3, .foreign = 1}, hours_4), 0, hours_4, 10);
    claimed += claim.periodic;
    right += claim.periodic && std::abs(claim.period / 300 - 1) < 0.02;
  }
  std::printf("30 %% missing, as many foreign: %lu of %lu claimed, %lu within 2 %%\n", claimed, all, right);
  EXPECT_GE(right * 100, all * 95);
}

TEST(Period, DriftGivesTheMean) {
  // The period goes from 95 % to 105 % of 600 s: the mean is 600 s.
  const std::uint64_t all = seeds(100);
  std::uint64_t right = 0;
  for (std::uint64_t seed = 0; seed < all; ++seed) {
    Random random = Random::stream(12, seed);
    const PeriodClaim claim =
        find_period(made(random, {.period = 600, .missing = 0.1, .foreign = 0.3, .jitter = 0.01, .drift = 0.1}, hours_4), 0, hours_4, 10);
    right += claim.periodic && std::abs(claim.period / 600 - 1) < 0.03;
  }
  EXPECT_GE(right * 100, all * 90) << right;
}

/// Claims at the 1 % level on bursts that are not periodic.
template <class Make>
void count_false_claims(const char* name, Make make, double length) {
  const std::uint64_t all = seeds(1000);
  std::uint64_t claims = 0, at_five = 0;
  for (std::uint64_t seed = 0; seed < all; ++seed) {
    Random random = Random::stream(13, seed);
    const PeriodClaim claim = find_period(make(random), 0, length, 10, {.seed = seed});
    claims += claim.periodic;
    at_five += claim.p_value <= 0.05;
  }
  std::printf("false claims, %s: %.2f %% at 1 %%, %.2f %% at 5 %% (%lu seeds)\n", name,
              100.0 * static_cast<double>(claims) / static_cast<double>(all),
              100.0 * static_cast<double>(at_five) / static_cast<double>(all), all);
  // 1 % of 1,000 is 10 with a standard deviation of 3.1: 20 would be three beyond.
  EXPECT_LE(claims * 1000, all * 20 + 1000);
}

TEST(Period, RarelyClaimsWhatIsNot) {
  count_false_claims(
      "Poisson, 20 bursts", [](Random& random) { return poisson(random, 20, hours_4); }, hours_4);
}

TEST(Period, RarelyClaimsGroups) {
  count_false_claims(
      "groups of bursts",
      [](Random& random) {
        std::vector<double> times;
        for (const double begin : poisson(random, 8, hours_4))
          for (std::int64_t k = random.whole(1, 5); k > 0; --k)
            if (const double t = begin + random.exponential(120); t < hours_4) times.push_back(t);
        std::sort(times.begin(), times.end());
        return times;
      },
      hours_4);
}

TEST(Period, FourierByHand) {
  // A box of 2 slots every 20: both peaks at 20.
  std::vector<double> signal(400, 0);
  for (std::size_t i = 0; i < 400; i += 20) signal[i] = signal[i + 1] = 1;
  ASSERT_TRUE(correlation_peak(signal) && spectral_peak(signal));
  EXPECT_NEAR(correlation_peak(signal)->lag, 20, 0.01);
  EXPECT_NEAR(spectral_peak(signal)->lag, 20, 0.05);
  EXPECT_FALSE(correlation_peak(std::vector<double>(100, 5)));
  EXPECT_FALSE(spectral_peak(std::vector<double>(100, 5)));
}

TEST(InSeconds, NeverHasAnExponent) {
  EXPECT_EQ(in_seconds(241.26), "241.3 s");
  EXPECT_EQ(in_seconds(86'400), "86400 s");
  EXPECT_EQ(in_seconds(12'345.6), "12346 s");
  EXPECT_EQ(in_seconds(9'999.6), "10000 s");
  EXPECT_EQ(in_seconds(0), "0 s");
  EXPECT_EQ(in_seconds(0.3112, 2), "0.31 s");
  EXPECT_EQ(in_seconds(123.4, 2), "123 s");
  EXPECT_EQ(in_seconds(99.6, 2), "100 s");
}

}  // namespace
}  // namespace fathom
