// SPDX-License-Identifier: Apache-2.0
#include "mine/outside.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/log_gamma.h"
#include "base/random.h"
#include "mine/period.h"

namespace fathom::mine {
namespace {

constexpr std::size_t most_runs_compared = 60;
constexpr unsigned windows_per_run = 6;
constexpr unsigned tries_per_window = 4;
constexpr std::size_t few_windows = 12;  // cannot tell whether something is rare
constexpr unsigned shuffles = 4;
constexpr double chosen_better = 1.2;              // group and period were chosen because they fit
constexpr double even = 0.05;                      // as a part of the period: what steady work differs by from step to step
constexpr double periods_tried[] = {1, 0.9, 1.1};  // the pattern's own was chosen because it fits
constexpr double longest_window = 12 * 3600;
constexpr double least_seen = 0.9;
constexpr double young = 0.1;  // a log that reaches less far than this part of the horizon

double begin_of(const Run& run) { return seconds(run.start.time_since_epoch()); }
double end_of(const Run& run) { return seconds(run.end.time_since_epoch()); }

/// log10 of the chance that at least `hits` of `trials` succeed.
double log10_tail(std::size_t hits, std::size_t trials, double chance) {
  if (hits == 0) return 0;
  if (chance >= 1) return 0;
  double largest = -INFINITY;
  std::vector<double> terms;
  const auto n = static_cast<double>(trials);
  for (std::size_t k = hits; k <= trials; ++k) {
    const auto x = static_cast<double>(k);
    const double term = log_gamma(n + 1) - log_gamma(x + 1) - log_gamma(n - x + 1) + x * std::log(chance) + (n - x) * std::log1p(-chance);
    terms.push_back(term);
    largest = std::max(largest, term);
  }
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return (largest + std::log(sum)) / std::log(10.0);
}

/// log10 of the chance of at least so many where `mean` are expected.
double log10_poisson_tail(std::size_t hits, double mean) {
  if (hits == 0) return 0;
  const auto first = static_cast<double>(hits);
  const double largest = first * std::log(mean) - mean - log_gamma(first + 1);
  double sum = 1, term = 1;
  for (double k = first + 1; k < first + 10'000 && term > 1e-12 * sum; ++k) sum += term *= mean / k;
  return std::min((largest + std::log(sum)) / std::log(10.0), 0.0);
}

/// How far steps are from the usual one, as a part of it; a step over several periods varies more.
std::vector<double> unevenness(const std::vector<Step>& steps) {
  std::vector<double> values;
  if (steps.empty()) return values;
  for (const Step& step : steps) values.push_back(step.seconds / step.periods);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double usual = *middle;
  values.clear();
  for (const Step& step : steps) values.push_back(std::abs(step.seconds / usual - step.periods) / std::sqrt(step.periods));
  return values;
}

std::size_t steady_steps(const std::vector<double>& uneven, double allowed) {
  return static_cast<std::size_t>(std::count_if(uneven.begin(), uneven.end(), [allowed](double each) { return each <= allowed; }));
}

}  // namespace

RunTimes::RunTimes(const std::vector<Run>& runs, Time until) : until_(until == no_limit ? INFINITY : seconds(until.time_since_epoch())) {
  for (const Run& run : runs) {
    if (run.end <= run.start || run.start >= until) continue;
    if (!to_.empty() && begin_of(run) <= to_.back()) {
      to_.back() = std::max(to_.back(), end_of(run));
      continue;
    }
    from_.push_back(begin_of(run));
    to_.push_back(end_of(run));
  }
}

bool RunTimes::any(double from, double to) const {
  if (to > until_) return true;
  const auto after = static_cast<std::size_t>(std::lower_bound(from_.begin(), from_.end(), to) - from_.begin());
  return after > 0 && to_[after - 1] > from;
}

std::vector<std::pair<double, double>> RunTimes::breaks() const {
  std::vector<std::pair<double, double>> between;
  for (std::size_t i = 1; i < from_.size(); ++i) between.emplace_back(to_[i - 1], from_[i]);
  return between;
}

void compare_elsewhere(const Application& application, const RunTimes& busy, const TimedLog& log, const PatternSettings& settings,
                       Lookout& lookout, Pattern& pattern) {
  std::size_t windows = 0, hits = 0;
  const std::size_t stride = std::max<std::size_t>(1, pattern.sightings.size() / most_runs_compared);
  for (std::size_t i = 0; i < pattern.sightings.size(); i += stride) {
    const Run& run = application.runs[pattern.sightings[i].run];
    const double length = std::min(end_of(run) - begin_of(run), longest_window);
    Random random = Random::stream(1, static_cast<std::uint64_t>(begin_of(run)));
    std::pair<double, double> around{begin_of(run) - horizon, std::min(end_of(run) + horizon, busy.until())};
    // Of a log that has just begun hardly any stretch would be found in all that time.
    if (const auto reach = log.reach(around.first, around.second); reach.second - reach.first < young * (around.second - around.first))
      around = reach;
    if (around.second - around.first <= length) continue;
    unsigned found = 0;
    for (unsigned t = 0; t < windows_per_run * tries_per_window && found < windows_per_run; ++t) {
      const double from = random.uniform(around.first, around.second - length), to = from + length;
      if (busy.any(from, to) || log.seen(from, to) < least_seen * length) continue;
      ++found;
      ++windows;
      hits += lookout.look(from, to, pattern.period, pattern.spread, pattern.usual_length, pattern.region).shown;
    }
  }
  if (windows < few_windows) {
    const double length = settings.scope_periods * pattern.period;
    for (const auto& [from, end] : busy.breaks()) {
      const double to = std::min(end, from + horizon);
      const auto fitting = std::min(static_cast<std::size_t>((to - from) / length), std::size_t{windows_per_run});
      for (std::size_t k = 0; k < fitting && windows < most_runs_compared * windows_per_run; ++k) {
        const double start =
            from + (to - from - length) * static_cast<double>(k) / static_cast<double>(std::max<std::size_t>(fitting - 1, 1));
        if (log.seen(start, start + length) < least_seen * length) continue;
        ++windows;
        hits += lookout.look(start, start + length, pattern.period, pattern.spread, pattern.usual_length, pattern.region).shown;
      }
    }
  }
  pattern.elsewhere_windows = windows;
  pattern.elsewhere = (static_cast<double>(hits) + 0.5) / (static_cast<double>(windows) + 1);
  pattern.log10_chance = windows > 0 ? log10_tail(pattern.shown, pattern.judged, pattern.elsewhere) : 0;
}

void compare_shuffled(const Application& application, const TimedLog& log, Lookout& lookout, const std::vector<Step>& steps,
                      Pattern& pattern) {
  const double allowed = std::hypot(even, log.step() / std::sqrt(6.0) / pattern.period);
  std::vector<std::size_t> compared;
  std::size_t all = 0;
  for (std::size_t i = 0; i < pattern.sightings.size(); ++i)
    if (!pattern.sightings[i].again && all++ % std::max<std::size_t>(1, pattern.judged / most_runs_compared) == 0) compared.push_back(i);
  std::vector<double> times;
  std::vector<Step> others;
  double sum = 0;
  for (unsigned k = 0; k < shuffles; ++k) {
    std::size_t most = 0;
    for (const double factor : periods_tried) {
      others.clear();
      for (const std::size_t i : compared) {
        const Run& run = application.runs[pattern.sightings[i].run];
        times.clear();
        const auto [first, last] = log.within(begin_of(run), end_of(run));
        for (std::uint32_t burst = first; burst < last; ++burst)
          if (pattern.region.holds(log.log().bursts[burst])) times.push_back(log.start(burst));
        lookout.add_steps(shuffled(times, static_cast<std::uint64_t>(begin_of(run)), k), begin_of(run), end_of(run),
                          factor * pattern.period, pattern.spread, others);
      }
      most = std::max(most, steady_steps(unevenness(others), allowed));
    }
    sum += static_cast<double>(most);
  }
  std::vector<double> own = unevenness(steps);
  const std::size_t steady = steady_steps(own, allowed);
  const auto count = std::max(static_cast<double>(steps.size()), 1.0);
  const double by_chance = sum / shuffles * static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(compared.size(), 1));
  pattern.steady = static_cast<double>(steady) / count;
  pattern.shuffled_steady = by_chance / count;
  pattern.log10_disorder = log10_poisson_tail(steady, chosen_better * by_chance + 1);
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
  std::nth_element(own.begin(), middle, own.end());
  pattern.jitter = own.empty() ? 0 : 1.4826 * *middle;
}

void check_scope(const Application& application, const RunTimes& busy, const TimedLog& log, const PatternSettings& settings,
                 Pattern& pattern) {
  const double length = settings.scope_periods * pattern.period;
  const double tolerance = std::max(3 * pattern.spread, 0.1) + log.step() / pattern.period / 2;
  const auto goes_on = [&](double from, double to, double anchor) {
    std::uint64_t numbers = 0, typical = 0;  // which of the expected bursts are there
    const auto [first, last] = log.within(from, to);
    for (std::uint32_t i = first; i < last; ++i) {
      if (!pattern.region.holds(log.log().bursts[i])) continue;
      const double periods = std::abs(log.start(i) - anchor) / pattern.period;
      const double number = std::round(periods);
      // Steps vary by themselves, so it is less and less sure where the later ones are.
      if (number < 1 || std::abs(periods - number) > std::min(tolerance * std::sqrt(number), 0.35)) continue;
      const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(std::min(number, 63.0));
      numbers |= bit;
      if (pattern.region.typical(log.log().bursts[i])) typical |= bit;
    }
    return static_cast<double>(std::popcount(numbers)) >= 0.5 * settings.scope_periods &&
           static_cast<std::size_t>(std::popcount(typical)) >= settings.least_typical;
  };
  for (const Sighting& sighting : pattern.sightings) {
    if (!sighting.shown || sighting.again) continue;
    const Run& run = application.runs[sighting.run];
    const auto look = [&](double from, double to, double anchor) {
      if (busy.any(from, to) || log.seen(from, to) < least_seen * length) return;
      ++pattern.scope_windows;
      pattern.scope_hits += goes_on(from, to, anchor);
    };
    look(begin_of(run) - length, begin_of(run), log.start(sighting.bursts.front()));
    look(end_of(run), end_of(run) + length, log.start(sighting.bursts.back()));
  }
}

}  // namespace fathom::mine
