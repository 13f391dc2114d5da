// SPDX-License-Identifier: Apache-2.0
#include "mine/period.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "mine/chain.h"
#include "mine/fourier.h"

namespace fathom {
namespace {

constexpr unsigned enough_better = 20;  // random series as good: no need for more (Besag and Clifford 1991)
constexpr unsigned first_look = 40;
constexpr double agreement = 0.05;
constexpr std::size_t most_slots = 1 << 20;  // of a signal made from bursts

double p_value(std::span<const double> times, double score, const ChainLimits& limits, const PeriodOptions& options) {
  unsigned better = 0;
  double sum = 0, squares = 0;
  for (unsigned i = 0; i < options.shuffles; ++i) {
    const double other = best_chain(shuffled(times, options.seed, i), limits).score;
    if (other >= score) ++better;
    if (better == enough_better) return static_cast<double>(better) / (i + 1);
    sum += other;
    squares += other * other;
    if (i + 1 != first_look || better > 0) continue;
    // The best of many chains has a Gumbel distribution: beyond eight standard deviations lie e^-10 of it. The rest would only confirm
    // that.
    const double mean = sum / first_look;
    if (score > mean + 8 * std::sqrt(std::max(squares / first_look - mean * mean, 0.0))) break;
  }
  return static_cast<double>(better + 1) / (options.shuffles + 1);
}

/// Least squares of times on the chain's numbers. The error is the larger of two: that of a clock whose ticks are read inexactly, and that
/// of steps which each last a little more or less and add up.
void fit(std::span<const double> times, const Chain& chain, PeriodClaim& claim) {
  const std::size_t n = chain.events.size();
  double mean_number = 0, mean_time = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean_number += static_cast<double>(chain.numbers[i]) / static_cast<double>(n);
    mean_time += times[chain.events[i]] / static_cast<double>(n);
  }
  double product = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(chain.numbers[i]) - mean_number;
    product += x * (times[chain.events[i]] - mean_time);
    square += x * x;
  }
  claim.period = product / square;
  claim.phase = mean_time - claim.period * mean_number;
  double residuals = 0, steps = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = times[chain.events[i]] - claim.phase - claim.period * static_cast<double>(chain.numbers[i]);
    residuals += residual * residual;
    if (i == 0) continue;
    const auto k = static_cast<double>(chain.numbers[i] - chain.numbers[i - 1]);
    const double deviation = times[chain.events[i]] - times[chain.events[i - 1]] - k * claim.period;
    steps += deviation * deviation / k;
  }
  const double as_clock = n > 2 ? residuals / static_cast<double>(n - 2) / square : 0;
  // A random walk's slope by least squares has 6/5 of the variance that its two ends give.
  const double as_walk = n > 2 ? 1.2 * steps / static_cast<double>(n - 1) / static_cast<double>(chain.numbers.back()) : 0;
  claim.standard_error = std::sqrt(std::max(as_clock, as_walk));
}

std::vector<double> signal_of(std::span<const double> times, double from, double to, double& step) {
  step = std::max(step, (to - from) / static_cast<double>(most_slots));
  std::vector<double> signal(static_cast<std::size_t>((to - from) / step) + 1, 0);
  for (const double t : times) signal[std::min(static_cast<std::size_t>(std::max(t - from, 0.0) / step), signal.size() - 1)] += 1;
  return signal;
}

void ask_others(std::span<const double> signal, double step, PeriodClaim& claim) {
  const auto near = [&](double period) { return std::abs(period / claim.period - 1) <= agreement; };
  if (const auto peak = correlation_peak(signal)) {
    claim.by_correlation = peak->lag * step;
    claim.correlation = peak->strength;
    claim.agreeing += near(*claim.by_correlation);
  }
  if (const auto peak = spectral_peak(signal)) {
    claim.by_spectrum = peak->lag * step;
    claim.power_share = peak->strength;
    claim.agreeing += near(*claim.by_spectrum);
  }
}

std::string in_words(const PeriodClaim& claim, const PeriodOptions& options) {
  if (claim.period == 0) return fmt::format("{} bursts: no four of them follow each other regularly", claim.bursts);
  std::string text = fmt::format(
      "{} of {} bursts follow each other every {} with {:.0f} % of the expected ones seen; random bursts do as well with p = {:.3g}",
      claim.in_chain, claim.bursts, in_seconds(claim.period), 100 * claim.seen, claim.p_value);
  if (claim.by_correlation) text += fmt::format("; autocorrelation {} ({:.2f})", in_seconds(*claim.by_correlation), claim.correlation);
  if (claim.by_spectrum)
    text += fmt::format("; spectrum {} ({:.0f} % of the power)", in_seconds(*claim.by_spectrum), 100 * claim.power_share);
  if (!claim.periodic) text += claim.p_value > options.significance ? "; that may be chance" : "; too many are missing";
  return text;
}

}  // namespace

std::string in_seconds(double length, int digits) {
  const double size = std::abs(length);
  return size >= 0.001 && size < std::pow(10, digits) - 0.5 ? fmt::format("{:.{}g} s", length, digits) : fmt::format("{:.0f} s", length);
}

std::vector<double> shuffled(std::span<const double> times, std::uint64_t seed, std::uint64_t number, double stretch) {
  Random random = Random::stream(seed, number);
  std::vector<double> gaps, result;
  for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
  for (std::size_t i = gaps.size(); i > 1; --i)
    std::swap(gaps[i - 1], gaps[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(i) - 1))]);
  double sum = 0;
  for (double& gap : gaps) sum += gap *= std::exp(stretch * random.normal());
  const double scale = sum > 0 ? (times.back() - times.front()) / sum : 0;
  if (times.empty()) return result;
  result.push_back(times.front());
  for (const double gap : gaps) result.push_back(result.back() + scale * gap);
  return result;
}

PeriodClaim find_period(std::span<const double> times, double from, double to, double step, const PeriodOptions& options,
                        std::span<const double> signal) {
  PeriodClaim claim;
  claim.bursts = times.size();
  ChainLimits limits{.shortest = std::max(options.shortest, 2 * step), .longest = (to - from) / 3, .resolution = step};
  if (options.longest > 0) limits.longest = std::min(limits.longest, options.longest);
  const Chain chain = best_chain(times, limits);
  if (chain.events.size() >= 4) {
    fit(times, chain, claim);
    claim.chain = chain.events;
    claim.in_chain = chain.events.size();
    claim.seen = static_cast<double>(chain.events.size()) / static_cast<double>(chain.numbers.back() + 1);
    claim.span = std::min(1.0, (times[chain.events.back()] - times[chain.events.front()]) / (to - from));
    claim.p_value = p_value(times, chain.score, limits, options);
    claim.periodic = claim.p_value <= options.significance && claim.seen >= options.least_seen && claim.period >= limits.shortest;
    double signal_step = step;
    if (signal.empty()) {
      ask_others(signal_of(times, from, to, signal_step), signal_step, claim);
    } else {
      ask_others(signal, step, claim);
    }
  }
  claim.evidence = in_words(claim, options);
  return claim;
}

Result<PeriodClaim> find_period(const TrafficSeries& series, const BurstOptions& options, const PeriodOptions& period_options) {
  TRY(const std::vector<Burst> bursts, find_bursts(series, options));
  std::vector<double> times;
  for (const Burst& burst : bursts) times.push_back(seconds(burst.start - series.start));
  return find_period(times, 0, seconds(series.end() - series.start), seconds(series.step), period_options, series.amounts);
}

}  // namespace fathom
