// SPDX-License-Identifier: Apache-2.0
#include "mine/haar.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

constexpr double median_deviation = 0.6745;  // of a normal distribution, in standard deviations

double noise_of(std::span<const double> details) {
  std::vector<double> sizes;
  sizes.reserve(details.size());
  for (const double detail : details) sizes.push_back(std::abs(detail));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle / median_deviation;
}

}  // namespace

std::vector<double> denoised(std::span<const double> values, std::size_t levels, double threshold) {
  const std::size_t n = values.size();
  std::vector<std::vector<double>> details;
  std::vector<double> smooth(values.begin(), values.end());
  const auto clamped = [n](std::size_t i) { return std::min(i, n - 1); };  // the series goes on as it ended
  for (std::size_t level = 0, apart = 1; level < levels && 2 * apart < n; ++level, apart *= 2) {
    auto& detail = details.emplace_back(n);
    std::vector<double> next(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double other = smooth[clamped(i + apart)];
      next[i] = (smooth[i] + other) / 2;
      detail[i] = (smooth[i] - other) / 2;
    }
    smooth.swap(next);
  }
  for (std::size_t level = details.size(); level-- > 0;) {
    const std::size_t apart = std::size_t{1} << level;
    std::vector<double>& detail = details[level];
    const double limit = threshold * noise_of(detail);
    for (double& each : detail)
      if (std::abs(each) < limit) each = 0;
    // Each value is told twice: as the first of a pair and as the second; the mean of both is free of the grid's position.
    std::vector<double> finer(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double as_first = smooth[i] + detail[i];
      finer[i] = i < apart ? as_first : (as_first + smooth[i - apart] - detail[i - apart]) / 2;
    }
    smooth.swap(finer);
  }
  return smooth;
}

}  // namespace fathom
