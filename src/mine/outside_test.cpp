// SPDX-License-Identifier: Apache-2.0
#include "mine/outside.h"

#include <gtest/gtest.h>

#include "mine/made_log_test.h"

namespace fathom::mine {
namespace {

TEST(RunTimes, JoinsWhatOverlapsAndLeavesOutWhatIsNoTime) {
  const std::vector<mine::Run> runs = {
      {"1", at(100), at(200)}, {"2", at(150), at(400)}, {"3", at(160), at(170)}, {"4", at(600), at(500)}, {"5", at(700), at(800)}};
  const RunTimes busy(runs);
  EXPECT_FALSE(busy.any(0, 100));
  EXPECT_TRUE(busy.any(0, 101));
  EXPECT_TRUE(busy.any(390, 650));
  EXPECT_TRUE(busy.any(399, 1000));
  EXPECT_FALSE(busy.any(400, 700));  // the run that ends before it starts
  EXPECT_TRUE(busy.any(750, 760));
  EXPECT_FALSE(busy.any(800, 900));
  const RunTimes known_for_long(runs, at(300));  // of later times nothing is said, and what had not begun is unknown
  EXPECT_FALSE(known_for_long.any(0, 100));
  EXPECT_TRUE(known_for_long.any(250, 290));
  EXPECT_TRUE(known_for_long.any(450, 460));
}

/// Four runs of an hour, one a day at noon.
Application noon() {
  Application application;
  for (int d = 1; d <= 4; ++d) add_run(application, d * day + 12 * hour, d * day + 13 * hour);
  return application;
}

/// The pattern as the search would have found it in those runs: every 300 s, 100 GiB on 64 servers.
Pattern found_in(const Application& application, const TimedLog& log, Lookout& lookout) {
  Pattern pattern;
  pattern.period = 300;
  pattern.spread = 0.08;
  pattern.usual_length = 30;
  pattern.region = {0, INFINITY, 50 * gib, 200 * gib, 80 * gib, 120 * gib, 60, 70, INFINITY, 0};
  for (std::uint32_t i = 0; i < application.runs.size(); ++i) {
    const Run& run = application.runs[i];
    Sighting sighting = lookout.look(seconds(run.start.time_since_epoch()), seconds(run.end.time_since_epoch()), pattern.period,
                                     pattern.spread, pattern.usual_length, pattern.region);
    sighting.run = i;
    ++pattern.judged;
    pattern.shown += sighting.shown;
    pattern.sightings.push_back(std::move(sighting));
  }
  (void)log;
  return pattern;
}

struct Asked {
  Application application = noon();
  PatternSettings settings;
  Pattern pattern;

