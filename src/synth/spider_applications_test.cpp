// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_applications.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace fathom::titan {
namespace {

TEST(SpiderApplications, PseudoApplicationsAreThoseOfTableIII) {
  // Liu et al., Table III: nodes, I/O interval, iterations, burst volume; "GB" taken as 2^30 bytes.
  struct Row {
    std::string_view name;
    std::uint32_t nodes;
    int period;
    std::uint32_t least, most;
    std::uint64_t gibibytes;
  };
  constexpr Row table[] = {{"IOR_A", 256, 300, 6, 8, 1024},   {"IOR_B", 512, 250, 6, 10, 2048},  {"IOR_C", 128, 450, 4, 6, 1024},
                           {"IOR_D", 1024, 600, 4, 5, 2048},  {"IOR_E", 128, 100, 10, 20, 1024}, {"IOR_F", 128, 80, 15, 25, 1024},
                           {"IOR_G", 256, 600, 12, 20, 2048}, {"IOR_H", 64, 500, 4, 6, 64}};
  const auto apps = applications(1);
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const Application& app = apps[i];
    SCOPED_TRACE(table[i].name);
    EXPECT_EQ(app.name, table[i].name);
    EXPECT_EQ(app.kind, Kind::pseudo);
    EXPECT_EQ(app.nodes, table[i].nodes);
    EXPECT_EQ(app.period, table[i].period * second);
    EXPECT_EQ(app.least_iterations, table[i].least);
    EXPECT_EQ(app.most_iterations, table[i].most);
    EXPECT_EQ(app.burst_bytes, table[i].gibibytes << 30);
    EXPECT_LT(app.quiet_burst() + 20 * second, app.period);  // room to compute
  }
  // 64 GiB through one file of four stripes at 0.9 x 70 MB/s each: 2^36 B / (4 x 63e6 B/s) = 272.7 s, 0.25 GB/s in all.
  EXPECT_EQ(apps[7].model, FileModel::n_to_1);
  EXPECT_EQ(apps[7].footprint, stripe_count);
  EXPECT_NEAR(static_cast<double>(apps[7].quiet_burst()), 272'700, 100);
}

TEST(SpiderApplications, AreDistinctAndFitTheMachine) {
  for (const std::uint64_t seed : {1u, 2u, 99u}) {
    std::set<std::tuple<std::string, std::string, std::uint32_t>> tuples;
    std::size_t periodic = 0;
    const auto apps = applications(seed);
    EXPECT_GT(apps.size(), 3000u);
    for (const Application& app : apps) {
      EXPECT_TRUE(tuples.emplace(app.user, app.name, app.nodes).second) << app.name;
      EXPECT_EQ(app.name.find('|'), std::string::npos);
      EXPECT_GE(app.nodes, 1u);
      EXPECT_LE(app.nodes, node_count);
      EXPECT_LE(app.footprint, partition_osts);
      if (app.kind != Kind::periodic) continue;
      ++periodic;
      EXPECT_LT(app.quiet_burst(), app.period / 2) << app.name;
    }
    EXPECT_EQ(periodic, 32u);  // eight like those of Table II, two dozen more
  }
}

TEST(SpiderApplications, LongLogsHaveMoreOfTheSilentOnes) {
  const auto month = applications(3, {}, 30), months = applications(3, {}, 150);
  EXPECT_EQ(month.size(), applications(3).size());
  EXPECT_EQ(months.size(), month.size() + 5940);  // 120 x 49.5
  for (std::size_t i = 0; i < month.size(); ++i) EXPECT_EQ(months[i].name, month[i].name);
  for (std::size_t i = month.size(); i < months.size(); ++i) EXPECT_EQ(months[i].kind, Kind::silent);
}

TEST(SpiderApplications, AreTheSameForASeed) {
  const auto one = applications(7), again = applications(7), other = applications(8);
  ASSERT_EQ(one.size(), again.size());
  std::size_t same_as_other = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].user + one[i].name, again[i].user + again[i].name);
    EXPECT_EQ(one[i].burst_bytes, again[i].burst_bytes);
    if (i < other.size() && one[i].user == other[i].user) ++same_as_other;
  }
  EXPECT_LT(same_as_other, 20u);  // the pseudo-applications' user is always the same
}

}  // namespace
}  // namespace fathom::titan
