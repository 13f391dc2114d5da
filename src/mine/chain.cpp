// SPDX-License-Identifier: Apache-2.0
#include "mine/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace fathom {
namespace {

constexpr std::size_t neighbours = 32;
constexpr double missing = 0.3;  // m
const double log_missing = std::log(missing);
constexpr std::size_t candidates = 6;
constexpr double class_width = 0.02;  // of the lags, as a part of them
constexpr std::size_t least_events = 4;

}  // namespace

LagCounts::LagCounts(const ChainLimits& limits) : limits_(limits), lowest_(std::log(limits.shortest)) {
  counts_.assign(static_cast<std::size_t>(std::max(std::log(limits.longest) - lowest_, 0.0) / class_width) + 3, 0);
}

void LagCounts::add(std::span<const double> times) {
  if (times.size() < 2) return;
  const std::size_t classes = counts_.size() - 2;
  for (std::size_t j = 1; j < times.size(); ++j)
    for (std::size_t i = j; i-- > (j > neighbours ? j - neighbours : 0);) {
      const double lag = times[j] - times[i];
      if (lag > limits_.longest) break;
      if (lag >= limits_.shortest)
        counts_[1 + std::min(static_cast<std::size_t>((std::log(static_cast<float>(lag)) - lowest_) / class_width), classes - 1)] += 1;
    }
  const auto n = static_cast<double>(times.size());
  pairs_per_second_ += n * n / std::max(times.back() - times.front(), limits_.shortest);
}

std::vector<double> LagCounts::frequent(double least_excess) const {
  std::vector<std::pair<double, double>> ranked;  // excess, lag
  for (std::size_t c = 1; c + 1 < counts_.size(); ++c) {
    const double lag = std::exp(lowest_ + (static_cast<double>(c) - 0.5) * class_width);
    const double seen = counts_[c - 1] + counts_[c] + counts_[c + 1];
    const double expected = pairs_per_second_ * lag * 3 * class_width;
    const double excess = (seen - expected) / std::sqrt(expected + 1);
    if (seen >= 2 && excess >= least_excess) ranked.emplace_back(excess, lag);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<double> lags;
  for (const auto& [excess, lag] : ranked) {
    const bool known =
        std::any_of(lags.begin(), lags.end(), [lag = lag](double other) { return std::abs(std::log(lag / other)) < 2.5 * class_width; });
    if (!known) lags.push_back(lag);
    if (lags.size() == candidates) break;
  }
  return lags;
}

double ChainLinker::link(std::span<const double> times, const LinkRule& rule, std::span<const double> delays) {
  times_ = times;
  delays_ = delays;
  period_ = rule.period;
  score_ = 0;
  last_ = 0;
  best_.resize(times.size());
  parent_.resize(times.size());
  steps_.resize(times.size());
  if (times.empty()) return 0;
  prepare(rule);
  longest_delay_ = 0;
  double earliest = 0;
  for (const double delay : delays) longest_delay_ = std::max(longest_delay_, delay), earliest = std::min(earliest, delay);
  nearest_ = std::max(nearest_ + earliest, 0.0);
  for (std::size_t j = 0; j < times_.size(); ++j) {
    best_[j] = 0;
    parent_[j] = static_cast<std::uint32_t>(j);
    for (std::size_t i = j; i-- > (j > neighbours ? j - neighbours : 0);) {
      const double lag = times_[j] - times_[i];
      if (lag > farthest_ + longest_delay_) break;
      // One period is the link that gains most: what does not even gain by that is left aside.
      if (lag >= nearest_ && best_[i] + gains_[1] > best_[j]) consider(i, j, lag);
    }
    if (best_[j] > score_) score_ = best_[j], last_ = j;
  }
  return score_;
}

Chain ChainLinker::chain() const {
  Chain found{.period = period_, .score = score_, .events = {}, .numbers = {}};
  if (times_.empty()) return found;
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

void ChainLinker::prepare(const LinkRule& rule) {
  per_period_ = 1 / period_;
  const double span = std::max(times_.back() - times_.front(), period_);
  const double rate = std::min(static_cast<double>(times_.size()) / span, rule.most_foreign * per_period_);
  double gain = std::log((1 - missing) / rate / std::sqrt(2 * std::numbers::pi));
  for (int k = 1; k <= most_steps; ++k) {
    const double variance =
        k * rule.spread * rule.spread * period_ * period_ + rule.resolution * rule.resolution / 6;  // two times, each evenly within a slot
    variances_[static_cast<std::size_t>(k)] = variance;
    gains_[static_cast<std::size_t>(k)] = gain - 0.5 * std::log(variance);
    gain += log_missing;
  }
  nearest_ = period_ - 3 * std::sqrt(variances_[1]);
  farthest_ = most_steps * period_ + 3 * std::sqrt(variances_[most_steps]);
}

void ChainLinker::consider(std::size_t i, std::size_t j, double lag) {
  double deviation = 0;
  std::size_t k = 0;
  if (delays_.empty()) {
    k = static_cast<std::size_t>(std::min(lag * per_period_ + 0.5, most_steps + 0.5));
    deviation = lag - static_cast<double>(k) * period_;
  } else {
    // Somewhere between on time and as late as the burst before was long: what made that one long may have been somebody else's.
    const double delay = delays_[i];
    k = static_cast<std::size_t>(std::min((lag - 0.5 * delay) * per_period_ + 0.5, most_steps + 0.5));
    const double late = lag - static_cast<double>(k) * period_;
    deviation = delay >= 0 ? std::max(late - delay, 0.0) + std::min(late, 0.0) : std::max(late, 0.0) + std::min(late - delay, 0.0);
  }
  if (k == 0) return;
  if (deviation * deviation > 9 * variances_[k]) return;
  const double score = best_[i] + gains_[k] - deviation * deviation / (2 * variances_[k]);
  if (score <= best_[j]) return;
  best_[j] = score;
  parent_[j] = static_cast<std::uint32_t>(i);
  steps_[j] = static_cast<std::uint8_t>(k);
}

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
  LagCounts lags(limits);
  lags.add(times);
  ChainLinker linker;
  double best_spread = chain_spreads[0];
  for (const double period : lags.frequent())
    for (const double spread : chain_spreads)
      if (linker.link(times, {.period = period, .spread = spread, .resolution = limits.resolution}) > best.score)
        best = linker.chain(), best_spread = spread;
  // The lags are classes: once more with the period that the chain itself has.
  if (best.events.size() >= least_events)
    if (linker.link(times, {.period = fitted_period(times, best), .spread = best_spread, .resolution = limits.resolution}) > best.score)
      best = linker.chain();
  return best;
}

}  // namespace fathom
