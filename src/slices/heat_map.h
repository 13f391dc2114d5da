// SPDX-License-Identifier: Apache-2.0
/// Processes against time: what each moved when, binned so that it fits a terminal or a page.
#pragma once

#include <span>

#include "slices/direction.h"
#include "slices/series.h"

namespace fathom::slices {

/// Neighbouring processes, drawn as one.
struct MapRow {
  std::size_t first = 0, count = 0;  // of the processes given
  std::int64_t start = 0, end = 0;   // nanoseconds: the first one's start, the last one's end
};

struct HeatMap {
  std::int64_t first = 0;  // slice with which the first bin begins
  std::int64_t slices_per_bin = 1;
  std::int64_t slices_in_last = 1;  // the last bin may have fewer
  std::size_t bins = 0;
  std::vector<MapRow> rows;
  std::array<std::vector<double>, 2> bytes;  // read, written; one row after the other

  std::int64_t slices_in(std::size_t bin) const { return bin + 1 == bins ? slices_in_last : slices_per_bin; }
  double at(Direction direction, std::size_t row, std::size_t bin) const {
    const std::size_t i = row * bins + bin;
    return direction == Direction::both ? bytes[0][i] + bytes[1][i] : bytes[static_cast<std::size_t>(direction)][i];
  }
};

/// Of the slices of `window`; at most `bins` and `rows` (both at least 1).
HeatMap heat_map(std::span<const Process* const> processes, SliceRange window, std::size_t bins, std::size_t rows);

}  // namespace fathom::slices
