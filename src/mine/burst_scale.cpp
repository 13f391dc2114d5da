// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_scale.h"

#include <algorithm>
#include <cmath>

namespace fathom::mine {
namespace {

/// Between two neighbours in rank, in proportion. The values are sorted and there is one at least.
double quantile(std::span<const double> sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

BurstAxis robust_axis(std::vector<double> logs) {
  if (logs.empty()) return {};
  std::sort(logs.begin(), logs.end());
  const double range = quantile(logs, 0.95) - quantile(logs, 0.05);
  return {quantile(logs, 0.5), std::max(range / 3.29, least_spread)};
}

bool usable(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

ScaledBursts scaled(std::span<const BurstSize> bursts) {
  ScaledBursts result;
  std::vector<double> heights, areas;
  for (std::uint32_t i = 0; i < bursts.size(); ++i) {
    if (!usable(bursts[i].height) || !usable(bursts[i].area)) {
      ++result.left_out;
      continue;
    }
    result.burst.push_back(i);
    heights.push_back(std::log(bursts[i].height));
    areas.push_back(std::log(bursts[i].area));
  }
  result.height = robust_axis(heights);
  result.area = robust_axis(areas);
  for (std::size_t i = 0; i < heights.size(); ++i)
    result.points.push_back(
        {(heights[i] - result.height.centre) / result.height.spread, (areas[i] - result.area.centre) / result.area.spread});
  return result;
}

double sensible_max_eps(std::span<const Point> points, std::uint32_t min_points) {
  const Places places = distinct_places(points);
  return sensible_max_eps(places, squared_core_distances(places, min_points), min_points);
}

double sensible_max_eps(const Places& places, std::span<const double> squared_core, std::uint32_t min_points) {
  if (places.points.size() < min_points || places.points.empty()) return 1;
  std::vector<double> distances;
  for (const std::uint32_t place : places.of_point) distances.push_back(std::sqrt(squared_core[place]));
  std::sort(distances.begin(), distances.end());
  if (const double chosen = quantile(distances, 0.98); chosen > 0) return chosen;
  const auto positive = std::upper_bound(distances.begin(), distances.end(), 0.0);
  return positive == distances.end() ? 1 : *positive;
}

}  // namespace fathom::mine
