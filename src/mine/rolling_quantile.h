// SPDX-License-Identifier: Apache-2.0
/// Quantiles of a sliding window, O(n log n) for any window.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

/// Values in the order of their size, of which some are in the window; asked for any quantile of those.
class RollingQuantile {
 public:
  /// `use` says which values may enter; an empty one: all that are not NaN.
  RollingQuantile(std::span<const double> values, std::span<const std::uint8_t> use);

  /// The values [centre - half, centre + half] as far as there are any; windows must move forward. At the ends of the series the window
  /// keeps its length and is moved inside, or a quantile there would rest on half as many values.
  void move_to(std::size_t centre, std::size_t half);
  std::size_t count() const { return count_; }
  /// Interpolated between neighbours; NaN for an empty window.
  double quantile(double q) const;

 private:
  void change(std::size_t slot, std::int32_t by);
  double ranked(std::size_t rank) const;

  std::vector<double> sorted_;
  std::vector<std::uint32_t> place_;  // of each value among the sorted ones, from 1; 0: not used
  std::vector<std::int32_t> tree_;    // counts by place, a Fenwick tree
  std::size_t from_ = 0, to_ = 0, count_ = 0, top_ = 1;
};

}  // namespace fathom
