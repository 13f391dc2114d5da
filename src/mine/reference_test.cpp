// SPDX-License-Identifier: Apache-2.0
#include "mine/reference_test.h"

#include <algorithm>
#include <cmath>

namespace fathom::mine {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double distance(Point a, Point b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

double core_distance(std::span<const Point> points, Point from, const OpticsSettings& settings) {
  if (points.size() < settings.min_points) return infinite;
  std::vector<double> distances;
  for (const Point each : points) distances.push_back(distance(from, each));
  std::sort(distances.begin(), distances.end());
  const double core = distances[settings.min_points - 1];
  return core <= settings.max_eps ? core : infinite;
}

}  // namespace

Reachability reference_optics(std::span<const Point> points, const OpticsSettings& settings) {
  const std::size_t count = points.size();
  Reachability found{{}, std::vector<double>(count, infinite), {}, std::vector<std::uint32_t>(count, no_point)};
  for (const Point each : points) found.core_distance.push_back(core_distance(points, each, settings));
  std::vector<bool> done(count);
  while (found.order.size() < count) {
    std::uint32_t next = no_point;
    for (std::uint32_t i = 0; i < count; ++i)
      if (!done[i] && (next == no_point || found.reachability[i] < found.reachability[next])) next = i;
    done[next] = true;
    found.order.push_back(next);
    if (found.core_distance[next] == infinite) continue;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double away = distance(points[next], points[i]);
      const double reachability = std::max(away, found.core_distance[next]);
      if (done[i] || away > settings.max_eps || reachability >= found.reachability[i]) continue;
      found.reachability[i] = reachability;
      found.predecessor[i] = next;
    }
  }
  return found;
}

}  // namespace fathom::mine
