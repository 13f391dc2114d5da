// SPDX-License-Identifier: Apache-2.0
#include "mine/optics.h"

#include <cassert>
#include <cmath>

#include "mine/frontier.h"

namespace fathom::mine {

Reachability optics(std::span<const Point> points, const OpticsSettings& settings) {
  assert(settings.min_points >= 1);
  const Places places = distinct_places(points);
  return optics(places, squared_core_distances(places, settings.min_points), settings.max_eps);
}

Reachability optics(const Places& places, std::vector<double> squared_core, double max_eps) {
  assert(max_eps >= 0);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::size_t count = places.points.size();
  Reachability found{.order = {},
                     .reachability = std::vector<double>(count, infinite),
                     .core_distance = std::vector<double>(count),
                     .predecessor = std::vector<std::uint32_t>(count, no_point)};
  if (count == 0) return found;

  const double max_squared = max_eps * max_eps;
  for (double& squared : squared_core)
    if (squared > max_squared) squared = infinite;
  for (std::size_t i = 0; i < count; ++i) found.core_distance[i] = std::sqrt(squared_core[places.of_point[i]]);

  Frontier frontier(places, squared_core, max_squared);
  found.order.reserve(count);
  while (found.order.size() < count) {
    const Frontier::Step step = frontier.next();
    frontier.reach(step.point);
    found.order.push_back(step.point);
    found.reachability[step.point] = std::sqrt(step.squared);
    found.predecessor[step.point] = step.origin;
  }
  return found;
}

}  // namespace fathom::mine
