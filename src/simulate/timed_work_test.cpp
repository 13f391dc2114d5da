// SPDX-License-Identifier: Apache-2.0
#include "simulate/timed_work.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fathom::simulate
