// SPDX-License-Identifier: Apache-2.0
#include "population/histogram.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "population/distribution.h"

namespace fathom {
namespace {

constexpr std::size_t most_log_bins = 60;

/// Values that have a place on the axis.
std::span<const double> drawn(std::span<const double> sorted, Scale scale) {
  if (scale == Scale::linear) return sorted;
  return sorted.subspan(static_cast<std::size_t>(std::upper_bound(sorted.begin(), sorted.end(), 0.0) - sorted.begin()));
}

std::vector<double> log_edges(double low, double high) {
  for (const int per_decade : {20, 10, 5, 4, 2, 1}) {
    auto first = static_cast<long>(std::floor(std::log10(low) * per_decade)),
         last = static_cast<long>(std::floor(std::log10(high) * per_decade)) + 1;
    if (per_decade > 1 && last - first > static_cast<long>(most_log_bins)) continue;
    const auto edge = [&](long k) { return std::pow(10.0, static_cast<double>(k) / per_decade); };
    // Logarithms round: an edge may come out on the wrong side of the value it was made for.
    while (edge(first) > low) --first;
    while (edge(last) <= high) ++last;
    std::vector<double> edges;
    for (long k = first; k <= last; ++k) edges.push_back(edge(k));
    return edges;
  }
  return {};
}

std::vector<double> linear_edges(double low, double high, std::size_t bins) {
  if (low >= 0 && high <= 1) low = 0, high = 1;
  if (high <= low) high = low + 1;
  std::vector<double> edges;
  for (std::size_t k = 0; k <= bins; ++k) edges.push_back(low + (high - low) * static_cast<double>(k) / static_cast<double>(bins));
  return edges;
}

}  // namespace

std::vector<HistogramBin> histogram(std::span<const double> sorted, Scale scale, std::size_t linear_bins) {
  const auto values = drawn(sorted, scale);
  if (values.empty()) return {};
  const auto edges =
      scale == Scale::log ? log_edges(values.front(), values.back()) : linear_edges(values.front(), values.back(), linear_bins);
  std::vector<HistogramBin> bins;
  auto begin = values.begin();
  for (std::size_t k = 0; k + 1 < edges.size(); ++k) {
    const auto end = k + 2 < edges.size() ? std::lower_bound(begin, values.end(), edges[k + 1]) : values.end();
    bins.push_back({edges[k], edges[k + 1], static_cast<std::uint64_t>(end - begin)});
    begin = end;
  }
  return bins;
}

std::vector<std::pair<double, double>> cumulative_curve(std::span<const double> sorted, Scale scale, std::size_t points) {
  const auto values = drawn(sorted, scale);
  if (values.empty()) return {};
  std::vector<double> chosen;  // values of the sample
  if (values.size() <= points) {
    chosen.assign(values.begin(), values.end());
  } else {
    const std::size_t by_rank = points / 2, along = points - by_rank - 2;
    for (std::size_t i = 0; i < by_rank; ++i) chosen.push_back(values[i * (values.size() - 1) / (by_rank - 1)]);
    const auto position = [&](double v) { return scale == Scale::log ? std::log10(v) : v; };
    const auto value_at = [&](double u) { return scale == Scale::log ? std::pow(10.0, u) : u; };
    const double low = position(values.front()), high = position(values.back());
    for (std::size_t i = 1; i <= along; ++i) {
      // The largest value up to here: the curve is flat between it and the next.
      const double here = value_at(low + (high - low) * static_cast<double>(i) / static_cast<double>(along + 1));
      const auto above = std::upper_bound(values.begin(), values.end(), here);
      if (above != values.begin()) chosen.push_back(*(above - 1));
    }
    chosen.push_back(values.back());
    const double p80 = inverse_ecdf(sorted, 80);
    if (p80 >= values.front()) chosen.push_back(p80);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<std::pair<double, double>> curve;
  for (const double v : chosen) {
    const auto up_to = std::upper_bound(sorted.begin(), sorted.end(), v) - sorted.begin();
    curve.emplace_back(v, static_cast<double>(up_to) / static_cast<double>(sorted.size()));
  }
  return curve;
}

}  // namespace fathom
