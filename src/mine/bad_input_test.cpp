// SPDX-License-Identifier: Apache-2.0
// Logs as they are on a bad day: what mining says of them is sensible, and it says so in time.
#include <gtest/gtest.h>

#include <chrono>

#include "mine/made_log_test.h"

namespace fathom::mine {
namespace {

double noon(std::size_t run) { return (static_cast<double>(run) + 1.5) * day; }

Application daily(std::size_t runs) {
  Application application{{"ann", "climate", 128}, {}};
  for (std::size_t r = 0; r < runs; ++r) add_run(application, noon(r), noon(r) + 3200);
  return application;
}

/// Twelve runs that write every 300 s.
MadeLog regular() {
  MadeLog made(30);
  made.others(7000, 7);
  for (std::size_t r = 0; r < 12; ++r) made.train(noon(r) + 120, 300, 10);
  return made;
}

TEST(BadInput, NoRunsNoLogs) {
  MadeLog made(30);
  EXPECT_EQ(examined(daily(0), made).state, ApplicationState::unknown);
  EXPECT_EQ(examined(daily(0), made).reason, "no runs");
  EXPECT_EQ(examine(daily(5), {}, at(0), {}).state, ApplicationState::unknown);
}

// One run, as clear as can be, proves nothing: at most the watch list.
TEST(BadInput, OneSample) {
  MadeLog made(30);
  made.train(noon(0) + 120, 300, 10);
  const Finding finding = examined(daily(1), made);
  EXPECT_TRUE(finding.state == ApplicationState::watch_list || finding.state == ApplicationState::unknown) << finding.reason;
}

// Constant traffic has no bursts.
TEST(BadInput, ConstantTraffic) {
  MadeLog made(30);
  EXPECT_EQ(examined(daily(12), made).state, ApplicationState::unknown);
}

// Bursts all of one size that never stop, every 60 s day and night: as regular as can be, and nobody's.
TEST(BadInput, ABeatThatNeverStops) {
  MadeLog made(30);
  made.train(0, 60, 30 * 1440);
  EXPECT_NE(examined(daily(12), made).state, ApplicationState::validated);
}

// Days on which nothing was measured: the runs of those days say nothing, the other six do.
TEST(BadInput, EmptyDays) {
  MadeLog made = regular();
  for (std::size_t r = 0; r < 12; r += 2) made.not_measured(std::floor(noon(r) / day) * day, std::ceil(noon(r) / day) * day);
  const Finding finding = examined(daily(12), made);
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_EQ(finding.patterns[0].judged, 6u);
  MadeLog nothing(30);
  nothing.not_measured(0, 30 * day);
  EXPECT_EQ(examined(daily(12), nothing).state, ApplicationState::unknown);
}

// The bursts' servers are not known, as when the counters of single servers are lost: period and volume of all servers are there, a
// footprint is not made up.
TEST(BadInput, ServersThatVanish) {
  MadeLog made = regular();
  made.forget_servers();
  const Finding finding = examined(daily(12), made);
  for (const Pattern& pattern : finding.patterns) {
    EXPECT_EQ(pattern.footprint, 0);
    EXPECT_TRUE(std::isfinite(pattern.confidence));
    EXPECT_NEAR(pattern.period, 300, 3);
    EXPECT_NEAR(pattern.coarse_bytes, 100 * gib, gib);
  }
}

// Runs that end before they start, at the same moment, in the year 2200, or that have started in 1970 and never ended until now cannot be;
// one in 2223 has not been seen. The twelve others are as good as without them.
TEST(BadInput, ClocksThatJump) {
  MadeLog made = regular();
  const double now = 1.5e9;  // all times of the log are moved here, so that there is time before it
  Application application{{"ann", "climate", 128}, {}};
  BurstLog log = made.log();
  const Duration move{static_cast<std::int64_t>(now * 1e6)};
  for (KnownBurst& burst : log.bursts) burst.start += move, burst.end += move;
  for (Stretch& stretch : log.seen) stretch.from += move, stretch.to += move;
  add_run(application, 0, now + 20 * day);
  for (std::size_t r = 0; r < 12; ++r) {
    add_run(application, now + noon(r), now + noon(r) + 3200);
    add_run(application, now + noon(r) + 4000, now + noon(r) + 100);
    add_run(application, now + noon(r) + 5000, now + noon(r) + 5000);
    if (r % 3 == 0) add_run(application, now + noon(r) + 6000, 7.3e9);
  }
  add_run(application, 8e9, 8e9 + 3600);
  const std::vector<TimedLog> logs{TimedLog(log)};
  const Finding finding = examine(application, logs, at(now + 30 * day), {});
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_EQ(finding.patterns[0].shown, 12u);
  EXPECT_EQ(finding.patterns[0].judged, 12u);
  EXPECT_EQ(finding.runs_left_out, 12u + 12 + 4 + 1);
  EXPECT_NE(finding.reason.find("29 runs"), std::string::npos) << finding.reason;
}

TEST(BadInput, SizesThatAreNone) {
  MadeLog made(30);
  for (std::size_t r = 0; r < 12; ++r) made.train(noon(r) + 120, 300, 10, {0, 0, 0});
  EXPECT_NE(examined(daily(12), made).state, ApplicationState::validated);
}

double seconds_for(std::size_t runs) {
  MadeLog made(60);
  made.others(20'000, 3);
  Application application{{"bot", "test", 1}, {}};
  const double apart = 58 * day / static_cast<double>(runs);
  for (std::size_t r = 0; r < runs; ++r)
    add_run(application, day + static_cast<double>(r) * apart, day + static_cast<double>(r) * apart + 1000);
  for (double t = day; t < 59 * day; t += 1000) made.train(t + 20, 100, 8, {100 * gib, 64, 20});
  made.log();
  const auto begin = std::chrono::steady_clock::now();
  const Finding finding = examined(application, made);
  EXPECT_EQ(finding.runs, runs);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Ten times as many runs may take some twenty times as long on a busy machine, not a hundred times.
TEST(BadInput, FiftyThousandRuns) {
  const double some = seconds_for(5'000), many = seconds_for(50'000);
  EXPECT_LT(many, 25 * std::max(some, 0.05)) << some;
  EXPECT_LT(many, 60);
}

}  // namespace
}  // namespace fathom::mine
