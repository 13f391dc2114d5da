// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "simulate/comparison.h"

namespace fathom::simulate {
namespace {

constexpr Picoseconds s = picoseconds_per_second;

/// One node, one compute node: job `early` with one request in its first second, job `late` with very many from 10 s on.
Work two_jobs() {
  Work work;
  work.nodes.push_back({"0", 1, {}});
  work.jobs = {{"early", 0, 5 * s, {0}}, {"late", 10 * s, 20 * s, {0}}};
  EXPECT_TRUE(lay_out(work, {{0, 0, s, {{0, 1000}, {0, 1}}, 0}, {0, 10 * s, 11 * s, {{0, 300'000}, {0, 300'000}}, 0}}));
  return work;
}

TEST(Stop, SaysWhoWasFinished) {
  const Work work = two_jobs();
  const auto outcome = run({}, work, nullptr, {}, [](const Moment& moment) {
    EXPECT_GT(moment.time, 10 * s);
    EXPECT_LE(moment.steps, moment.all_steps);
    return false;
  });
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->stopped);
  EXPECT_TRUE(outcome->shares[0].finished);
  EXPECT_FALSE(outcome->shares[1].finished);
  EXPECT_FALSE(outcome->nodes[0].finished);
  EXPECT_GT(outcome->end, 10 * s);
}

TEST(Stop, InTheOriginalNobodyIsFinished) {
  const Work work = two_jobs();
  const auto found = compare({}, Architecture{}, work, {}, [](const Moment&) { return false; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->stopped);
  for (const JobComparison& job : found->jobs) EXPECT_FALSE(job.finished);
  EXPECT_TRUE(ratios_of(*found, &JobComparison::run_time).empty());
}

TEST(Stop, InTheChangedRunWhatWasFinishedCounts) {
  const Work work = two_jobs();
  const auto found = compare({}, Architecture{}, work, {}, [](const Moment& moment) { return moment.steps <= moment.all_steps / 2; });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->stopped);
  EXPECT_TRUE(found->jobs[0].finished);
  EXPECT_FALSE(found->jobs[1].finished);
  EXPECT_EQ(ratios_of(*found, &JobComparison::run_time), std::vector<double>{1});
}

/// A job of requests with times of their own: its end is reached only when all of them are answered.
TEST(Stop, RequestsWithTheirOwnTimes) {
  Work work;
  work.nodes.push_back({"0", 1, {}});
  work.jobs = {{"own", 0, s, {0}}};
  ASSERT_TRUE(lay_out(work, {}));
  work.nodes[0].timed = {std::vector<TimedRequest>(100'000, TimedRequest{0, 1, Kind::write})};
  work.nodes[0].timed_share = 0;
  const auto outcome = run({}, work, nullptr, {}, [](const Moment&) { return false; });
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->stopped);
  EXPECT_FALSE(outcome->shares[0].finished);
  EXPECT_FALSE(outcome->nodes[0].finished);
}

TEST(Stop, WhoIsNotStoppedIsWhole) {
  const auto outcome = run({}, two_jobs(), nullptr, {}, [](const Moment&) { return true; });
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->stopped);
  EXPECT_TRUE(outcome->shares[1].finished && outcome->nodes[0].finished);
}

}  // namespace
}  // namespace fathom::simulate
