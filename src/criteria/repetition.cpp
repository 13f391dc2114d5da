// SPDX-License-Identifier: Apache-2.0
#include "criteria/repetition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

/// Quantile of the standard normal distribution by halving; a handful of calls for a job.
double normal_quantile(double p) {
  double low = 0, high = 40;
  for (int i = 0; i < 80; ++i) {
    const double mid = (low + high) / 2;
    (0.5 * std::erfc(-mid / std::sqrt(2.0)) < p ? low : high) = mid;
  }
  return low;
}

/// Autocorrelation of the indicator for each lag, from its coincidences.
std::vector<double> autocorrelation(std::span<const Dominating> series, Dominating type, std::size_t lags) {
  const std::vector<std::uint64_t> n = coincidences(series, type);
  const auto size = static_cast<double>(series.size());
  const double p = static_cast<double>(n[0]) / size;
  // Sums of the indicator over the first and the last size - lag slots, for the covariance of the overlapping parts.
  std::vector<double> r(lags + 1);
  double head = static_cast<double>(n[0]), tail = head;
  for (std::size_t lag = 0; lag <= lags; ++lag) {
    if (lag > 0) {
      head -= series[series.size() - lag] == type;
      tail -= series[lag - 1] == type;
    }
    const double covariance = static_cast<double>(n[lag]) - p * (head + tail) + p * p * (size - static_cast<double>(lag));
    r[lag] = covariance / (size * p * (1 - p));
  }
  return r;
}

constexpr double nearly = 0.7;

Repetition test(std::span<const Dominating> series, Dominating type) {
  Repetition result;
  result.type = type;
  const auto count = static_cast<std::size_t>(std::count(series.begin(), series.end(), type));
  if (count == 0 || count == series.size()) {
    result.evidence = count == 0 ? "never" : "always: a constant series does not repeat";
    return result;
  }
  const std::size_t lags = series.size() / 3;
  if (lags < 3 || count < 3) {
    result.evidence = "too short to tell";
    return result;
  }
  const std::vector<double> r = autocorrelation(series, type, lags);
  std::size_t falls = 1;
  double spread = 0;  // sum of r^2 before the first fall: how long what happens persists
  for (; falls <= lags && r[falls] >= 0; ++falls) spread += r[falls] * r[falls];
  const std::size_t first = std::max<std::size_t>(falls + 1, 2);
  if (first > lags) {
    result.evidence = "no: one slow change";
    return result;
  }
  const std::size_t highest =
      static_cast<std::size_t>(std::max_element(r.begin() + static_cast<std::ptrdiff_t>(first), r.end()) - r.begin());
  // A rhythm coincides with itself at every multiple of its period, and chance may favour one of those: the first peak that is nearly as
  // high is meant.
  std::size_t best = highest;
  for (std::size_t lag = highest; lag-- > first;)
    if (r[lag] >= nearly * r[highest] && r[lag] >= r[lag - 1] && r[lag] >= r[lag + 1]) best = lag;
  const double error = std::sqrt((1 + 2 * spread) / static_cast<double>(series.size()));
  const double needed = normal_quantile(1 - 0.01 / static_cast<double>(lags - first + 1)) * error;
  const bool repeats = r[best] > needed;
  result.evidence = needed >= 1 ? "no: it changes too slowly for this length to tell"
                                : fmt::format("r = {:.2f} at lag {}, needs {:.2f}", r[best], best, needed);
  if (repeats) result.period = static_cast<double>(best);
  return result;
}

}  // namespace

std::vector<std::uint64_t> coincidences(std::span<const Dominating> series, Dominating type) {
  std::vector<std::uint64_t> n(series.size(), 0);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < series.size(); ++i)
    if (series[i] == type) places.push_back(i);
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) ++n[places[b] - places[a]];
  return n;
}

std::array<Repetition, 3> repetitions(std::span<const Dominating> series) {
  return {test(series, Dominating::read), test(series, Dominating::write), test(series, Dominating::mixed)};
}

}  // namespace fathom
