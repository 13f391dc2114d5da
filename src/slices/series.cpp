// SPDX-License-Identifier: Apache-2.0
#include "slices/series.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/time.h"

namespace fathom::slices {
namespace {

/// Four years of the usual 4 s; some 4 GB.
constexpr std::int64_t most_slices = std::int64_t{1} << 25;

Error too_long(const Profile& profile) {
  const auto earlier = [](const Process& a, const Process& b) { return a.start < b.start; };
  const auto [first, last] = std::minmax_element(profile.processes.begin(), profile.processes.end(), earlier);
  const auto began = [](const Process& process) { return format_iso8601(time_from_micros(process.start / 1000)); };
  return {ErrorKind::malformed,
          fmt::format("reading the slices of {}: process {} on {} began at {}, process {} on {} at {}: one of the clocks was wrong",
                      profile.directory.string(), first->pid, first->host, began(*first), last->pid, last->host, began(*last))};
}

void add_process(Series& series, const Process& process) {
  const auto place = [&](std::int64_t number) -> Sum& { return series.sums[static_cast<std::size_t>(number - series.first)]; };
  const SliceRange there = range_of(process, series.length);
  for (std::int64_t number = there.first; number <= there.last; ++number) ++place(number).running;
  for (const Slice& slice : process.slices) {
    Sum& sum = place(slice.number);
    for (std::size_t c = 0; c < slice.values.size(); ++c) sum.values[c] += slice.values[c];
    for (const Direction direction : {Direction::read, Direction::write, Direction::both})
      sum.active[static_cast<std::size_t>(direction)] += moved(slice.values, direction) > 0;
  }
}

}  // namespace

SliceRange range_of(const Process& process, std::int64_t length) {
  // A process that ends when a slice begins was not there for it.
  SliceRange range{slice_of(process.start, length), slice_of(std::max(process.start, process.end - 1), length)};
  if (!process.slices.empty()) {
    range.first = std::min(range.first, process.slices.front().number);
    range.last = std::max(range.last, process.slices.back().number);
  }
  return range;
}

Result<Series> add_up(const Profile& profile) {
  Series series{.length = profile.length, .first = 0, .start = 0, .end = 0, .sums = {}};
  if (profile.processes.empty() || profile.length <= 0) return series;
  std::int64_t last = INT64_MIN;
  series.first = series.start = INT64_MAX;
  series.end = INT64_MIN;
  for (const Process& process : profile.processes) {
    const SliceRange range = range_of(process, profile.length);
    series.first = std::min(series.first, range.first);
    last = std::max(last, range.last);
    series.start = std::min(series.start, process.start);
    series.end = std::max(series.end, process.end);
  }
  if (last - series.first >= most_slices) return too_long(profile);
  series.sums.resize(static_cast<std::size_t>(last - series.first + 1));
  for (const Process& process : profile.processes) add_process(series, process);
  return series;
}

}  // namespace fathom::slices
