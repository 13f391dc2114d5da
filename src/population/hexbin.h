// SPDX-License-Identifier: Apache-2.0
/// Hexagonal binning of two values of each job, on log or linear axes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "population/histogram.h"

namespace fathom {

/// A regular lattice of hexagons that stand on a corner, stretched to radii (rx, ry): neighbours in a row are sqrt(3) rx apart, rows
/// 1.5 ry, every other row shifted by half a step. One centre is at (0, 0).
struct HexGrid {
  double rx = 1, ry = 1;

  struct Place {
    std::int64_t column = 0, row = 0;
    auto operator<=>(const Place&) const = default;
  };
  /// The hexagon around a point: that with the nearest centre when both axes are scaled to radius 1.
  Place place_of(double u, double v) const;
  std::array<double, 2> centre(Place place) const;
};

struct Hexagon {
  double x, y;  // centre, in values (not logarithms)
  std::uint64_t count;
};

struct Hexbin {
  HexGrid grid;  // in axis units: decades on a log axis, values on a linear one
  std::vector<Hexagon> hexagons;
  std::uint64_t undefined = 0;  // one of the two values is not there
  std::uint64_t off_axis = 0;   // one of the two is 0 and has no place on its log axis
};

/// About `columns` hexagons across the range of the values. Both lists are of the same jobs, in order.
Hexbin hexbin(std::span<const double> x, Scale x_scale, std::span<const double> y, Scale y_scale, std::size_t columns);

}  // namespace fathom
