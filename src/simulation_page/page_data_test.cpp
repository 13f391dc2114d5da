// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "simulation_page/comparison_data.h"
#include "simulation_page/sweep_data.h"
#include "simulation_page/verification_data.h"

namespace fathom::simulation_page {
namespace {

using Json = nlohmann::ordered_json;
using namespace simulate;

constexpr Picoseconds s = picoseconds_per_second;

Comparison comparison_of(const std::vector<Pair>& nodes) {
  Comparison found;
  found.node_io_time = nodes;
  found.changed.nodes.resize(nodes.size());
  return found;
}

Work work_of(std::size_t nodes) {
  Work work;
  for (std::size_t n = 0; n < nodes; ++n) work.nodes.push_back({std::to_string(n), 1, {}});
  return work;
}

TEST(ComparisonData, OneBarForEachNodeOfFew) {
  const Json page = comparison_data({}, {}, work_of(2), comparison_of({{3 * s, 1 * s}, {2 * s, 4 * s}}));
  const Json& bars = page["comparison"]["nodes"];
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_EQ(bars[0], (Json{{"name", "0"}, {"nodes", 1}, {"original", 1}, {"changed", 3}}));
  EXPECT_EQ(bars[1]["changed"], 2);
  EXPECT_TRUE(page["sweep"].is_null() && page["verification"].is_null());
}

/// 1,601 nodes: three to a bar, 533 full bars and one of two. Node n takes n seconds: the first bar is the mean of 0, 1, 2.
TEST(ComparisonData, ManyNodesShareBars) {
  std::vector<Pair> nodes;
  for (int n = 0; n < 1601; ++n) nodes.push_back({2 * n * s, n * s});
  const Json bars = comparison_data({}, {}, work_of(1601), comparison_of(nodes))["comparison"]["nodes"];
  ASSERT_EQ(bars.size(), 534u);
  EXPECT_EQ(bars[0], (Json{{"name", "0 to 2"}, {"nodes", 3}, {"original", 1}, {"changed", 2}}));
  EXPECT_EQ(bars[533], (Json{{"name", "1599 to 1600"}, {"nodes", 2}, {"original", 1599.5}, {"changed", 3199}}));
}

/// Ratios 1, 1, 2 and one job that was not finished: it is nowhere. The bins hold three jobs in all.
TEST(ComparisonData, HistogramOfRatios) {
  Work work = work_of(1);
  Comparison found = comparison_of({{1, 1}});
  for (int i = 0; i < 4; ++i) {
    work.jobs.push_back({std::to_string(i), 0, s, {0}});
    found.jobs.push_back({static_cast<std::size_t>(i), {(i == 2 ? 2 : 1) * s, s}, {(i == 2 ? 4 : 3) * s, 2 * s}, i < 3});
  }
  const Json data = comparison_data({}, {}, work, found)["comparison"];
  const Json& axis = data["io"]["axis"];
  EXPECT_EQ(axis["n"], 3);
  EXPECT_EQ(axis["median"], 1);
  EXPECT_EQ(axis["max"], 2);
  std::uint64_t in_bins = 0, in_first = 0;
  for (const Json& bin : axis["histogram"]) {
    in_bins += bin["count"].get<std::uint64_t>();
    if (bin["from"].get<double>() <= 1 && bin["to"].get<double>() > 1) in_first = bin["count"].get<std::uint64_t>();
  }
  EXPECT_EQ(in_bins, 3u);
  EXPECT_EQ(in_first, 2u);
  EXPECT_NEAR(data["io"]["share_above"].get<double>(), 1.0 / 3, 1e-12);
  ASSERT_EQ(data["slowest"].size(), 3u);
  EXPECT_EQ(data["slowest"][0]["job_id"], "2");
  EXPECT_EQ(data["slowest"][0]["run_time"], (Json{2, 4}));
  EXPECT_EQ(data["finished"], 3);
  EXPECT_TRUE(data["cost"][0].is_null()) << "nobody said a price";
}

TEST(SweepData, CostAndFront) {
  Scenario scenario;
  scenario.prices.external_bandwidth = 10;
  scenario.prices.burst_buffer = 1;
  const Sweep sweep = *plan_sweep({}, {"external_bandwidth=1Gbit/s,10Gbit/s", "burst_buffer=0,20GiB"});
  std::vector<SweepPoint> points(4);
  // Costs of one I/O node: 10, 30, 100, 120. The last is slower than the third and dearer: beaten.
  const double slowdowns[] = {1.5, 1.2, 1.0, 1.1};
  for (std::size_t i = 0; i < 4; ++i) {
    points[i].combination = i;
    points[i].run_ratio = RatioStatistics{1, slowdowns[i], 2, 1, {}, 0};
    points[i].buffered = {0, 0, 1, s};
  }
  const Json data = sweep_data({}, scenario, work_of(1), sweep, points)["sweep"];
  EXPECT_EQ(data["axes"], (Json{"external_bandwidth", "burst_buffer"}));
  EXPECT_EQ(data["original_cost"], 100);
  std::vector<double> costs;
  std::vector<bool> front;
  for (const Json& point : data["points"]) {
    costs.push_back(point["cost"].get<double>());
    front.push_back(point["run_front"].get<bool>());
    EXPECT_FALSE(point["io_front"].get<bool>()) << "no job has an I/O ratio";
    EXPECT_TRUE(point["io"].is_null());
  }
  EXPECT_EQ(costs, (std::vector<double>{10, 30, 100, 120}));
  EXPECT_EQ(front, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(data["points"][1]["values"], (Json{"1Gbit/s", "20GiB"}));
}

/// Node 1 differs, node 0 does not: node 1 comes first. Two intervals of 10 s make two bins of 10 s.
TEST(VerificationData, WhoDiffersMostComesFirst) {
  Verification found;
  const auto interval = [](int i, std::uint64_t real, std::uint64_t simulated) {
    VerifiedInterval each{i * 10 * s, (i + 1) * 10 * s, {}, {}};
    each.real.bytes[0] = real;
    each.simulated.bytes[0] = simulated;
    return each;
  };
  found.nodes = {{interval(0, 1000, 1000), interval(1, 0, 0)}, {interval(0, 100, 60), interval(1, 0, 40)}};
  const Json data = verification_data({}, {}, work_of(2), found)["verification"];
  EXPECT_EQ(data["step"], 10);
  ASSERT_EQ(data["nodes"].size(), 2u);
  const Json& first = data["nodes"][0];
  EXPECT_EQ(first["name"], "1");
  EXPECT_EQ(first["real_read"], (Json{10, 0}));
  EXPECT_EQ(first["simulated_read"], (Json{6, 4}));
  EXPECT_EQ(first["real_write"], (Json{0, 0}));
  EXPECT_EQ(first["error"], 0.8) << "(40 + 40) / 100";
}

/// 5,000 intervals of 3 s with 7 bytes each, in 720 bins: 35,000 bytes.
TEST(VerificationData, BytesAreKeptInBins) {
  Verification found;
  found.nodes.resize(1);
  for (int i = 0; i < 5000; ++i) {
    VerifiedInterval each{i * 3 * s, (i + 1) * 3 * s, {}, {}};
    each.real.bytes[1] = 7;
    found.nodes[0].push_back(each);
  }
  const Json data = verification_data({}, {}, work_of(1), found)["verification"];
  ASSERT_EQ(data["nodes"][0]["real_write"].size(), most_time_bins);
  double bytes = 0;
  for (const Json& value : data["nodes"][0]["real_write"]) bytes += value.get<double>() * data["step"].get<double>();
  EXPECT_NEAR(bytes, 35000, 1);
}

TEST(PageData, NothingIsDrawable) {
  EXPECT_TRUE(comparison_data({}, {}, {}, {})["comparison"]["nodes"].empty());
  EXPECT_TRUE(verification_data({}, {}, {}, {})["verification"]["nodes"].empty());
  EXPECT_TRUE(sweep_data({}, {}, {}, *plan_sweep({}, {"root_links=1"}), {})["sweep"]["points"].empty());
}

}  // namespace
}  // namespace fathom::simulation_page
