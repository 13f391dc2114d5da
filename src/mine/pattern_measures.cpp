// SPDX-License-Identifier: Apache-2.0
#include "mine/pattern_measures.h"

#include <algorithm>
#include <cmath>

namespace fathom::mine {
namespace {

double quantile(std::vector<double>& values, double q) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Range {
  double least, most;
};

/// Median, and three robust standard deviations to both sides, of logarithms; at least and at most the factors given.
Range around(std::vector<double> logs, double narrowest, double widest) {
  const double centre = median(logs);
  for (double& each : logs) each = std::abs(each - centre);
  const double width = std::clamp(3 * 1.4826 * median(logs), std::log(narrowest), std::log(widest));
  return {std::exp(centre - width), std::exp(centre + width)};
}

}  // namespace

double median(std::vector<double>& values) { return quantile(values, 0.5); }

void measure_period(Pattern& pattern, const TimedLog& log) {
  double length = 0, intervals = 0;
  for (const Sighting& sighting : pattern.sightings)
    if (counts(sighting)) {
      length += log.start(sighting.bursts.back()) - log.start(sighting.bursts.front());
      intervals += static_cast<double>(sighting.intervals);
    }
  pattern.period = length / intervals;
  double squares = 0;
  for (const Sighting& sighting : pattern.sightings)
    if (counts(sighting)) {
      const auto n = static_cast<double>(sighting.intervals);
      const double deviation = log.start(sighting.bursts.back()) - log.start(sighting.bursts.front()) - n * pattern.period;
      squares += deviation * deviation;
    }
  // Runs differ as a whole, so they are what is counted: the error of a ratio of sums.
  const auto n = static_cast<double>(pattern.shown);
  pattern.period_error = n > 1 ? std::sqrt(squares * n / (n - 1)) / intervals : pattern.period * pattern.spread / std::sqrt(intervals);
}

std::vector<Step> steps_of(const Pattern& pattern, const TimedLog& log) {
  std::vector<Step> steps;
  for (const Sighting& sighting : pattern.sightings)
    if (counts(sighting))
      for (std::size_t i = 1; i < sighting.bursts.size(); ++i) {
        const double lag =
            log.start(sighting.bursts[i]) - log.start(sighting.bursts[i - 1]) - (log.length(sighting.bursts[i - 1]) - pattern.usual_length);
        steps.push_back({lag, std::max(1.0, std::round(lag / pattern.period))});
      }
  return steps;
}

BurstRegion region_of(const Pattern& pattern, const TimedLog& log) {
  std::vector<double> heights, areas, servers, own_areas;
  for (const Sighting& sighting : pattern.sightings)
    if (counts(sighting))
      for (const std::uint32_t burst : sighting.bursts) {
        heights.push_back(std::log(log.log().bursts[burst].height));
        areas.push_back(std::log(log.log().bursts[burst].area));
        if (log.log().bursts[burst].servers == 0 || log.log().bursts[burst].own_area <= 0) continue;
        servers.push_back(std::log(log.log().bursts[burst].servers));
        own_areas.push_back(std::log(log.log().bursts[burst].own_area));
      }
  const Range typical = around(areas, 1.25, 1.5);
  const Range height = around(std::move(heights), 1.8, 3), area = around(std::move(areas), 1.6, 2.2);
  if (servers.empty()) return {height.least, height.most, area.least, area.most, typical.least, typical.most, 0, INFINITY, INFINITY, 0};
  const Range count = around(std::move(servers), 1.15, 1.5), own = around(std::move(own_areas), 1.6, 2);
  return {height.least, height.most, area.least, area.most, typical.least, typical.most, count.least, count.most, own.least, own.most};
}

double usual_length_of(const Pattern& pattern, const TimedLog& log) {
  std::vector<double> lengths;
  for (const Sighting& sighting : pattern.sightings)
    if (counts(sighting))
      for (const std::uint32_t burst : sighting.bursts) lengths.push_back(log.length(burst));
  return median(lengths);
}

void describe(Pattern& pattern, const Application& application, const TimedLog& log) {
  measure_period(pattern, log);
  pattern.filesystem = log.log().filesystem;
  pattern.direction = log.log().direction;
  std::vector<double> bytes, coarse, lengths, peaks;
  double servers = 0, counted = 0, expected = 0;
  for (const Sighting& sighting : pattern.sightings) {
    if (!counts(sighting)) continue;
    expected += static_cast<double>(sighting.intervals) + 1;
    const Run& run = application.runs[sighting.run];
    pattern.first_seen = pattern.first_seen == Time{} ? run.start : std::min(pattern.first_seen, run.start);
    pattern.last_seen = std::max(pattern.last_seen, run.end);
    for (const std::uint32_t each : sighting.bursts) {
      const KnownBurst& burst = log.log().bursts[each];
      const double length = std::max(seconds(burst.end - burst.start), 1e-6);
      lengths.push_back(length);
      coarse.push_back(burst.area);
      if (!pattern.region.typical(burst) || burst.servers == 0) continue;
      servers += burst.servers;
      ++counted;
      bytes.push_back(burst.own_area);
      peaks.push_back(burst.own_height);
    }
  }
  pattern.coarse_bytes = median(coarse);
  // What is missing was in somebody's way: it took longer than most.
  pattern.burst_s = quantile(lengths, std::min(0.5 * expected / static_cast<double>(lengths.size()), 0.75));
  pattern.io_share = pattern.burst_s / std::max(pattern.period - pattern.burst_s, 1e-6);
  if (bytes.empty()) return;
  pattern.footprint = servers / counted;
  pattern.burst_bytes = median(bytes);
  pattern.throughput = pattern.burst_bytes / pattern.burst_s;  // typical bursts tell the bytes, all of them how long it takes
  pattern.peak = median(peaks);
}

}  // namespace fathom::mine
