// SPDX-License-Identifier: Apache-2.0
#include "population/hexbin.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace fathom {
namespace {

double position(double value, Scale scale) { return scale == Scale::log ? std::log10(value) : value; }
/// As std::floor and std::round, without a call: this is done for every job.
std::int64_t floor_of(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return whole - (x < static_cast<double>(whole) ? 1 : 0);
}
std::int64_t round_of(double x) { return x < 0 ? -static_cast<std::int64_t>(0.5 - x) : static_cast<std::int64_t>(x + 0.5); }
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
    return std::max(high - low, scale == Scale::log ? 1.0 : 1e-9 * std::max(1.0, std::max(std::fabs(low), std::fabs(high))));
  }
};

}  // namespace

HexGrid::Place HexGrid::place_of(double u, double v) const {
  const double x = u / rx / std::numbers::sqrt3, y = v / ry / 1.5;
  Place best;
  double least = std::numeric_limits<double>::infinity();
  // No point is farther than 1 from its centre, and rows are 1.5 apart: it is in one of the two rows around it.
  const std::int64_t below = floor_of(y);
  for (const std::int64_t row : {below, below + 1}) {
    const double shift = row % 2 != 0 ? 0.5 : 0;
    const std::int64_t column = round_of(x - shift);
    const double across = (x - shift - static_cast<double>(column)) * std::numbers::sqrt3, up = (y - static_cast<double>(row)) * 1.5;
    const double distance = across * across + up * up;
    if (distance < least) best = {column, row}, least = distance;
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
  points.reserve(x.size());
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
  // All places that points can have are few: one counter each, by column and then by row.
  const HexGrid::Place low = result.grid.place_of(across.low, up.low), high = result.grid.place_of(across.high, up.high);
  const std::int64_t first_column = low.column - 1, first_row = low.row - 1;
  const auto all_rows = static_cast<std::size_t>(high.row - first_row + 2),
             all_columns = static_cast<std::size_t>(high.column - first_column + 2);
  std::vector<std::uint64_t> counts(all_rows * all_columns, 0);
  for (const auto& [u, v] : points) {
    const HexGrid::Place place = result.grid.place_of(u, v);
    ++counts[static_cast<std::size_t>(place.column - first_column) * all_rows + static_cast<std::size_t>(place.row - first_row)];
  }
  for (std::size_t at = 0; at < counts.size(); ++at) {
    if (counts[at] == 0) continue;
    const auto [u, v] =
        result.grid.centre({first_column + static_cast<std::int64_t>(at / all_rows), first_row + static_cast<std::int64_t>(at % all_rows)});
    result.hexagons.push_back({value_at(u, x_scale), value_at(v, y_scale), counts[at]});
  }
  return result;
}

}  // namespace fathom
