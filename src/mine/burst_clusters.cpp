// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_clusters.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::mine {

BurstClusterSettings BurstClusterSettings::of(std::size_t bursts) {
  const double root = std::sqrt(static_cast<double>(bursts));
  BurstClusterSettings settings;
  settings.min_points = static_cast<std::uint32_t>(std::clamp(root / 2, 5.0, 30.0));
  settings.xi = std::min(settings.xi, 1 / root);
  settings.min_cluster_size = std::max(settings.min_points, static_cast<std::uint32_t>(bursts / 100));
  return settings;
}

BurstClusters cluster_bursts(std::span<const BurstSize> bursts, const BurstClusterSettings& settings) {
  const ScaledBursts plane = scaled(bursts);
  BurstClusters found;
  found.left_out = plane.left_out;
  const Places places = distinct_places(plane.points);
  std::vector<double> squared_core = squared_core_distances(places, settings.min_points);
  found.max_eps = sensible_max_eps(places, squared_core, settings.min_points);
  const Reachability plot = optics(places, std::move(squared_core), found.max_eps);
  XiClusters valleys = xi_clusters(plot, {settings.xi, settings.min_points, settings.min_cluster_size});
  found.clusters = std::move(valleys.clusters);
  found.label.assign(bursts.size(), noise);
  for (const std::uint32_t point : plot.order) {
    found.order.push_back(plane.burst[point]);
    found.label[plane.burst[point]] = valleys.label[point];
  }
  return found;
}

}  // namespace fathom::mine
