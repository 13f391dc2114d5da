// SPDX-License-Identifier: Apache-2.0
/// Points of a plane, and the distinct places where they are: points that are equal count at one place.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fathom::mine {

struct Point {
  double x = 0, y = 0;
};

inline constexpr std::uint32_t no_point = std::numeric_limits<std::uint32_t>::max();

struct Places {
  std::vector<Point> at;              // in order of x, then y
  std::vector<std::uint32_t> first;   // where the points of a place begin in `points`; one more at the end
  std::vector<std::uint32_t> points;  // place by place, rising within a place
  std::vector<std::uint32_t> of_point;

  std::size_t size() const { return at.size(); }
  std::uint32_t count(std::size_t place) const { return first[place + 1] - first[place]; }
};

/// All coordinates are finite, and there are fewer than 2^31 points.
Places distinct_places(std::span<const Point> points);

/// The square of each place's core distance (Ankerst et al. 1999, definition 5): to the `min_points`-th nearest point, a point of the place
/// itself being the first. Infinite where there are fewer points. By nanoflann; O(places log(places) min_points) in practice.
std::vector<double> squared_core_distances(const Places& places, std::uint32_t min_points);

/// The core distance of each point: what a plot of k-distances shows.
std::vector<double> core_distances(std::span<const Point> points, std::uint32_t min_points);

}  // namespace fathom::mine
