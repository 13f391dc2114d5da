// SPDX-License-Identifier: Apache-2.0
/// How much load an application can bear: by the throughput of its bursts and its I/O-to-compute ratio, from training points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "advise/isotonic.h"
#include "advise/training_point.h"

namespace fathom::advise {

/// What is known in one cell of the table: normalised I/O time over mean score, as a rising step function.
struct ThresholdCell {
  std::size_t own_points = 0;
  std::size_t borrowed_points = 0;  // of neighbours, where its own were too few
  std::size_t distance = 0;         // so many cells away at most
  std::vector<IsotonicStep> steps;

  bool borrowed() const { return distance > 0; }
};

/// The largest score at which I/O takes no more than `impact` times as long.
struct Limit {
  double score = 0;
  bool none_within = false;  // even the least load seen was too much: the score is that load
  bool all_within = false;   // even the most load seen was not too much: the score is that load, or infinite where none was seen
};

struct ThresholdTable {
  /// Inner edges between cells, rising: n edges make n + 1 cells.
  std::vector<double> throughput_edges{15e9, 30e9, 60e9};
  std::vector<double> ratio_edges{0.1, 0.25, 0.5};
  std::vector<ThresholdCell> cells;  // by throughput, then ratio

  std::size_t rows() const { return throughput_edges.size() + 1; }
  std::size_t columns() const { return ratio_edges.size() + 1; }
  bool empty() const { return cells.empty(); }
  std::size_t place(double throughput, double io_to_compute) const;
  const ThresholdCell& of(double throughput, double io_to_compute) const { return cells[place(throughput, io_to_compute)]; }
};

Limit limit_of(const ThresholdCell& cell, double impact);

/// A cell with fewer points than this takes those of the cells around it too, further and further away.
inline constexpr std::size_t least_points = 40;

/// Mean score of each point by `weights`. `edges` gives the edges; its cells are made anew.
ThresholdTable make_thresholds(std::span<const TrainingPoint> points, std::span<const double> weights, ThresholdTable edges = {},
                               std::size_t least = least_points);

}  // namespace fathom::advise
