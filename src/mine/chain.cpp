// SPDX-License-Identifier: Apache-2.0
#include "mine/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace fathom {
namespace {

constexpr std::size_t neighbours = 32;
constexpr int most_steps = 4;               // three events in a row may be missing
constexpr double missing = 0.3;             // m
constexpr double spreads[] = {0.03, 0.09};  // sigma: steady work, and work with a drift
constexpr std::size_t candidates = 6;
constexpr double class_width = 0.02;        // of the lags, as a part of them
constexpr std::size_t least_events = 4;

/// Periods worth a try: lags between events that occur more often than they would by chance.
std::vector<double> frequent_lags(std::span<const double> times, const ChainLimits& limits) {
  const double lowest = std::log(limits.shortest);
  const auto classes = static_cast<std::size_t>(std::max(std::log(limits.longest) - lowest, 0.0) / class_width) + 1;
  std::vector<double> counts(classes + 2, 0);  // one more at each end
  for (std::size_t j = 1; j < times.size(); ++j)
    for (std::size_t i = j; i-- > (j > neighbours ? j - neighbours : 0);) {
      const double lag = times[j] - times[i];
      if (lag > limits.longest) break;
      if (lag >= limits.shortest) counts[1 + std::min(static_cast<std::size_t>((std::log(static_cast<float>(lag)) - lowest) / class_width), classes - 1)] += 1;
    }
  const auto n = static_cast<double>(times.size());
  const double rate = n / std::max(times.back() - times.front(), limits.shortest);
  std::vector<std::pair<double, double>> ranked;  // excess, lag
  for (std::size_t c = 1; c <= classes; ++c) {
    const double lag = std::exp(lowest + (static_cast<double>(c) - 0.5) * class_width);
    const double seen = counts[c - 1] + counts[c] + counts[c + 1];
    const double expected = n * rate * lag * 3 * class_width;
    if (seen >= 2) ranked.emplace_back((seen - expected) / std::sqrt(expected + 1), lag);
  }
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<double> lags;
  for (const auto& [excess, lag] : ranked) {
    const bool known = std::any_of(lags.begin(), lags.end(), [lag = lag](double other) { return std::abs(std::log(lag / other)) < 2.5 * class_width; });
    if (!known) lags.push_back(lag);
    if (lags.size() == candidates) break;
  }
  return lags;
}

/// Keeps its memory: a test of significance asks some thousand times.
class Linker {
 public:
  explicit Linker(std::span<const double> times) : times_(times), best_(times.size()), parent_(times.size()), steps_(times.size()) {}

  /// The score of the best chain of this period; `last` is where it ends.
  double link(double period, double spread, double resolution) {
    prepare(period, spread, resolution);
    double most = 0;
    for (std::size_t j = 0; j < times_.size(); ++j) {
      best_[j] = 0;
      parent_[j] = static_cast<std::uint32_t>(j);
      for (std::size_t i = j; i-- > (j > neighbours ? j - neighbours : 0);) {
        const double lag = times_[j] - times_[i];
        if (lag > farthest_) break;
        if (lag >= nearest_) consider(i, j, lag);
      }
      if (best_[j] > most) most = best_[j], last_ = j;
    }
    return most;
  }

  /// The chain that the last link() found.
  Chain chain(double period, double score) const {
    Chain found{.period = period, .score = score, .events = {}, .numbers = {}};
    std::int64_t number = 0;
    for (std::size_t at = last_;; at = parent_[at]) {
      found.events.push_back(static_cast<std::uint32_t>(at));
      found.numbers.push_back(number);
      if (parent_[at] == at) break;
      number -= steps_[at];
    }
    std::reverse(found.events.begin(), found.events.end());
    std::reverse(found.numbers.begin(), found.numbers.end());
    for (std::int64_t& each : found.numbers) each -= number;
    return found;
  }

 private:
  void prepare(double period, double spread, double resolution) {
    period_ = period;
    per_period_ = 1 / period;
    const double span = std::max(times_.back() - times_.front(), period);
    const double rate = static_cast<double>(times_.size()) / span;
    for (int k = 1; k <= most_steps; ++k) {
      const double variance = k * spread * spread * period * period + resolution * resolution / 6;  // two times, each evenly within a slot
      variances_[static_cast<std::size_t>(k)] = variance;
      gains_[static_cast<std::size_t>(k)] = std::log((1 - missing) * std::pow(missing, k - 1) / rate) - 0.5 * std::log(2 * std::numbers::pi * variance);
    }
    nearest_ = period - 3 * std::sqrt(variances_[1]);
    farthest_ = most_steps * period + 3 * std::sqrt(variances_[most_steps]);
  }

  void consider(std::size_t i, std::size_t j, double lag) {
    const auto k = static_cast<std::size_t>(std::min(lag * per_period_ + 0.5, most_steps + 0.5));
    if (k == 0) return;
    const double deviation = lag - static_cast<double>(k) * period_;
    if (deviation * deviation > 9 * variances_[k]) return;
    const double score = best_[i] + gains_[k] - deviation * deviation / (2 * variances_[k]);
    if (score <= best_[j]) return;
    best_[j] = score;
    parent_[j] = static_cast<std::uint32_t>(i);
    steps_[j] = static_cast<std::uint8_t>(k);
  }

  std::span<const double> times_;
  std::vector<double> best_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> steps_;
  std::array<double, most_steps + 1> gains_{}, variances_{};
  double period_ = 0, per_period_ = 0, nearest_ = 0, farthest_ = 0;
  std::size_t last_ = 0;
};

}  // namespace

/// The slope of times against numbers.
double fitted_period(std::span<const double> times, const Chain& chain) {
  double mean_number = 0, mean_time = 0;
  const auto n = static_cast<double>(chain.events.size());
  for (std::size_t i = 0; i < chain.events.size(); ++i) {
    mean_number += static_cast<double>(chain.numbers[i]) / n;
    mean_time += times[chain.events[i]] / n;
  }
  double product = 0, square = 0;
  for (std::size_t i = 0; i < chain.events.size(); ++i) {
    const double x = static_cast<double>(chain.numbers[i]) - mean_number;
    product += x * (times[chain.events[i]] - mean_time);
    square += x * x;
  }
  return square > 0 ? product / square : chain.period;
}

Chain best_chain(std::span<const double> times, const ChainLimits& limits) {
  Chain best;
  if (times.size() < least_events || !(limits.longest > limits.shortest) || !(limits.shortest > 0)) return best;
  Linker linker(times);
  double best_spread = spreads[0];
  for (const double period : frequent_lags(times, limits))
    for (const double spread : spreads) {
      const double score = linker.link(period, spread, limits.resolution);
      if (score > best.score) best = linker.chain(period, score), best_spread = spread;
    }
  // The lags are classes: once more with the period that the chain itself has.
  if (best.events.size() >= least_events) {
    const double period = fitted_period(times, best);
    const double score = linker.link(period, best_spread, limits.resolution);
    if (score > best.score) best = linker.chain(period, score);
  }
  return best;
}

}  // namespace fathom
