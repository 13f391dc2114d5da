// SPDX-License-Identifier: Apache-2.0
#include "mine/background.h"

#include <algorithm>

#include "mine/rolling_quantile.h"

namespace fathom {
namespace {

// Quantiles of the normal distribution, in standard deviations.
constexpr double to_quartile = 0.6745;        // median - lower quartile
constexpr double quartile_to_tenth = 0.6071;  // lower quartile - lower tenth
constexpr double one_below = 0.1587;          // the quantile one standard deviation below the median
constexpr double far_above = 3;
constexpr std::size_t least_values = 8;  // fewer say nothing about noise

/// Level and noise of the slots of `use`; `lower`: from the lower quartile and tenth alone.
Background estimate(const TrafficSeries& series, std::size_t half, const std::vector<std::uint8_t>& use, bool lower) {
  Background found{std::vector<double>(series.size(), unknown_amount), std::vector<double>(series.size(), unknown_amount)};
  RollingQuantile window(series.amounts, use);
  for (std::size_t i = 0; i < series.size(); ++i) {
    window.move_to(i, half);
    if (window.count() == 0 || (!lower && window.count() < least_values)) continue;
    if (lower) {
      const double quartile = window.quantile(0.25);
      found.noise[i] = (quartile - window.quantile(0.1)) / quartile_to_tenth;
      found.level[i] = quartile + to_quartile * found.noise[i];
    } else {
      found.level[i] = window.quantile(0.5);
      found.noise[i] = found.level[i] - window.quantile(one_below);
    }
  }
  return found;
}

}  // namespace

Background background(const TrafficSeries& series, std::size_t window) {
  const std::size_t half = std::max<std::size_t>(window / 2, 1);
  Background found = estimate(series, half, {}, true);
  std::vector<std::uint8_t> quiet(series.size(), 1);
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!(series.amounts[i] > found.level[i] + far_above * found.noise[i])) continue;
    // A burst begins and ends within a slot: its neighbours may have a part of it.
    for (std::size_t near = i > 0 ? i - 1 : 0; near < std::min(i + 2, series.size()); ++near) quiet[near] = 0;
  }
  const Background refined = estimate(series, half, quiet, false);
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (std::isnan(refined.level[i])) continue;
    found.level[i] = refined.level[i];
    found.noise[i] = std::max(refined.noise[i], 0.0);
  }
  return found;
}

}  // namespace fathom
