// SPDX-License-Identifier: Apache-2.0
#include "advise/thresholds.h"

#include <algorithm>
#include <limits>

namespace fathom::advise {
namespace {

using Points = std::vector<std::pair<double, double>>;

std::size_t interval(const std::vector<double>& edges, double value) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

std::size_t apart(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

/// The points of all cells that are `distance` away at most, diagonally too.
Points around(const ThresholdTable& table, const std::vector<Points>& own, std::size_t row, std::size_t column, std::size_t distance) {
  Points all;
  for (std::size_t r = 0; r < table.rows(); ++r)
    for (std::size_t c = 0; c < table.columns(); ++c) {
      if (std::max(apart(r, row), apart(c, column)) > distance) continue;
      const Points& some = own[r * table.columns() + c];
      all.insert(all.end(), some.begin(), some.end());
    }
  return all;
}

}  // namespace

std::size_t ThresholdTable::place(double throughput, double io_to_compute) const {
  return interval(throughput_edges, throughput) * columns() + interval(ratio_edges, io_to_compute);
}

Limit limit_of(const ThresholdCell& cell, double impact) {
  Limit limit{std::numeric_limits<double>::infinity(), false, true};
  if (cell.steps.empty()) return limit;
  limit = {cell.steps.front().first, true, false};
  for (const IsotonicStep& step : cell.steps)
    if (step.value <= impact) limit = {step.last, false, false};
  limit.all_within = cell.steps.back().value <= impact;
  return limit;
}

ThresholdTable make_thresholds(std::span<const TrainingPoint> points, std::span<const double> weights, ThresholdTable table,
                               std::size_t least) {
  table.cells.assign(table.rows() * table.columns(), {});
  std::vector<Points> own(table.cells.size());
  for (const TrainingPoint& point : points) {
    double score = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) score += weights[i] * point.load[i];
    own[table.place(point.throughput, point.io_to_compute)].emplace_back(score, point.normalised);
  }
  const std::size_t farthest = std::max(table.rows(), table.columns());
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.columns(); ++column) {
      const std::size_t at = row * table.columns() + column;
      ThresholdCell& cell = table.cells[at];
      Points seen = own[at];
      while (seen.size() < least && cell.distance < farthest) seen = around(table, own, row, column, ++cell.distance);
      cell.own_points = own[at].size();
      cell.borrowed_points = seen.size() - own[at].size();
      if (cell.borrowed_points == 0) cell.distance = 0;
      cell.steps = isotonic_fit(std::move(seen));
    }
  return table;
}

}  // namespace fathom::advise
