// SPDX-License-Identifier: Apache-2.0
#include "mine/counted.h"

#include <gtest/gtest.h>

#include "mine/made_log_test.h"

namespace fathom::mine {
namespace {

TEST(Counted, AllOfFewAndAnEighthMoreEachTime) {
  for (std::size_t runs = 0; runs <= 20; ++runs) EXPECT_EQ(counted_of(runs), runs);
  EXPECT_EQ(counted_of(21), 20u);
  EXPECT_EQ(counted_of(22), 22u);
  EXPECT_EQ(counted_of(29), 27u);
  EXPECT_EQ(counted_of(30), 30u);
  std::size_t steps = 0;
  for (std::size_t runs = 1; runs <= 10'000; ++runs) {
    EXPECT_LE(counted_of(runs), runs);
    EXPECT_GE(9 * counted_of(runs) + 9, 8 * runs);  // never more than a ninth behind
    steps += counted_of(runs) != counted_of(runs - 1);
  }
  EXPECT_LT(steps, 80u);
}

Application hourly(int runs) {
  Application application;
  for (int i = 0; i < runs; ++i) add_run(application, i * 3 * hour, i * 3 * hour + hour);
  return application;
}

TEST(Counted, ByTheirEnds) {
  EXPECT_EQ(counted_until({}), no_limit);
  EXPECT_EQ(counted_until(hourly(20).runs), no_limit);
  EXPECT_EQ(counted_until(hourly(21).runs), at(19 * 3 * hour + hour));
  EXPECT_EQ(counted_until(hourly(22).runs), at(21 * 3 * hour + hour));
  Application application = hourly(22);
  application.runs.insert(application.runs.begin(), {"long", at(-hour), at(10 * day)});  // ends after all others
  EXPECT_EQ(counted_until(application.runs), at(21 * 3 * hour + hour));
  application.runs.insert(application.runs.begin(), {"backwards", at(5 * hour), at(-5 * hour)});  // cannot be
  EXPECT_EQ(counted_until(application.runs), at(21 * 3 * hour + hour));
}

/// Ten bursts, every 300 s, in each run.
MadeLog traffic(const Application& application) {
  MadeLog made(12);
  for (const Run& run : application.runs) made.train(seconds(run.start.time_since_epoch()) + 100, 300, 10);
  made.others(800, 7);
  return made;
}

// What comes after the last run that counts changes nothing but the number of runs: neither more runs, nor bursts.
TEST(Counted, LaterRunsChangeOnlyTheirNumber) {
  const Application all = hourly(37);
  Application before = hourly(33), after = hourly(36);
  MadeLog whole = traffic(all), until_then = traffic(before);
  const Finding first = examined(before, until_then), second = examined(after, whole);
  EXPECT_EQ(first.state, ApplicationState::validated) << first.reason;
  EXPECT_TRUE(first.looked_around);
  EXPECT_EQ(first.reason, second.reason);
  EXPECT_EQ(first.runs, 33u);
  EXPECT_EQ(second.runs, 36u);
  EXPECT_EQ(second.last_end, after.runs.back().end);
  ASSERT_EQ(first.patterns.size(), second.patterns.size());
  EXPECT_EQ(first.patterns[0].period, second.patterns[0].period);
  EXPECT_EQ(first.patterns[0].judged, second.patterns[0].judged);
  EXPECT_EQ(first.patterns[0].elsewhere_windows, second.patterns[0].elsewhere_windows);
  EXPECT_EQ(first.patterns[0].log10_chance, second.patterns[0].log10_chance);
  EXPECT_EQ(first.patterns[0].scope_windows, second.patterns[0].scope_windows);
  EXPECT_GT(examined(all, whole).patterns[0].judged, first.patterns[0].judged);
}

}  // namespace
}  // namespace fathom::mine
