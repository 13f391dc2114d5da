// SPDX-License-Identifier: Apache-2.0
#include "simulate/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fathom::simulate {
namespace {

std::string problem(std::string_view text) {
  const auto axis = parse_axis(text);
  return axis ? "" : axis.error().message;
}

TEST(Sweep, Values) {
  const auto axis = parse_axis("external_link.bandwidth=1Gbit/s, 850 MiB/s,1000");
  ASSERT_TRUE(axis) << axis.error().message;
  EXPECT_EQ(axis->values, (std::vector<std::uint64_t>{125'000'000, 850 * MiB, 1000}));
  EXPECT_EQ(axis->words, (std::vector<std::string>{"1Gbit/s", "850 MiB/s", "1000"}));
  EXPECT_EQ(axis->parameter->value, &Architecture::external_bandwidth);
  EXPECT_EQ(parse_axis("tree.shape=root,binary")->values, (std::vector<std::uint64_t>{0, 1}));
}

TEST(Sweep, ShortNames) {
  const auto axis = parse_axis("external_bandwidth=1Gbit/s");
  ASSERT_TRUE(axis) << axis.error().message;
  EXPECT_EQ(axis->parameter, parse_axis("external_link.bandwidth=1Gbit/s")->parameter);
  EXPECT_EQ(axis->key, "external_bandwidth") << "the column says what the user said";
  EXPECT_EQ(parse_axis("burst_buffer=16GiB")->parameter, parse_axis("burst_buffer.size=1")->parameter);
  EXPECT_EQ(parse_axis("tree=root,binary")->parameter, parse_axis("tree_shape=root")->parameter) << "as in a scenario";
  EXPECT_NE(problem("external_bandwith=1").find("did you mean 'external_bandwidth'?"), std::string::npos) << problem("external_bandwith=1");
  // Every parameter has one: the message that lists all keys has as many without a point as with one.
  const std::string all = problem("zzzzzzzzzzzz=1");
  std::size_t parameters = 0;
  for (const Component* component : all_components()) parameters += component->parameters.size();
  EXPECT_EQ(std::count(all.begin(), all.end(), '.'), static_cast<std::ptrdiff_t>(parameters)) << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), ','), static_cast<std::ptrdiff_t>(2 * parameters - 1)) << all;
}

TEST(Sweep, WhatIsWrong) {
  EXPECT_NE(problem("external_link.bandwith=1").find("did you mean 'external_link.bandwidth'?"), std::string::npos)
      << problem("external_link.bandwith=1");
  EXPECT_NE(problem("external_link.bandwidth").find("KEY=V1,V2,... is wanted"), std::string::npos);
  EXPECT_NE(problem("external_link.bandwidth=").find("KEY=V1,V2,... is wanted"), std::string::npos);
  EXPECT_NE(problem("external_link.bandwidth=1,,2").find("'' is no value"), std::string::npos);
  EXPECT_NE(problem("external_link.bandwidth=-1").find("'-1' is no value"), std::string::npos);
  EXPECT_NE(problem("external_link.bandwidth=0").find("must be from 1 to"), std::string::npos);
  EXPECT_NE(problem("tree.root_links=2MiB").find("'2MiB' is no value"), std::string::npos);
  EXPECT_NE(problem("tree.shape=ring").find("'ring' is no value"), std::string::npos);
}

TEST(Sweep, CombinationsWithTheLastFastest) {
  const std::vector<Axis> axes{*parse_axis("tree.root_links=1,2"), *parse_axis("page_pool.size=0,1,2")};
  const auto all = combinations(axes);
  ASSERT_TRUE(all);
  EXPECT_EQ(*all, (std::vector<std::vector<std::size_t>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_FALSE(combinations({axes[0], axes[0]}));
  EXPECT_FALSE(combinations({*parse_axis("burst_buffer=0"), *parse_axis("burst_buffer.size=0")})) << "the same under two names";
}

TEST(Sweep, ChangesWhatItSaysAndNothingElse) {
  Architecture base;
  base.disk_bandwidth = 77;
  const auto sweep = plan_sweep(base, {"external_bandwidth=1,2", "burst_buffer=0,16GiB"});
  ASSERT_TRUE(sweep) << sweep.error().message;
  ASSERT_EQ(sweep->combinations.size(), 4u);
  Architecture wanted = base;
  wanted.external_bandwidth = 2;
  EXPECT_EQ(sweep->architecture(2), wanted);
  wanted.burst_buffer = 16 * GiB;
  EXPECT_EQ(sweep->architecture(3), wanted);
  EXPECT_FALSE(plan_sweep(base, {"burst_buffer=16GiB,1"})) << "a request would never fit";
}

}  // namespace
}  // namespace fathom::simulate
