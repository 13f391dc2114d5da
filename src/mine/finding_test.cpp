// SPDX-License-Identifier: Apache-2.0
#include "mine/finding.h"

#include <gtest/gtest.h>

#include "mine/made_log_test.h"

namespace fathom::mine {
namespace {

/// One run a day at noon, of 3200 s: time for ten bursts every 300 s. Other people's bursts all the time, one in some six minutes.
struct Month {
  MadeLog made{30};
  Application application{{"ann", "climate", 128}, {}};

  explicit Month(std::size_t runs, std::size_t foreign = 7000) {
    for (std::size_t r = 0; r < runs; ++r) add_run(application, noon(r), noon(r) + 3200);
    made.others(foreign, 7);
  }
  static double noon(std::size_t run) { return (static_cast<double>(run) + 1.5) * day; }
  /// Steps of steady work differ by 2 %.
  void write(std::size_t run, double period = 300, std::size_t count = 10, Size size = {}, double first = 120) {
    Random random(run + 100);
    double t = noon(run) + first;
    for (std::size_t i = 0; i < count; ++i, t += period * (1 + 0.02 * random.normal())) made.burst(t, size);
  }
  Finding result() { return examined(application, made); }
};

// Every value was put there: 300 s, 100 GiB in 30 s on 64 servers, in all twelve runs. The period's error: 12 runs of 9 steps that vary by
// 2 % each are known to 2 % / sqrt(108) = 0.2 %; 1 % is five times that.
TEST(Finding, RegularBurstsInEveryRun) {
  Month month(12);
  for (std::size_t r = 0; r < 12; ++r) month.write(r);
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  ASSERT_EQ(finding.patterns.size(), 1u);
  const Pattern& pattern = finding.patterns[0];
  EXPECT_NEAR(pattern.period, 300, 3);
  EXPECT_EQ(pattern.shown, 12u);
  EXPECT_EQ(pattern.judged, 12u);
  EXPECT_NEAR(pattern.burst_bytes, 100 * gib, 0.01 * gib);
  EXPECT_NEAR(pattern.footprint, 64, 2);
  EXPECT_NEAR(pattern.throughput, 100 * gib / 30, 0.01 * gib);
  EXPECT_NEAR(pattern.burst_s, 30, 0.5);
  EXPECT_NEAR(pattern.io_share, 30.0 / 270, 0.01);
  EXPECT_EQ(pattern.filesystem, "scratch");
  EXPECT_EQ(pattern.direction, 1u);
  EXPECT_GT(pattern.confidence, 0.9);
  EXPECT_EQ(pattern.first_seen, at(Month::noon(0)));
  EXPECT_EQ(pattern.last_seen, at(Month::noon(11) + 3200));
  EXPECT_FALSE(finding.provisional);  // day 30 is more than a day after the last run
}

// One burst in four is hidden: 7 or 8 of ten are left, on both sides of each gap.
TEST(Finding, MissingBursts) {
  Month month(12);
  for (std::size_t r = 0; r < 12; ++r)
    for (std::size_t i = 0; i < 10; ++i)
      if ((i + r) % 4 != 1) month.made.burst(Month::noon(r) + 120 + 300 * static_cast<double>(i));
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_NEAR(finding.patterns[0].period, 300, 3);
}

// Seven of ten runs write: more than 60 %. With five of ten the pattern is not common.
TEST(Finding, RunsWithoutIo) {
  Month month(10), half(10);
  for (std::size_t r = 0; r < 7; ++r) month.write(r + (r > 2) + (r > 4));
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_EQ(finding.patterns[0].shown, 7u);
  EXPECT_EQ(finding.patterns[0].judged, 10u);
  for (std::size_t r = 0; r < 5; ++r) half.write(2 * r);
  EXPECT_EQ(half.result().state, ApplicationState::unknown);
}

// From 3 to 40 bursts; runs that are too short for three do not speak against it.
TEST(Finding, RunsOfAllLengths) {
  Month month(0);
  for (std::size_t r = 0; r < 14; ++r) {
    const std::size_t bursts = r < 4 ? 1 : 3 + 4 * (r - 4);
    add_run(month.application, Month::noon(r), Month::noon(r) + 300 * static_cast<double>(bursts) + 200);
    month.write(r, 300, bursts);
  }
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_EQ(finding.patterns[0].judged, 10u);
  EXPECT_GE(finding.patterns[0].shown, 9u);
}

// The application does nothing; somebody else writes from two hours before each of its runs to two hours after.
TEST(Finding, SomebodyElsesPattern) {
  Month month(12);
  for (std::size_t r = 0; r < 12; ++r) month.write(r, 300, 58, {}, -2 * hour);
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::rejected) << finding.reason;
  EXPECT_EQ(finding.patterns[0].verdict, Verdict::out_of_scope);
  EXPECT_NE(finding.reason.find("somebody else's"), std::string::npos) << finding.reason;
}

// It hardly ever stops: six hours, a break of half an hour, again. Others' bursts come at any time.
TEST(Finding, RunsNearlyAllTheTime) {
  Month month(0, 4000);
  for (std::size_t r = 0; r < 100; ++r) {
    const double start = static_cast<double>(r) * 6.5 * hour + hour;
    add_run(month.application, start, start + 6 * hour);
    month.made.train(start + 120, 300, 70);
  }
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_NEAR(finding.patterns[0].period, 300, 3);
}

// One run follows the other without a break: the bursts may be anybody's, and that is said.
TEST(Finding, NeverStops) {
  Month month(0, 4000);
  for (std::size_t r = 0; r < 120; ++r)
    add_run(month.application, static_cast<double>(r) * 6 * hour, static_cast<double>(r + 1) * 6 * hour);
  month.made.train(120, 300, 8600);
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::rejected) << finding.reason;
  EXPECT_NE(finding.reason.find("runs all the time"), std::string::npos) << finding.reason;
}

