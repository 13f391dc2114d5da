// SPDX-License-Identifier: Apache-2.0
/// OPTICS (Ankerst, Breunig, Kriegel, Sander 1999): points in an order in which neighbours of a dense region follow one another.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mine/places.h"

namespace fathom::mine {

struct OpticsSettings {
  std::uint32_t min_points =
      5;  // a point is core if so many points, itself included, are within max_eps; with 1 or 2, density plays no role
  double max_eps = std::numeric_limits<double>::infinity();
};

/// All but `order` are by point. The plot of reachabilities in `order` has a valley for each dense region.
struct Reachability {
  std::vector<std::uint32_t> order;
  std::vector<double> reachability;        // infinite: reached from no point before it
  std::vector<double> core_distance;       // to the min_points-th nearest, itself the first; infinite: farther than max_eps
  std::vector<std::uint32_t> predecessor;  // the point it was reached from, or no_point
};

/// Next comes the point with the lowest reachability, max(core distance of p, distance from p) over all core points p before it that
/// are within max_eps (inclusive). Ties: the lowest index; and the predecessor is the first p in the order that gives the lowest
/// reachability. That is scikit-learn's rule, but it rounds to 15 decimals first; here only equal distances are ties.
/// The result is exact. Time and memory do not depend on how many points are within max_eps of each other.
Reachability optics(std::span<const Point> points, const OpticsSettings& settings);
/// The same, of points whose squared core distances are known by place (see squared_core_distances).
Reachability optics(const Places& places, std::vector<double> squared_core, double max_eps);

}  // namespace fathom::mine
