// SPDX-License-Identifier: Apache-2.0
#include "sharing/capacity.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fathom::sharing {

Capacity::Capacity(std::vector<Point> points) : points_(std::move(points)) {
  assert(!points_.empty());
  assert(std::is_sorted(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.writers < b.writers; }));
}

double Capacity::at(std::uint64_t writers) const {
  const auto above =
      std::lower_bound(points_.begin(), points_.end(), writers, [](const Point& point, std::uint64_t n) { return point.writers < n; });
  if (above == points_.end()) return points_.back().rate;
  if (above == points_.begin() || above->writers == writers) return above->rate;
  const Point& below = *(above - 1);
  return std::lerp(below.rate, above->rate,
                   static_cast<double>(writers - below.writers) / static_cast<double>(above->writers - below.writers));
}

}  // namespace fathom::sharing
