// SPDX-License-Identifier: Apache-2.0
#include "advise/advisor.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace fathom::advise {
namespace {

/// Score = 1 + share of time in band 1; the limit is 1.25 for an impact of 1.5 everywhere.
Trained two_bands() {
  Trained trained;
  trained.load.bands = {50e6, 100e6};
  trained.weights = {1, 2};
  trained.thresholds.throughput_edges.clear();
  trained.thresholds.ratio_edges.clear();
  trained.thresholds.cells = {{100, 0, 0, {{1, 1.25, 1.1, 50}, {1.3, 2, 2, 50}}}};
  return trained;
}

std::vector<Partition> two_partitions(std::uint32_t each) {
  std::vector<Partition> all{{"atlas1", {}}, {"atlas2", {}}};
  for (std::uint32_t i = 0; i < 2 * each; ++i) all[i / each].servers.push_back(i);
  return all;
}

Advisor advisor_of(std::uint32_t each, AdvisorSettings settings = {}) {
  return *Advisor::make(two_bands(), two_partitions(each), 2 * each, settings, 10);
}

KnownApplication application_of(std::string filesystem, double footprint) {
  KnownPattern pattern;
  pattern.filesystem = std::move(filesystem);
  pattern.period_seconds = 100;
  pattern.burst_seconds = 50;
  pattern.footprint = footprint;
  pattern.mean_throughput = 70e6 * footprint;
  pattern.burst_bytes = pattern.mean_throughput * pattern.burst_seconds;
  pattern.io_to_compute = 1;
  return {"u", "n", 4, {pattern}, 0};
}

void fill(Advisor& advisor, const std::vector<double>& throughput) {
  for (int i = 0; i < 120; ++i) advisor.add_slot(throughput);
}

TEST(Advisor, EnoughIdleServersInOnePartitionAreEnough) {
  // Of atlas1 three of four are busy all the time: the two least loaded score (1 + 2) / 2. All of atlas2 are idle.
  Advisor advisor = advisor_of(4);
  fill(advisor, {0, 80e6, 80e6, 80e6, 0, 0, 0, 0});
  const KnownApplication in_first = application_of("atlas1", 1.7), anywhere = application_of("", 1.7);
  const Advice no = advisor.recommend(&in_first, 0, 0);
  EXPECT_EQ(no.verdict, Verdict::delay);
  ASSERT_EQ(no.partitions.size(), 1u);
  EXPECT_EQ(no.partitions[0].servers, 2u);
  EXPECT_DOUBLE_EQ(no.partitions[0].score, 1.5);
  for (const char* words : {"atlas1", "1.50", "1.25", "2 least loaded", "1.5 times"})
    EXPECT_NE(no.reason.find(words), std::string::npos) << no.reason;
  const Advice yes = advisor.recommend(&anywhere, 0, 0);
  EXPECT_EQ(yes.verdict, Verdict::run);
  EXPECT_NE(yes.reason.find("atlas2"), std::string::npos);
  const KnownApplication small = application_of("atlas1", 1);
  EXPECT_EQ(advisor.recommend(&small, 0, 0).verdict, Verdict::run);
}

// Training that saw interference even on idle servers (or has few points) leaves a limit that no server is below.
TEST(Advisor, NobodyWaitsForIdleServersToGetMoreIdle) {
  Trained strict = two_bands();
  strict.thresholds.cells = {{100, 0, 0, {{1, 1, 1.1, 50}, {1.3, 2, 2, 50}}}};  // the limit is 1, as is the score of an idle server
  Advisor advisor = *Advisor::make(strict, two_partitions(2), 4, {}, 10);
  fill(advisor, {0, 0, 0, 0});
  const KnownApplication application = application_of("atlas1", 2);
  const Advice idle = advisor.recommend(&application, 0, 0);
  EXPECT_EQ(idle.verdict, Verdict::run);
  EXPECT_NE(idle.reason.find("nothing to wait for"), std::string::npos) << idle.reason;
  fill(advisor, {0, 80e6, 0, 0});
  EXPECT_EQ(advisor.recommend(&application, 0, 0).verdict, Verdict::delay);
}

TEST(Advisor, UnknownApplicationsRun) {
  Advisor advisor = advisor_of(2);
  fill(advisor, {80e6, 80e6, 80e6, 80e6});
  EXPECT_EQ(advisor.recommend(nullptr, 0, 0).verdict, Verdict::run);
  const KnownApplication no_pattern{"u", "n", 1, {}, 0};
  EXPECT_EQ(advisor.recommend(&no_pattern, 0, 0).verdict, Verdict::run);
}

TEST(Advisor, WithoutMeasurementsJobsRunAndTheReasonSaysSo) {
  Advisor advisor = advisor_of(2);
  const KnownApplication app = application_of("atlas1", 1);
  const Advice advice = advisor.recommend(&app, 0, 0);
  EXPECT_EQ(advice.verdict, Verdict::run);
  EXPECT_NE(advice.reason.find("of no server of atlas1 the load is known"), std::string::npos) << advice.reason;
}

TEST(Advisor, AServerThatWasHardlyMeasuredIsNotTakenForIdle) {
  // One server is silent for lack of measurements: the other, busy one is all there is.
  Advisor advisor = advisor_of(2);
  fill(advisor, {80e6, not_measured, 0, 0});
  const KnownApplication app = application_of("atlas1", 1);
  const Advice advice = advisor.recommend(&app, 0, 0);
  EXPECT_EQ(advice.verdict, Verdict::delay);
  EXPECT_DOUBLE_EQ(advice.partitions[0].score, 2);
}

TEST(Advisor, JobsThatHaveJustStartedCount) {
  // Idle so far; the other job will be busy for half the time on both servers: score 1.5, not below 1.25.
  Advisor advisor = advisor_of(2);
  fill(advisor, {0, 0, 0, 0});
  const KnownApplication app = application_of("atlas1", 2);
  EXPECT_EQ(advisor.recommend(&app, 1000, 0).verdict, Verdict::run);
  advisor.job_started(7, app, 1000, std::nullopt);
  const Advice advice = advisor.recommend(&app, 1000, 0);
  EXPECT_EQ(advice.verdict, Verdict::delay);
  EXPECT_DOUBLE_EQ(advice.partitions[0].score, 1.5);
  // 16 minutes later it is in the table for 80 %, if it showed; a fifth of it is still added: 1 + 0.2 x 0.5.
  EXPECT_DOUBLE_EQ(advisor.recommend(&app, 1960, 0).partitions[0].score, 1.1);
  advisor.job_ended(7);
  EXPECT_DOUBLE_EQ(advisor.recommend(&app, 1960, 0).partitions[0].score, 1);
}

TEST(Advisor, JobsThatWillSoonEndCountLess) {
  // Busy for half the time because of a job that has run for 50 minutes of an hour: for half of the next 20 minutes it will be gone.
  Advisor advisor = advisor_of(2);
  KnownApplication app = application_of("atlas1", 2);
  app.usual_seconds = 3600;
  for (int i = 0; i < 120; ++i) advisor.add_slot(std::vector<double>(4, i % 2 == 0 ? 80e6 : 0));
  advisor.job_started(7, app, 0, std::nullopt);
  EXPECT_DOUBLE_EQ(advisor.recommend(&app, 1800, 0).partitions[0].score, 1.5);
  EXPECT_DOUBLE_EQ(advisor.recommend(&app, 3000, 0).partitions[0].score, 1.25);
}

TEST(Advisor, EveryPatternOfAnApplicationMustFit) {
  Advisor advisor = advisor_of(2);
  fill(advisor, {0, 0, 80e6, 80e6});
  KnownApplication app = application_of("atlas1", 1);
  EXPECT_EQ(advisor.recommend(&app, 0, 0).verdict, Verdict::run);
  app.patterns.push_back(application_of("atlas2", 1).patterns[0]);
  const Advice advice = advisor.recommend(&app, 0, 0);
  EXPECT_EQ(advice.verdict, Verdict::delay);
  EXPECT_NE(advice.reason.find("atlas2"), std::string::npos);
}

TEST(Advisor, NobodyStarves) {
  // Somebody raises the load whenever a job is about to be looked at: whatever the load does, no job is delayed for longer than the limit.
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    AdvisorSettings settings;
    settings.max_delay_seconds = random.uniform(0, 4000);
    Advisor advisor = advisor_of(8, settings);
    std::vector<double> load(16);
    double waiting_since = -1, longest = 0;
    for (double now = 0; now < 30000; now += 10) {
      for (double& each : load) each = random.chance(0.97) ? 100e6 : not_measured;
      advisor.add_slot(load);
      if (random.chance(0.05))
        advisor.job_started(static_cast<std::uint64_t>(now), application_of("atlas1", random.uniform(1, 8)), now, random.uniform(0, 9000));
      const KnownApplication app = application_of(random.chance(0.5) ? "atlas1" : "", random.uniform(0.5, 20));
      if (waiting_since < 0) waiting_since = now;
      if (advisor.recommend(&app, now, now - waiting_since).verdict == Verdict::delay) {
        longest = std::max(longest, now - waiting_since);
        continue;
      }
      waiting_since = -1;
    }
    EXPECT_LT(longest, settings.max_delay_seconds);
    if (settings.max_delay_seconds > 100) {
      EXPECT_GT(longest, 0);
    }
  }
}

TEST(Advisor, WhatATrainingRunFinds) {
  Advisor advisor = advisor_of(4);
  fill(advisor, {0, 80e6, 80e6, 0, 0, 0, 0, 0});
  const auto load = advisor.load_found_by(application_of("atlas1", 3).patterns[0], 0);
  ASSERT_TRUE(load.has_value());
  EXPECT_NEAR((*load)[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR((*load)[1], 1.0 / 3, 1e-12);
  EXPECT_FALSE(advisor_of(4).load_found_by(application_of("atlas1", 3).patterns[0], 0).has_value());
}

}  // namespace
}  // namespace fathom::advise