// Three runs show it clearly; five are needed.
TEST(Finding, FewRunsWait) {
  Month month(3);
  for (std::size_t r = 0; r < 3; ++r) month.write(r);
  const Finding finding = month.result();
  EXPECT_EQ(finding.state, ApplicationState::watch_list) << finding.reason;
  EXPECT_NE(finding.reason.find("5 are needed"), std::string::npos) << finding.reason;
  // Five do.
  Month more(5);
  for (std::size_t r = 0; r < 5; ++r) more.write(r);
  EXPECT_EQ(more.result().state, ApplicationState::validated) << more.result().reason;
}

// Checkpoints of 400 GiB on 256 servers every 900 s, and output of 50 GiB on 32 servers every 210 s; runs of two hours.
TEST(Finding, TwoPatterns) {
  Month month(0);
  for (std::size_t r = 0; r < 12; ++r) {
    add_run(month.application, Month::noon(r), Month::noon(r) + 2 * hour);
    month.write(r, 900, 8, {400 * gib, 256, 40});
    month.write(r, 210, 33, {50 * gib, 32, 20}, 60);
  }
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  ASSERT_EQ(finding.patterns.size(), 2u);
  const bool swapped = finding.patterns[0].period > finding.patterns[1].period;
  const Pattern &often = finding.patterns[swapped], &seldom = finding.patterns[!swapped];
  EXPECT_NEAR(often.period, 210, 4);
  EXPECT_NEAR(often.burst_bytes, 50 * gib, gib);
  EXPECT_NEAR(often.footprint, 32, 2);
  EXPECT_NEAR(seldom.period, 900, 18);
  EXPECT_NEAR(seldom.burst_bytes, 400 * gib, 4 * gib);
  EXPECT_NEAR(seldom.footprint, 256, 8);
}

// From 285 to 315 s in the course of a run: the mean is 300 s.
TEST(Finding, APeriodThatDrifts) {
  Month month(0);
  for (std::size_t r = 0; r < 10; ++r) {
    add_run(month.application, Month::noon(r), Month::noon(r) + 6200);
    double t = Month::noon(r) + 100;
    for (int i = 0; i < 20; ++i, t += 285 + 30.0 * (i - 1) / 18) month.made.burst(t);
  }
  const Finding finding = month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  EXPECT_NEAR(finding.patterns[0].period, 300, 3);
}

