// SPDX-License-Identifier: Apache-2.0
#include "mine/places.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <nanoflann.hpp>
#include <numeric>

namespace fathom::mine {
namespace {

/// How nanoflann sees the places.
struct Cloud {
  const std::vector<Point>& at;

  std::size_t kdtree_get_point_count() const { return at.size(); }
  double kdtree_get_pt(std::size_t place, std::size_t axis) const { return axis == 0 ? at[place].x : at[place].y; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud, 2, std::uint32_t>;

}  // namespace

Places distinct_places(std::span<const Point> points) {
  assert(points.size() < no_point / 2);
  assert(std::all_of(points.begin(), points.end(), [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }));
  Places places;
  places.points.resize(points.size());
  std::iota(places.points.begin(), places.points.end(), 0u);
  std::sort(places.points.begin(), places.points.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Point p = points[a], q = points[b];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
  });
  places.of_point.resize(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Point here = points[places.points[i]];
    if (i == 0 || here.x != places.at.back().x || here.y != places.at.back().y) {
      places.at.push_back(here);
      places.first.push_back(i);
    }
    places.of_point[places.points[i]] = static_cast<std::uint32_t>(places.size() - 1);
  }
  places.first.push_back(static_cast<std::uint32_t>(points.size()));
  return places;
}

std::vector<double> squared_core_distances(const Places& places, std::uint32_t min_points) {
  std::vector<double> squared(places.size(), std::numeric_limits<double>::infinity());
  if (min_points == 0 || places.points.size() < min_points) return squared;
  const Cloud cloud{places.at};
  const Tree tree(2, cloud);
  // So many places hold at least so many points, whatever their counts.
  const std::size_t asked = std::min<std::size_t>(min_points, places.size());
  std::vector<std::uint32_t> near(asked);
  std::vector<double> distances(asked);
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (places.count(place) >= min_points) {
      squared[place] = 0;
      continue;
    }
    nanoflann::KNNResultSet<double, std::uint32_t> nearest(asked);
    nearest.init(near.data(), distances.data());
    const double here[] = {places.at[place].x, places.at[place].y};
    tree.findNeighbors(nearest, here, nanoflann::SearchParams());
    std::uint64_t points = 0;
    for (std::size_t i = 0; i < asked && points < min_points; ++i) {
      points += places.count(near[i]);
      squared[place] = distances[i];
    }
  }
  return squared;
}

std::vector<double> core_distances(std::span<const Point> points, std::uint32_t min_points) {
  const Places places = distinct_places(points);
  const std::vector<double> squared = squared_core_distances(places, min_points);
  std::vector<double> distances(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) distances[i] = std::sqrt(squared[places.of_point[i]]);
  return distances;
}

}  // namespace fathom::mine
