// SPDX-License-Identifier: Apache-2.0
#include "mine/sightings.h"

#include <gtest/gtest.h>

#include "mine/made_log_test.h"

namespace fathom::mine {
namespace {

/// Any burst of 50 to 200 GiB; typical with 80 to 120 GiB on 60 to 70 servers.
constexpr BurstRegion around_100_gib{0, INFINITY, 50 * gib, 200 * gib, 80 * gib, 120 * gib, 60, 70, INFINITY, 0};

Sighting look(MadeLog& made, double from, double to, double period, double usual_length = 30) {
  const TimedLog log(made.log());
  const PatternSettings settings;
  return Lookout(log, settings).look(from, to, period, 0.06, usual_length, around_100_gib);
}

// At 100, 400, 700, 1300, 1600 s: five bursts, and from the first to the last five periods of 300 s.
TEST(Sightings, MissingBurstsLeaveNumbersOut) {
  MadeLog made(1);
  made.train(100, 300, 3);
  made.train(1300, 300, 2);
  const Sighting seen = look(made, 0, 1900, 300);
  EXPECT_TRUE(seen.shown);
  EXPECT_EQ(seen.bursts, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(seen.intervals, 5);
  EXPECT_EQ(seen.alike, 5u);
  EXPECT_EQ(seen.typical, 5u);
}

// Bursts of other sizes stand between them and are not asked; one of the right size at the wrong time (500 s is 100 s after the second) is
// left aside.
TEST(Sightings, LeavesForeignBurstsAside) {
  MadeLog made(1);
  made.train(100, 300, 5);
  made.train(220, 300, 5, {5 * gib, 64, 30});
  made.burst(530);
  const Sighting seen = look(made, 0, 1600, 300);
  EXPECT_TRUE(seen.shown);
  EXPECT_EQ(seen.bursts.size(), 5u);
  EXPECT_EQ(seen.intervals, 4);
  EXPECT_EQ(seen.alike, 6u);
  EXPECT_EQ(seen.typical, 5u);
}

// 270 s of computing after each burst. The second burst takes 130 s instead of 30: the third begins 400 s after it. Without knowing that it
// is delayed by 100 s, a step of 400 s is neither one period of 300 s nor two.
TEST(Sightings, LongBurstsDelayTheNext) {
  MadeLog made(1);
  made.burst(100);
  made.burst(400, {100 * gib, 64, 130});
  made.train(800, 300, 3);
  const Sighting seen = look(made, 0, 1700, 300);
  EXPECT_TRUE(seen.shown);
  EXPECT_EQ(seen.bursts.size(), 5u);
  EXPECT_EQ(seen.intervals, 4);
  EXPECT_EQ(look(made, 0, 1700, 300, 130).bursts.size(), 3u);  // as if 130 s were usual: the others are not
}

// Three bursts in the first 700 of 3600 s reach over (600 + 300) / 3600 of the run: a quarter, less than half.
TEST(Sightings, MustSpanTheRun) {
  MadeLog made(1);
  made.train(100, 300, 3);
  EXPECT_FALSE(look(made, 0, 3600, 300).shown);
  EXPECT_TRUE(look(made, 0, 1800, 300).shown);
}

// Only what was measured counts: the same run, with no reading after 1000 s.
TEST(Sightings, TimeThatNobodyMeasuredIsNotSpanned) {
  MadeLog made(1);
  made.train(100, 300, 3);
  made.not_measured(1000, 3600);
  EXPECT_TRUE(look(made, 0, 3600, 300).shown);
}

// Four of eight expected bursts are half; four of nine are not. The links of two periods are allowed, three in a row may be missing.
TEST(Sightings, HalfOfTheBurstsMustBeThere) {
  MadeLog made(1);
  for (const double number : {0, 2, 4, 7}) made.burst(100 + 300 * number);
  EXPECT_TRUE(look(made, 0, 2500, 300).shown);
  MadeLog sparse(1);
  for (const double number : {0, 3, 5, 8}) sparse.burst(100 + 300 * number);
  EXPECT_FALSE(look(sparse, 0, 2800, 300).shown);
}

TEST(Sightings, AtypicalBurstsAloneDoNotShowIt) {
  MadeLog made(1);
  made.train(100, 300, 6, {150 * gib, 64, 30});
  const Sighting seen = look(made, 0, 1900, 300);
  EXPECT_EQ(seen.bursts.size(), 6u);
  EXPECT_EQ(seen.typical, 0u);
  EXPECT_FALSE(seen.shown);
}

TEST(Sightings, TooFewBurstsAndNone) {
  MadeLog made(1);
  EXPECT_FALSE(look(made, 0, 1900, 300).shown);
  made.train(100, 300, 2);
  EXPECT_FALSE(look(made, 0, 900, 300).shown);
  const TimedLog log(made.log());
  const PatternSettings settings;
  const Lookout lookout(log, settings);
  EXPECT_TRUE(lookout.can_show(960, 300));  // 3.2 periods
  EXPECT_FALSE(lookout.can_show(950, 300));
}

}  // namespace
}  // namespace fathom::mine
