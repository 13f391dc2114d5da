// SPDX-License-Identifier: Apache-2.0
// optics_points < TEXT: what src/mine makes of points, as JSON, to be compared with what others make of them.
// The text: min_points, max_eps, the number of points, their x and y; then any number of pairs xi and min_cluster_size.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <string>

#include "mine/optics.h"
#include "mine/xi_clusters.h"

namespace {

using namespace fathom::mine;

/// The shortest text that reads back as the same number.
std::string as_json(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ",") + (std::isinf(value) ? "Infinity" : fmt::format("{}", value));
  return "[" + text + "]";
}

/// no_point and noise are -1 elsewhere.
std::string as_json(const std::vector<std::uint32_t>& values) {
  std::string text;
  for (const std::uint32_t value : values) text += fmt::format("{}{}", text.empty() ? "" : ",", static_cast<std::int32_t>(value));
  return "[" + text + "]";
}

std::string as_json(const std::vector<XiClusters::Cluster>& clusters) {
  std::string text;
  for (const auto& each : clusters) text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", each.first, each.last);
  return "[" + text + "]";
}

}  // namespace

int main() {
  OpticsSettings settings;
  std::string max_eps;
  std::size_t count = 0;
  std::cin >> settings.min_points >> max_eps >> count;
  settings.max_eps = std::stod(max_eps);  // streams do not read `inf`
  std::vector<Point> points(count);
  for (Point& each : points) std::cin >> each.x >> each.y;
  if (!std::cin) return fmt::print(stderr, "optics_points: the text ends before the last point\n"), 1;
  const Reachability plot = optics(points, settings);
  fmt::print("{{\"order\":{},\"reachability\":{},\"core_distance\":{},\"predecessor\":{},\"extractions\":[", as_json(plot.order),
             as_json(plot.reachability), as_json(plot.core_distance), as_json(plot.predecessor));
  XiSettings extraction{.min_points = settings.min_points};
  for (bool first = true; std::cin >> extraction.xi >> extraction.min_cluster_size; first = false) {
    const XiClusters found = xi_clusters(plot, extraction);
    fmt::print("{}{{\"clusters\":{},\"label\":{}}}", first ? "" : ",", as_json(found.clusters), as_json(found.label));
  }
  fmt::print("]}}\n");
}
