// SPDX-License-Identifier: Apache-2.0
#include "population/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fathom {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Long sums of very different amounts: from the smallest to the largest, and with more digits than a double has.
long double sum_of(std::span<const double> sorted) { return std::accumulate(sorted.begin(), sorted.end(), 0.0L); }

double median(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return std::midpoint(sorted[half - 1], sorted[half]);
}

}  // namespace

SortedValues sort_values(std::vector<double> values) {
  const auto kept = std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  const auto undefined = static_cast<std::uint64_t>(values.end() - kept);
  values.erase(kept, values.end());
  std::sort(values.begin(), values.end());
  return {std::move(values), undefined};
}

double inverse_ecdf(std::span<const double> sorted, unsigned percent) {
  if (sorted.empty()) return none;
  // In whole numbers: 0.8 is no binary fraction, and 80 % of 5 jobs are 4, not 5.
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

Distribution describe(const SortedValues& sorted) {
  const std::span<const double> values = sorted.values;
  if (values.empty()) return {0, 0, sorted.undefined, none, none, none, none, none, none, 0, none};
  const std::size_t n = values.size(), largest = (n + 4) / 5;
  const auto zeros = std::equal_range(values.begin(), values.end(), 0.0);
  const long double sum = sum_of(values), mean = sum / static_cast<long double>(n);
  long double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {.n = n,
          .zeros = static_cast<std::uint64_t>(zeros.second - zeros.first),
          .undefined = sorted.undefined,
          .min = values.front(),
          .median = median(values),
          .p80 = inverse_ecdf(values, 80),
          .mean = static_cast<double>(mean),
          .sd = static_cast<double>(std::sqrt(squares / static_cast<long double>(n))),
          .max = values.back(),
          .sum = static_cast<double>(sum),
          .top20_share = sum > 0 ? static_cast<double>(sum_of(values.last(largest)) / sum) : none};
}

}  // namespace fathom
