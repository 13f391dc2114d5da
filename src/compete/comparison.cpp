// SPDX-License-Identifier: Apache-2.0
#include "compete/comparison.h"

#include <algorithm>
#include <cmath>

#include "compete/notices.h"

namespace fathom::compete {
namespace {

std::optional<double> per_second(std::uint64_t bytes, std::int64_t nanoseconds) {
  if (nanoseconds <= 0) return std::nullopt;
  return static_cast<double>(bytes) / (static_cast<double>(nanoseconds) / 1e9);
}

std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  if (!a || !b || *b <= 0) return std::nullopt;
  return *a / *b;
}

/// What each mover moved in the active overlap, added to `all`.
void bytes_of_movers(const Application& application, Direction direction, const ActiveOverlap& overlap, std::vector<double>& all) {
  for (const slices::Process* process : application.movers) {
    const auto& own = process->slices;
    auto slice = std::lower_bound(own.begin(), own.end(), overlap.first,
                                  [](const slices::Slice& one, std::int64_t number) { return one.number < number; });
    std::uint64_t bytes = 0;
    for (; slice != own.end() && slice->number < overlap.first + overlap.slices; ++slice) bytes += slices::moved(slice->values, direction);
    all.push_back(static_cast<double>(bytes));
  }
}

Contender describe(const Application& application, const Options& options, const ActiveOverlap& overlap) {
  const slices::Series& series = application.series;
  const slices::Phase& phase = application.phase;
  Contender found;
  found.label = application.label;
  found.processes = application.profile->processes.size();
  found.movers = application.movers.size();
  found.nodes = application.hosts.size();
  found.phase = phase;
  const bool trimmed = options.trim && phase.slices > 0;
  found.start = trimmed ? phase.begin : series.start;
  found.end = trimmed ? phase.end : series.end;
  found.bytes = trimmed ? bytes_in(series, options.direction, phase.first, phase.slices)
                        : bytes_in(series, options.direction, series.first, static_cast<std::int64_t>(series.sums.size()));
  found.overall = per_second(found.bytes, found.end - found.start);
  found.overlap_bytes = bytes_in(series, options.direction, overlap.first, overlap.slices);
  found.overlap = per_second(found.overlap_bytes, overlap.slices * series.length);
  return found;
}

void add_spread(Comparison& comparison, std::span<const Application> applications, Direction direction) {
  std::vector<double> all;
  for (std::size_t i = 0; i < applications.size(); ++i) {
    const std::size_t before = all.size();
    bytes_of_movers(applications[i], direction, comparison.active, all);
    comparison.contenders[i].spread = relative_deviation(std::span(all).subspan(before));
  }
  comparison.spread = relative_deviation(all);
}

}  // namespace

std::optional<double> relative_deviation(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  if (!(sum > 0)) return std::nullopt;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size())) / mean;
}

Comparison compare(std::span<const Application> applications, const Options& options) {
  Comparison comparison;
  comparison.slice_length = applications.front().series.length;
  comparison.together = running_together(applications, options.trim);
  comparison.active = active_overlap(applications, options.direction);
  for (const Application& application : applications) comparison.contenders.push_back(describe(application, options, comparison.active));
  const Contender& first = comparison.contenders.front();
  for (Contender& one : comparison.contenders) {
    one.overall_ratio = ratio(one.overall, first.overall);
    one.overlap_ratio = ratio(one.overlap, first.overlap);
  }
  add_spread(comparison, applications, options.direction);
  comparison.fairness = fairness(applications, options.direction, comparison.active);
  comparison.notices = notices(applications, options, comparison);
  return comparison;
}

std::vector<Pair> pairs(std::span<const Application> applications, const Options& options) {
  std::vector<Pair> all;
  for (std::size_t a = 0; a < applications.size(); ++a)
    for (std::size_t b = a + 1; b < applications.size(); ++b) {
      const std::vector<Application> two = {applications[a], applications[b]};
      all.push_back({a, b, compare(two, options)});
    }
  return all;
}

}  // namespace fathom::compete
