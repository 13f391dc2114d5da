// SPDX-License-Identifier: Apache-2.0
#include "collect/schedule.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

using namespace std::chrono_literals;

Time at(std::int64_t milliseconds) { return time_from_micros(milliseconds * 1000); }

// Multiples of 10 s since the Unix epoch: after 1,000,003.2 s comes 1,000,010; a moment that is one itself is followed by the next.
TEST(PollSchedule, MultiplesOfTheInterval) {
  const PollSchedule schedule(10s);
  EXPECT_EQ(schedule.after(at(1'000'003'200)), at(1'000'010'000));
  EXPECT_EQ(schedule.after(at(1'000'010'000)), at(1'000'020'000));
  EXPECT_EQ(schedule.after(at(1'000'009'999)), at(1'000'010'000));
  EXPECT_EQ(PollSchedule(200ms).after(at(1'000'003'450)), at(1'000'003'600));
}

// Two machines whose polls take different times meet again at every deadline: nothing adds up.
TEST(PollSchedule, DelaysDoNotAddUp) {
  const PollSchedule schedule(10s);
  Time quick = at(0), slow = at(0);
  for (int i = 0; i < 1000; ++i) {
    quick = schedule.after(quick + 1ms);
    slow = schedule.after(slow + 7s);
  }
  EXPECT_EQ(quick, at(10'000'000));
  EXPECT_EQ(slow, quick);
}

// 10, 10, 20, 40, 80, 160 s: twice as long each time, sixteen intervals at most; of a long interval five minutes, but never less
// than the interval itself.
TEST(PollSchedule, PausesGrow) {
  const PollSchedule schedule(10s);
  const Duration wanted[] = {10s, 10s, 20s, 40s, 80s, 160s, 160s};
  for (std::uint64_t failures = 0; failures < 7; ++failures) EXPECT_EQ(schedule.pause(failures), wanted[failures]) << failures;
  EXPECT_EQ(schedule.pause(UINT64_MAX), 160s);
  EXPECT_EQ(PollSchedule(60s).pause(100), 300s);
  EXPECT_EQ(PollSchedule(1h).pause(100), 1h);
}

// Deadlines 0 and 10 s follow each other; between 0 and 40 s lie 10, 20 and 30.
TEST(PollSchedule, MissedPollsAreCounted) {
  const PollSchedule schedule(10s);
  EXPECT_EQ(schedule.between(at(0), at(10'000)), 0u);
  EXPECT_EQ(schedule.between(at(0), at(40'000)), 3u);
  EXPECT_EQ(schedule.between(at(40'000), at(10'000)), 0u);  // the clock was set back
}

TEST(WallClock, WaitsAndStops) {
  WallClock clock;
  const Time deadline = clock.now() + 30ms;
  EXPECT_TRUE(clock.wait_until(deadline));
  EXPECT_GE(clock.now(), deadline);
  clock.stop();
  EXPECT_FALSE(clock.wait_until(clock.now() + 1h));
}

}  // namespace
}  // namespace fathom
