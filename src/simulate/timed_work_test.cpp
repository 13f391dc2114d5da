// SPDX-License-Identifier: Apache-2.0
#include "simulate/timed_work.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "simulate/comparison.h"

namespace fathom::simulate {
namespace {

constexpr Picoseconds s = picoseconds_per_second;

TimedRun run_of(std::size_t clients) {
  TimedRun run{"j", 10 * s, {}};
  for (std::size_t i = 0; i < clients; ++i)
    run.clients.push_back({"rank " + std::to_string(i), {{2 * s, i, Kind::read}, {s, 100 + i, Kind::write}}});
  return run;
}

TEST(TimedWork, ClientsFillIoNodesInOrder) {
  Scenario scenario;
  scenario.io_nodes = {{1, 2}, {3, 4}};
  const auto work = timed_work(scenario, run_of(5));
  ASSERT_TRUE(work) << work.error().message;
  ASSERT_EQ(work->nodes.size(), 2u);  // the other two have nothing to do
  EXPECT_EQ(work->nodes[1].compute_nodes, 4u);
  EXPECT_EQ(work->nodes[0].timed[1][1].bytes, 1u);
  EXPECT_EQ(work->nodes[1].timed[2][0].at, s);  // in order of time
  EXPECT_EQ(work->nodes[1].timed[2][0].bytes, 104u);
  EXPECT_EQ(work->nodes[1].timed[2][0].kind, Kind::write);
  EXPECT_TRUE(work->nodes[1].timed[3].empty());
  ASSERT_EQ(work->shares.size(), 2u);
  for (const NodeWork& node : work->nodes) {
    EXPECT_EQ(work->nodes[work->shares[node.timed_share].node].name, node.name);
    ASSERT_EQ(node.steps.size(), 2u);
    EXPECT_EQ(node.steps[1].at, 10 * s);
  }
}

TEST(TimedWork, WithoutIoNodesThereAreAsManyAsNeeded) {
  const auto work = timed_work({}, run_of(130));
  ASSERT_TRUE(work);
  ASSERT_EQ(work->nodes.size(), 2u);
  EXPECT_EQ(work->nodes[1].timed[1][1].bytes, 129u);
}

TEST(TimedWork, RefusesWhatDoesNotFit) {
  Scenario scenario;
  scenario.io_nodes = {{1, 2}};
  EXPECT_NE(timed_work(scenario, run_of(3)).error().message.find("has 2 compute nodes, and 3"), std::string::npos);
  EXPECT_FALSE(timed_work({}, {"j", s, {{"idle", {}}}}));
  EXPECT_FALSE(timed_work({}, {"j", s, {{"early", {{-1, 1, Kind::read}}}}}));
  EXPECT_FALSE(timed_work({}, {"j", s, {{"late", {{time_limit, 1, Kind::read}}}}}));
}

/// Reads and writes of up to 6 MB at random times.
TimedRun random_run(std::uint64_t seed) {
  Random random(seed);
  TimedRun run{"j", 3 * s, {}};
  for (std::int64_t i = random.whole(1, 9); i > 0; --i) {
    Client& client = run.clients.emplace_back();
    for (std::int64_t k = random.whole(1, 30); k > 0; --k)
      client.requests.push_back(
          {random.whole(0, 2 * s), static_cast<std::uint64_t>(random.whole(0, 6'000'000)), random.chance(0.5) ? Kind::read : Kind::write});
  }
  return run;
}

TEST(TimedWork, ComparedWithItselfNothingChanges) {
  Scenario scenario;
  scenario.io_nodes = {{10, 3}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto work = timed_work(scenario, random_run(seed));
    ASSERT_TRUE(work);
    const auto alone = run(scenario.architecture, *work);
    ASSERT_TRUE(alone) << alone.error().message;
    const auto again = run(scenario.architecture, *work, &alone->pauses);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->pauses.requests, alone->pauses.requests) << seed;
    for (std::size_t n = 0; n < work->nodes.size(); ++n) EXPECT_EQ(again->nodes[n].io_time, alone->nodes[n].io_time) << seed;
    for (std::size_t i = 0; i < work->shares.size(); ++i) EXPECT_EQ(again->shares[i].end, alone->shares[i].end) << seed;
  }
}

TEST(TimedWork, ComputationIsKeptOnASlowerMachine) {
  // A client alone: on both machines it computes as long before each request as the first run says, so that its run time is longer by
  // exactly as much as its I/O time.
  Architecture slow;
  slow.external_bandwidth /= 7;
  slow.page_pool = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    TimedRun run = random_run(seed);
    run.clients.resize(1);
    const auto work = timed_work({}, std::move(run));
    ASSERT_TRUE(work);
    const auto found = compare(slow, Architecture{}, *work);
    ASSERT_TRUE(found) << found.error().message;
    const JobComparison& job = found->jobs.at(0);
    EXPECT_GT(job.io_time.changed, job.io_time.original);
    EXPECT_EQ(job.run_time.changed - job.run_time.original, job.io_time.changed - job.io_time.original) << seed;
  }
}

}  // namespace
}  // namespace fathom::simulate
