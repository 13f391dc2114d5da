// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fathom::mine {
namespace {

struct MadeBursts {
  std::vector<BurstSize> bursts;
  std::vector<int> pattern;  // -1: noise
};

struct Pattern {
  double height, area, spread;
};

/// Half of the bursts belong to patterns, in turn, the rest to other applications.
MadeBursts made(std::size_t count, const std::vector<Pattern>& patterns, Random& random) {
  MadeBursts result;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      const std::size_t which = i / 2 % patterns.size();
      const Pattern& p = patterns[which];
      result.bursts.push_back({random.lognormal(p.height, p.spread), random.lognormal(p.area, p.spread)});
      result.pattern.push_back(static_cast<int>(which));
    } else {
      const double height = random.lognormal(5e9, 1.5);
      result.bursts.push_back({height, height * random.lognormal(20, 1.2)});
      result.pattern.push_back(-1);
    }
  }
  return result;
}

/// The harmonic mean of precision and recall of the cluster that matches a pattern best.
double best_match(const BurstClusters& found, const MadeBursts& made, int pattern) {
  const auto belongs = [&](std::uint32_t burst) { return made.pattern[burst] == pattern; };
  const auto all = static_cast<double>(std::count(made.pattern.begin(), made.pattern.end(), pattern));
  double best = 0;
  for (const auto& cluster : found.clusters) {
    const auto bursts = found.bursts(cluster);
    const auto right = static_cast<double>(std::count_if(bursts.begin(), bursts.end(), belongs));
    best = std::max(best, 2 * right / (static_cast<double>(bursts.size()) + all));
  }
  return best;
}

TEST(BurstClusters, FindsPatternsOfVeryDifferentWidths) {
  // Height and area of a checkpoint, a restart and an analysis, 1, 4 and 10 % wide, apart by factors of 4 and more. The bounds are not
  // derived: 0.79 is the worst and 0.925 the worst mean that were seen.
  const std::vector<Pattern> patterns{{2e10, 1e12, 0.01}, {8e10, 1e13, 0.04}, {5e9, 3e10, 0.1}};
  for (const std::size_t count : {300u, 1000u, 5000u}) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Random random(seed);
      const MadeBursts bursts = made(count, patterns, random);
      const BurstClusters found = cluster_bursts(bursts.bursts, BurstClusterSettings::of(count));
      for (int pattern = 0; pattern < 3; ++pattern) {
        const double match = best_match(found, bursts, pattern);
        EXPECT_GT(match, 0.7) << count << " bursts, seed " << seed << ", pattern " << pattern;
        sum += match;
      }
    }
    EXPECT_GT(sum / 15, 0.9) << count << " bursts";
  }
}

TEST(BurstClusters, NoUnitMattersAndLeftOutBurstsAreNoise) {
  Random random(9);
  MadeBursts bytes = made(400, {{2e10, 1e12, 0.02}}, random), mebibytes = bytes;
  for (BurstSize& each : mebibytes.bursts) each = {std::ldexp(each.height, -20), std::ldexp(each.area, -20)};
  bytes.bursts.push_back({0, 5});
  mebibytes.bursts.push_back({0, 5});
  const auto settings = BurstClusterSettings::of(400);
  const BurstClusters a = cluster_bursts(bytes.bursts, settings), b = cluster_bursts(mebibytes.bursts, settings);
  EXPECT_FALSE(a.clusters.empty());
  EXPECT_EQ(a.clusters, b.clusters);
  EXPECT_EQ(a.left_out, 1u);
  EXPECT_EQ(a.label.back(), noise);
  EXPECT_EQ(a.order.size(), 400u);
}

TEST(BurstClusters, AClusterComesAfterThoseWithinIt) {
  Random random(10);
  for (int round = 0; round < 20; ++round) {
    const MadeBursts bursts = made(500, {{2e10, 1e12, 0.02}, {2.2e10, 1.1e12, 0.05}}, random);
    const auto clusters = cluster_bursts(bursts.bursts, {.min_points = 5, .min_cluster_size = 5, .xi = 0.02}).clusters;
    ASSERT_GT(clusters.size(), 10u);
    for (std::size_t outer = 0; outer < clusters.size(); ++outer)
      for (std::size_t inner = outer + 1; inner < clusters.size(); ++inner)
        ASSERT_FALSE(clusters[outer].first <= clusters[inner].first && clusters[inner].last <= clusters[outer].last);
  }
}

TEST(BurstClusters, NoneOfNothingAndOneOfEqualBursts) {
  EXPECT_TRUE(cluster_bursts({}, {}).clusters.empty());
  const BurstClusters same = cluster_bursts(std::vector<BurstSize>(50, BurstSize{1e9, 1e11}), {});
  ASSERT_EQ(same.clusters.size(), 1u);
  EXPECT_EQ(same.bursts(same.clusters[0]).size(), 50u);
}

}  // namespace
}  // namespace fathom::mine
