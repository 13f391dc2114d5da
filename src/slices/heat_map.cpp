// SPDX-License-Identifier: Apache-2.0
#include "slices/heat_map.h"

#include <algorithm>

namespace fathom::slices {
namespace {

template <class Number>
Number divided_up(Number a, Number b) {
  return (a + b - 1) / b;
}

void add(HeatMap& map, SliceRange window, std::size_t row, const Process& process) {
  const auto begin = std::lower_bound(process.slices.begin(), process.slices.end(), window.first,
                                      [](const Slice& slice, std::int64_t number) { return slice.number < number; });
  for (auto slice = begin; slice != process.slices.end() && slice->number <= window.last; ++slice) {
    const std::size_t cell = row * map.bins + static_cast<std::size_t>((slice->number - map.first) / map.slices_per_bin);
    map.bytes[0][cell] += static_cast<double>(moved(slice->values, Direction::read));
    map.bytes[1][cell] += static_cast<double>(moved(slice->values, Direction::write));
  }
}

}  // namespace

HeatMap heat_map(std::span<const Process* const> processes, SliceRange window, std::size_t bins, std::size_t rows) {
  HeatMap map;
  const std::int64_t slices = window.last - window.first + 1;
  map.first = window.first;
  map.slices_per_bin = divided_up(slices, static_cast<std::int64_t>(bins));
  map.bins = static_cast<std::size_t>(divided_up(slices, map.slices_per_bin));
  map.slices_in_last = slices - static_cast<std::int64_t>(map.bins - 1) * map.slices_per_bin;
  const std::size_t count = processes.size(), group = std::max<std::size_t>(1, divided_up(count, rows));
  for (std::size_t first = 0; first < count; first += group) {
    MapRow row{first, std::min(group, count - first), INT64_MAX, INT64_MIN};
    for (std::size_t i = first; i < first + row.count; ++i) {
      row.start = std::min(row.start, processes[i]->start);
      row.end = std::max(row.end, processes[i]->end);
    }
    map.rows.push_back(row);
  }
  for (auto& cells : map.bytes) cells.resize(map.rows.size() * map.bins);
  for (std::size_t i = 0; i < count; ++i) add(map, window, i / group, *processes[i]);
  return map;
}

}  // namespace fathom::slices