// Bursts of one size at random times, as many as the regular ones: many, but no rhythm.
TEST(Finding, ManyBurstsAreNoPattern) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Month month(12);
    Random random(seed);
    for (std::size_t r = 0; r < 12; ++r)
      for (int i = 0; i < 10; ++i) month.made.burst(Month::noon(r) + random.uniform(0, 3200));
    EXPECT_NE(month.result().state, ApplicationState::validated) << seed << ": " << month.result().reason;
  }
}

/// 24 runs of ten bursts, and no other bursts at all. Within a run all bursts look the same, but for rounding; from run to run they are
/// seen up to one slot of 10 s longer, by the part of a slot in which they begin. So a burst's nearest neighbours are those of its run,
/// 10^-9 away, those of the next run are 10^-2 away, and every cluster is one run.
struct NothingElse {
  Month month{24, 0};

  template <class Start>
  explicit NothingElse(Start start) {
    for (std::size_t r = 0; r < 24; ++r)
      for (std::size_t i = 0; i < 10; ++i) {
        const double rounding = 1 + 1e-9 * static_cast<double>(i);
        month.made.burst(Month::noon(r) + start(i), {100 * gib * rounding, 64, 30 + 10.0 * static_cast<double>(r) / 24});
      }
  }
};

// Exactly every 300 s, in each of the 24 runs.
TEST(Finding, PerfectlyRegularBurstsAndNothingElse) {
  NothingElse clean([](std::size_t i) { return 120 + 300 * static_cast<double>(i); });
  const Finding finding = clean.month.result();
  ASSERT_EQ(finding.state, ApplicationState::validated) << finding.reason;
  ASSERT_EQ(finding.patterns.size(), 1u);
  EXPECT_NEAR(finding.patterns[0].period, 300, 0.01);
  EXPECT_EQ(finding.patterns[0].shown, 24u);
  EXPECT_NEAR(finding.patterns[0].burst_bytes, 100 * gib, 0.01 * gib);
}

// The same bursts at random times: being alike, and alone, is no rhythm.
TEST(Finding, BurstsAtRandomTimesAndNothingElse) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    NothingElse clean([&](std::size_t) { return random.uniform(0, 3100); });
    const Finding finding = clean.month.result();
    EXPECT_NE(finding.state, ApplicationState::validated) << seed << ": " << finding.reason;
  }
}

// Ten runs at the same time see the same bursts: that is one observation.
TEST(Finding, RunsSideBySideCountOnce) {
  Month month(0);
  for (int i = 0; i < 10; ++i) add_run(month.application, Month::noon(0) + 5 * i, Month::noon(0) + 3200 + 5 * i);
  month.write(0);
  const Finding finding = month.result();
  EXPECT_NE(finding.state, ApplicationState::validated) << finding.reason;
  for (const Pattern& pattern : finding.patterns) EXPECT_EQ(pattern.judged, 1u);
}

// What is said depends on the runs and on the log within `horizon` of them: with the rest cut away every word is the same.
TEST(Finding, NothingFartherThanTheHorizonMatters) {
  Month whole(6), cut(6);
  for (std::size_t r = 0; r < 6; ++r) whole.write(r), cut.write(r);
  cut.made.not_measured(Month::noon(5) + 3200 + horizon + 10, 30 * day);
  cut.made.not_measured(0, Month::noon(0) - horizon - 10);
  const Finding a = whole.result(), b = cut.result();
  ASSERT_EQ(a.patterns.size(), b.patterns.size());
  EXPECT_EQ(a.reason, b.reason);
  for (std::size_t i = 0; i < a.patterns.size(); ++i) {
    EXPECT_EQ(a.patterns[i].period, b.patterns[i].period);
    EXPECT_EQ(a.patterns[i].burst_bytes, b.patterns[i].burst_bytes);
    EXPECT_EQ(a.patterns[i].log10_chance, b.patterns[i].log10_chance);
    EXPECT_EQ(a.patterns[i].confidence, b.patterns[i].confidence);
  }
}

TEST(Finding, ProvisionalUntilTheHorizonIsPast) {
  Month month(6);
  const double end = Month::noon(5) + 3200;
  const std::vector<TimedLog> logs{TimedLog(month.made.log())};
  EXPECT_TRUE(examine(month.application, logs, at(end + horizon - 1), {}).provisional);
  EXPECT_FALSE(examine(month.application, logs, at(end + horizon), {}).provisional);
}

}  // namespace
}  // namespace fathom::mine
