// SPDX-License-Identifier: Apache-2.0
#include "population/hexbin.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace fathom {
namespace {

double position(double value, Scale scale) { return scale == Scale::log ? std::log10(value) : value; }
double value_at(double position, Scale scale) { return scale == Scale::log ? std::pow(10.0, position) : position; }

/// The part of an axis that is in use; fractions always have all of theirs, so that plots can be compared.
struct Extent {
  Scale scale;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double u) {
    low = std::min(low, u);
    high = std::max(high, u);
  }
  double length() const {
    if (scale == Scale::linear && low >= 0 && high <= 1) return 1;
    return std::max(high - low, scale == Scale::log ? 1.0 : std::numeric_limits<double>::min());
  }
};

}  // namespace

HexGrid::Place HexGrid::place_of(double u, double v) const {
  const double x = u / rx / std::numbers::sqrt3, y = v / ry / 1.5;
  Place best;
  double least = std::numeric_limits<double>::infinity();
  // No point is farther than 1 from its centre, and rows are 1.5 apart: it is in one of the two rows around it.
  for (const std::int64_t row : {static_cast<std::int64_t>(std::floor(y)), static_cast<std::int64_t>(std::floor(y)) + 1}) {
    const double shift = row % 2 != 0 ? 0.5 : 0;
    const double column = std::round(x - shift);
    const double across = (x - shift - column) * std::numbers::sqrt3, up = (y - static_cast<double>(row)) * 1.5;
    const double distance = across * across + up * up;
    if (distance < least) best = {static_cast<std::int64_t>(column), row}, least = distance;
  }
  return best;
}

std::array<double, 2> HexGrid::centre(Place place) const {
  const double shift = place.row % 2 != 0 ? 0.5 : 0;
  return {(static_cast<double>(place.column) + shift) * std::numbers::sqrt3 * rx, static_cast<double>(place.row) * 1.5 * ry};
}

Hexbin hexbin(std::span<const double> x, Scale x_scale, std::span<const double> y, Scale y_scale, std::size_t columns) {
  assert(x.size() == y.size());
  Hexbin result;
  std::vector<std::array<double, 2>> points;
  Extent across{x_scale}, up{y_scale};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      ++result.undefined;
    } else if ((x_scale == Scale::log && x[i] <= 0) || (y_scale == Scale::log && y[i] <= 0)) {
      ++result.off_axis;
    } else {
      points.push_back({position(x[i], x_scale), position(y[i], y_scale)});
      across.add(points.back()[0]);
      up.add(points.back()[1]);
    }
  }
  if (points.empty()) return result;
  // As many rows as make hexagons regular on a square plot; an even number, so that (1, 1) is a centre if (0, 0) is.
  const double rows = 2 * std::round(static_cast<double>(columns) * std::numbers::sqrt3 / 3);
  result.grid = {across.length() / (std::numbers::sqrt3 * static_cast<double>(columns)), up.length() / (1.5 * std::max(rows, 2.0))};
  std::map<HexGrid::Place, std::uint64_t> counts;
  for (const auto& [u, v] : points) ++counts[result.grid.place_of(u, v)];
  for (const auto& [place, count] : counts) {
    const auto [u, v] = result.grid.centre(place);
    result.hexagons.push_back({value_at(u, x_scale), value_at(v, y_scale), count});
  }
  return result;
}

}  // namespace fathom