  explicit Asked(MadeLog& made) {
    const TimedLog log(made.log());
    Lookout lookout(log, settings);
    const RunTimes busy(application.runs);
    pattern = found_in(application, log, lookout);
    check_scope(application, busy, log, settings, pattern);
    compare_elsewhere(application, busy, log, settings, lookout, pattern);
  }
};

// Eight windows of 1500 s, one before and one after each run; nothing is in them. 24 stretches elsewhere show nothing: (0 + 0.5) / 25 = 2
// %; four of four runs by chance: 0.02^4, log10 -6.8.
TEST(Outside, QuietAroundTheRuns) {
  MadeLog made(6);
  for (int d = 1; d <= 4; ++d) made.train(d * day + 12 * hour + 60, 300, 12);
  const Asked asked(made);
  EXPECT_EQ(asked.pattern.shown, 4u);
  EXPECT_EQ(asked.pattern.scope_windows, 8u);
  EXPECT_EQ(asked.pattern.scope_hits, 0u);
  EXPECT_NEAR(asked.pattern.elsewhere, 0.02, 1e-9);
  EXPECT_NEAR(asked.pattern.log10_chance, 4 * std::log10(0.02), 1e-6);
}

// Runs of 6 hours with breaks of 40 minutes for six days: no break has room for a stretch as long as a run. Of each break one stretch of
// 1500 s is asked, and there are 20 of them; nothing is in them: 0.5 / 21.
TEST(Outside, BreaksOfAnApplicationThatHardlyEverStops) {
  MadeLog made(7);
  Application application;
  for (int k = 0; k < 21; ++k) {
    const double start = day / 2 + k * (6 * hour + 2400);
    add_run(application, start, start + 6 * hour);
    made.train(start + 60, 300, 70);
  }
  const TimedLog log(made.log());
  const PatternSettings settings;
  Lookout lookout(log, settings);
  const RunTimes busy(application.runs);
  EXPECT_EQ(busy.breaks().size(), 20u);
  Pattern pattern = found_in(application, log, lookout);
  pattern.sightings.erase(pattern.sightings.begin(), pattern.sightings.begin() + 3);  // those at the ends see half a day of nothing
  pattern.sightings.resize(15);
  compare_elsewhere(application, busy, log, settings, lookout, pattern);
  EXPECT_EQ(pattern.elsewhere_windows, 20u);
  EXPECT_NEAR(pattern.elsewhere, 0.5 / 21, 1e-9);
}

// From 10:00 to 15:00 somebody else writes: before and after each run the pattern goes on.
TEST(Outside, GoesOnBeforeAndAfter) {
  MadeLog made(6);
  for (int d = 1; d <= 4; ++d) made.train(d * day + 10 * hour, 300, 60);
  const Asked asked(made);
  EXPECT_EQ(asked.pattern.scope_windows, 8u);
  EXPECT_EQ(asked.pattern.scope_hits, 8u);
}

// The first run's window before it was not measured, and the second run is followed at once by the third: 8 - 1 - 2 windows are left.
TEST(Outside, WindowsThatCannotTellDoNotCount) {
  MadeLog made(6);
  for (int d = 1; d <= 4; ++d) made.train(d * day + 12 * hour + 60, 300, 12);
  made.train(2 * day + 13 * hour + 60, 300, 12);
  made.not_measured(day + 11 * hour, day + 12 * hour);
  const TimedLog log(made.log());
  Application application = noon();
  application.runs[2] = {"3", at(2 * day + 13 * hour + 10), at(2 * day + 14 * hour + 10)};
  const PatternSettings settings;
  Lookout lookout(log, settings);
  const RunTimes busy(application.runs);
  Pattern pattern = found_in(application, log, lookout);
  ASSERT_EQ(pattern.shown, 4u);
  check_scope(application, busy, log, settings, pattern);
  EXPECT_EQ(pattern.scope_windows, 5u);
  EXPECT_EQ(pattern.scope_hits, 0u);
}

// Four hours after the first counters there is little else to compare with, but enough: stretches are looked for where the log is, not in
// the two days around each run.
TEST(Outside, AYoungLogHasTimeWithoutTheRunsToo) {
  MadeLog made(3);
  Application application;
  for (int k = 0; k < 4; ++k) {
    const double start = day + (10 + k) * hour + 300;
    made.train(start + 60, 300, 5);
    add_run(application, start, start + 1560);
  }
  made.not_measured(0, day + 10 * hour);
  made.not_measured(day + 14 * hour, 3 * day);
  const TimedLog log(made.log());
  const PatternSettings settings;
  Lookout lookout(log, settings);
  const RunTimes busy(application.runs);
  Pattern pattern = found_in(application, log, lookout);
  ASSERT_EQ(pattern.shown, 4u);
  compare_elsewhere(application, busy, log, settings, lookout, pattern);
  // Of the 34 minutes between two runs a stretch of 26 fits at one try in seven or so: some of the 4 x 24 tries find one, and none shows
  // anything.
  EXPECT_LT(pattern.elsewhere, 0.1);
}

}  // namespace
}  // namespace fathom::mine
