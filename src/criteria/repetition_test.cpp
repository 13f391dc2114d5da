// SPDX-License-Identifier: Apache-2.0
#include "criteria/repetition.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace fathom {
namespace {

using Series = std::vector<Dominating>;

// w . . w . . w: writes coincide with themselves 3 times at lag 0, twice at lag 3, once at lag 6.
TEST(Repetition, CountsCoincidences) {
  const Series series = {Dominating::write, Dominating::none, Dominating::none, Dominating::write,
                         Dominating::none,  Dominating::none, Dominating::write};
  EXPECT_EQ(coincidences(series, Dominating::write), (std::vector<std::uint64_t>{3, 0, 0, 2, 0, 0, 1}));
  EXPECT_EQ(coincidences(series, Dominating::read), std::vector<std::uint64_t>(7, 0));
}

TEST(Repetition, FindsThePeriodOfCheckpoints) {
  Series series(200, Dominating::none);
  for (std::size_t i = 5; i < series.size(); i += 15) series[i] = series[i + 1 < series.size() ? i + 1 : i] = Dominating::write;
  const auto found = repetitions(series);
  ASSERT_TRUE(found[1].period);
  EXPECT_EQ(*found[1].period, 15);
  EXPECT_FALSE(found[0].period);  // it never reads
}

TEST(Repetition, AConstantSeriesDoesNotRepeat) {
  for (const auto& each : repetitions(Series(500, Dominating::write))) EXPECT_FALSE(each.period) << each.evidence;
}

TEST(Repetition, TooFewSlotsCannotTell) {
  EXPECT_EQ(repetitions(Series{Dominating::write, Dominating::none, Dominating::write})[1].evidence, "too short to tell");
}

// Bursts of random length at random distances: the test is at the 1 % level, so of 300 series about 3 may be called periodic; 12 would be
// beyond what chance allows (Poisson with mean 3: P(> 11) < 1e-4).
TEST(Repetition, RandomBurstsHaveNoRhythm) {
  int called_periodic = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    Series series;
    while (series.size() < 300) {
      for (std::int64_t pause = random.whole(1, 30); pause > 0; --pause) series.push_back(Dominating::none);
      for (std::int64_t burst = random.whole(1, 4); burst > 0; --burst) series.push_back(Dominating::write);
    }
    called_periodic += repetitions(series)[1].period.has_value();
  }
  EXPECT_LE(called_periodic, 11);
}

// Checkpoints every 20 slots, each early or late by up to one: still a rhythm, of 20 within one slot.
TEST(Repetition, JitterDoesNotHideAPeriod) {
  int found_it = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    Series series(400, Dominating::none);
    for (std::size_t i = 10; i + 4 < series.size(); i += 20)
      for (std::int64_t k = 0; k < 3; ++k) series[i + static_cast<std::size_t>(k + random.whole(0, 1))] = Dominating::write;
    const auto period = repetitions(series)[1].period;
    found_it += period && *period >= 19 && *period <= 21;
  }
  EXPECT_GE(found_it, 45);
}

}  // namespace
}  // namespace fathom
