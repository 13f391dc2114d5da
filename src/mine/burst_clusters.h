// SPDX-License-Identifier: Apache-2.0
/// Groups of bursts that resemble one another, of all runs of an application together: candidates for one I/O pattern each (AID, section
/// III-B).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mine/burst_scale.h"
#include "mine/xi_clusters.h"

namespace fathom::mine {

struct BurstClusterSettings {
  std::uint32_t min_points = 5;
  std::uint32_t min_cluster_size = 5;
  double xi = 0.03;

  /// What finds patterns among so many bursts: half the root of their number as min_points, and a xi that falls with the root, because the
  /// more points there are the smaller are the steps of the plot, at the edge of a cluster too. Chosen by trying, on made-up applications
  /// with 1 to 4 patterns 2 to 15 % wide that have half of all bursts, the rest being noise over decades: the cluster that matched a
  /// pattern best had on average an F1 of 0.92 (100 bursts), 0.93 (300), 0.95 (1000), 0.96 (4000), 0.95 (20,000) and 0.93 (60,000), among
  /// 12 to 27 clusters in all. With min_points 5 and xi 0.05 throughout there are hundreds; with xi 0.03 throughout patterns of 20,000 are
  /// missed.
  static BurstClusterSettings of(std::size_t bursts);
};

struct BurstClusters {
  /// All clusters of the hierarchy, one within another: which of them is a pattern is for their regularity to tell. The innermost alone
  /// will not do: chance makes clusters within a pattern, and they have its period, but not all of its bursts.
  std::vector<XiClusters::Cluster> clusters;
  std::vector<std::uint32_t> order;  // of the bursts; a cluster is a stretch of it
  std::vector<std::uint32_t> label;  // by burst: the innermost cluster, or `noise`
  std::size_t left_out = 0;          // bursts without height or area: noise
  double max_eps = 1;

  std::span<const std::uint32_t> bursts(const XiClusters::Cluster& cluster) const {
    return std::span(order).subspan(cluster.first, cluster.last - cluster.first + 1);
  }
};

BurstClusters cluster_bursts(std::span<const BurstSize> bursts, const BurstClusterSettings& settings);

}  // namespace fathom::mine
