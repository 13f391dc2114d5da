// SPDX-License-Identifier: Apache-2.0
/// Histograms and cumulative distributions of sorted values, thinned to what a plot can show.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fathom {

/// Amounts span many decades, fractions do not. Values of 0 or less have no place on a log axis.
enum class Scale : std::uint8_t { linear, log };

/// Values in [from, to); the last bin holds its end too.
struct HistogramBin {
  double from, to;
  std::uint64_t count;
};

/// On a log axis at most 60 bins with edges at fractions of decades; on a linear one `linear_bins` of equal width over [0, 1], or over
/// the range of the values where they leave it. Every value that has a place is in one bin. None without such values.
std::vector<HistogramBin> histogram(std::span<const double> sorted, Scale scale, std::size_t linear_bins = 50);

/// Points (value, share of all values that are <= it) of the exact ECDF, at most `points` of them: evenly by rank and evenly
/// along the axis, with the 80 % value and the largest always. Values without a place on the axis count in the shares.
std::vector<std::pair<double, double>> cumulative_curve(std::span<const double> sorted, Scale scale, std::size_t points = 200);

}  // namespace fathom
