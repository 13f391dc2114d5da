// SPDX-License-Identifier: Apache-2.0
#include "mine/xi_clusters.h"

#include <gtest/gtest.h>

#include <numeric>

namespace fathom::mine {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using Clusters = std::vector<XiClusters::Cluster>;
using Labels = std::vector<std::uint32_t>;

/// Points in the order of the plot, each reached from the one before it.
Reachability plot_of(std::vector<double> heights) {
  Reachability plot;
  plot.order.resize(heights.size());
  std::iota(plot.order.begin(), plot.order.end(), 0u);
  plot.core_distance.resize(heights.size());
  for (std::uint32_t i = 0; i < heights.size(); ++i) plot.predecessor.push_back(i == 0 ? no_point : i - 1);
  plot.reachability = std::move(heights);
  return plot;
}

TEST(XiClusters, NothingAndAPlain) {
  EXPECT_TRUE(xi_clusters(Reachability{}, {}).clusters.empty());
  // Nobody was reached: infinite from end to end, no way down.
  const XiClusters none = xi_clusters(plot_of({infinite, infinite, infinite}), {});
  EXPECT_TRUE(none.clusters.empty());
  EXPECT_EQ(none.label, Labels(3, noise));
}

TEST(XiClusters, TwoValleysInOne) {
  // inf 1 1 1 5 1 1 1 (inf), xi 0.5: steep down at 0 (inf to 1) and at 4 (5 to 1), steep up at 3 (1 to 5) and at 7 (1 to inf).
  // Up at 3: with the way down at 0, places 0 to 3. Up at 7: with the way down at 4, places 4 to 7 (the height before is 5, the highest
  // inside 1); with the one at 0: the highest inside is 5, less than half of infinite: 0 to 7. Innermost are the first two.
  const XiClusters found = xi_clusters(plot_of({infinite, 1, 1, 1, 5, 1, 1, 1}), {.xi = 0.5, .min_points = 2, .min_cluster_size = 3});
  EXPECT_EQ(found.clusters, (Clusters{{0, 3}, {4, 7}, {0, 7}}));
  EXPECT_EQ(found.label, (Labels{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(found.leaves, 2u);
}

TEST(XiClusters, SmallOnesDoNotCount) {
  // The same plot; only the outer valley has five points.
  const XiClusters found = xi_clusters(plot_of({infinite, 1, 1, 1, 5, 1, 1, 1}), {.xi = 0.5, .min_points = 2, .min_cluster_size = 5});
  EXPECT_EQ(found.clusters, (Clusters{{0, 7}}));
  EXPECT_EQ(found.label, Labels(8, 0));
}

/// inf 10 10 10 1 1 1 6 12 (inf), xi 0.3, one flat point allowed: ways down at 0 and, after two flat points, at 3; one way up, 6 to 8.
Reachability valley_with_a_rim() { return plot_of({infinite, 10, 10, 10, 1, 1, 1, 6, 12}); }
constexpr XiSettings rim_settings{.xi = 0.3, .min_points = 1, .min_cluster_size = 3};

TEST(XiClusters, ALastPointReachedFromOutsideIsNoMember) {
  // The valley from 3 ends at 8 (no height before 8 is above 10). Place 8 is at 12, not below the 10 of the beginning, and was reached
  // from place 0, outside: it goes. Place 7 is at 6: it stays.
  Reachability plot = valley_with_a_rim();
  plot.predecessor[8] = 0;
  const XiClusters found = xi_clusters(plot, rim_settings);
  EXPECT_EQ(found.clusters, (Clusters{{3, 7}, {0, 8}}));
  EXPECT_EQ(found.label, (Labels{noise, noise, noise, 0, 0, 0, 0, 0, noise}));
}

TEST(XiClusters, ALastPointReachedFromInsideIsAMember) {
  Reachability plot = valley_with_a_rim();
  plot.predecessor[8] = 5;
  EXPECT_EQ(xi_clusters(plot, rim_settings).clusters, (Clusters{{3, 8}, {0, 8}}));
}

TEST(XiClusters, TheHigherEndIsCut) {
  // inf 8 4 1 1 1 (then 3, level): xi 0.2. The way down is 0 to 2, the way up at 5 (1 to 3). The end is 3; the beginning, infinite, is
  // cut to the first place from which the next is not above 3: place 2 (4, then 1).
  const XiClusters found =
      xi_clusters(plot_of({infinite, 8, 4, 1, 1, 1, 3, 3, 3, 3, 3}), {.xi = 0.2, .min_points = 2, .min_cluster_size = 3});
  ASSERT_FALSE(found.clusters.empty());
  EXPECT_EQ(found.clusters[0], (XiClusters::Cluster{2, 5}));
}

TEST(XiClusters, EqualPointsAreACluster) {
  // Heights of zero: from infinite to 0 is steep down, from 0 to 0 has no ratio and is level, from 0 to infinite is steep up.
  const XiClusters found = xi_clusters(plot_of({infinite, 0, 0, 0, 0}), {.xi = 0.05, .min_points = 2, .min_cluster_size = 2});
  EXPECT_EQ(found.clusters, (Clusters{{0, 4}}));
}

TEST(XiClusters, LabelsAreByPointAndNotByPlace) {
  Reachability plot = plot_of({infinite, infinite, 1, 1});
  plot.order = {3, 1, 0, 2};  // point 3 alone, then points 1, 0 and 2 together
  plot.reachability = {1, infinite, 1, infinite};
  plot.predecessor = {1, no_point, 0, no_point};
  const XiClusters found = xi_clusters(plot, {.xi = 0.1, .min_points = 2, .min_cluster_size = 2});
  EXPECT_EQ(found.clusters, (Clusters{{1, 3}}));
  EXPECT_EQ(found.label, (Labels{0, 0, 0, noise}));
}

}  // namespace
}  // namespace fathom::mine
