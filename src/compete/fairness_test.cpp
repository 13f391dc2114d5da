// SPDX-License-Identifier: Apache-2.0
#include "compete/fairness.h"

#include <gtest/gtest.h>

#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;

/// `small` bytes a slice from one process on one node, `large` from each of 12 processes on three nodes, for `count` slices.
Fairness of(std::uint64_t small, std::uint64_t large, std::size_t count) {
  std::vector<Process> many;
  for (std::uint32_t p = 0; p < 12; ++p)
    many.push_back(writer("b" + std::to_string(p / 4), p, 0, std::vector<std::uint64_t>(count, large)));
  const std::vector<Profile> two = {application("a", {writer("a0", 99, 0, std::vector<std::uint64_t>(count, small))}),
                                    application("b", many)};
  const auto prepared = prepare(two, labels(two), Direction::write);
  EXPECT_TRUE(prepared);
  return fairness(*prepared, Direction::write, active_overlap(*prepared, Direction::write));
}

TEST(Fairness, SharesPerProcess) {
  // 100 and 12 x 100: observed 1/13 and 12/13, as expected of processes. Nodes expect 1/4 and 3/4: distance 2 x (1/4 - 1/13) = 9/26.
  const Fairness found = of(100, 100, 5);
  EXPECT_EQ(found.nearer, Share::process);
  EXPECT_NEAR(found.distance[0], 0, 1e-12);
  EXPECT_NEAR(found.distance[1], 9.0 / 26, 1e-12);
  EXPECT_EQ(found.slices, 5);
  EXPECT_NEAR(found.observed[0], 1.0 / 13, 1e-12);
}

TEST(Fairness, SharesPerNode) {
  // 380 and 12 x 100: observed 380/1580 = 0.240506. Nodes: distance 2 x (0.25 - 0.240506) = 0.018987; processes: 2 x (0.240506 - 0.076923)
  // = 0.327166.
  const Fairness found = of(380, 100, 4);
  EXPECT_EQ(found.nearer, Share::node);
  EXPECT_NEAR(found.distance[0], 0.327166, 1e-6);
  EXPECT_NEAR(found.distance[1], 0.018987, 1e-6);
}

TEST(Fairness, CountsTheSlicesThatAgree) {
  // a: 100, 100, 100, 400 against 12 x 100: processes are nearer in all, but in the last slice (400/1600 = 1/4) it is nodes.
  std::vector<Process> many;
  for (std::uint32_t p = 0; p < 12; ++p) many.push_back(writer("b" + std::to_string(p / 4), p, 0, {100, 100, 100, 100}));
  const std::vector<Profile> two = {application("a", {writer("a0", 99, 0, {100, 100, 100, 400})}), application("b", many)};
  const auto prepared = prepare(two, labels(two), Direction::write);
  ASSERT_TRUE(prepared);
  const Fairness found = fairness(*prepared, Direction::write, active_overlap(*prepared, Direction::write));
  EXPECT_EQ(found.nearer, Share::process);
  EXPECT_EQ(found.slices, 3);
}

TEST(Fairness, CannotBeToldFromTwoSlices) {
  const Fairness found = of(100, 100, 2);
  EXPECT_FALSE(found.nearer);
  EXPECT_EQ(found.why, "the active overlap is shorter than 3 slices");
  EXPECT_NEAR(found.distance[1], 9.0 / 26, 1e-12);
}

TEST(Fairness, CannotBeToldWhereBothGiveTheSame) {
  const std::vector<Profile> two = {application("a", {writer("a0", 1, 0, {5, 5, 5})}),
                                    application("b", {writer("b0", 2, 0, {1, 1, 1}), writer("b1", 3, 0, {1, 1, 1})})};
  const auto prepared = prepare(two, labels(two), Direction::write);
  ASSERT_TRUE(prepared);
  const Fairness found = fairness(*prepared, Direction::write, active_overlap(*prepared, Direction::write));
  EXPECT_FALSE(found.nearer);
  EXPECT_EQ(found.why, "both give the same shares");
}

TEST(Fairness, CannotBeToldHalfWayBetween) {
  // Processes expect 1/13, nodes 1/4; half way is 17/104: 17 x 12 and 12 x 87.
  const Fairness found = of(17 * 12, 87, 4);
  EXPECT_FALSE(found.nearer);
  EXPECT_EQ(found.why, "both are as far from what was observed");
}

TEST(Fairness, CannotBeToldWithoutAnOverlap) { EXPECT_EQ(of(0, 100, 4).why, "there is no slice in which all processes moved data"); }

}  // namespace
}  // namespace fathom::compete
