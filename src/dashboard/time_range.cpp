// SPDX-License-Identifier: Apache-2.0
#include "dashboard/time_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "store/increment_scan.h"

namespace fathom::dashboard {
namespace {

constexpr std::uint64_t most_read_at_once = 20'000'000;  // increments: about a second of work
constexpr double hour = 3600, minute = 60;

/// Increments of the days around a time.
std::uint64_t increments_around(const Snapshot& snapshot, const AskedTime& time) {
  std::uint64_t rows = 0;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name))
    if (static_cast<double>(segment->day + 1) * 86400 >= time.from && static_cast<double>(segment->day) * 86400 <= time.to)
      rows += segment->rows;
  return rows;
}

double usual_step(const StoreMoment& moment) {
  if (!moment.usual || moment.usual->empty()) return 1;
  std::vector<std::int64_t> steps;
  for (const auto& [name, step] : *moment.usual) steps.push_back(step);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  return std::max(1.0, static_cast<double>(steps[steps.size() / 2]) / 1e6);
}

Result<Traffic> from_counters(const StoreMoment& moment, const TimeGrid& grid, const std::string& filesystem, LoadOf what) {
  if (what == LoadOf::metadata && !moment.metadata_counters) return Traffic{grid, {}};
  LoadCounters counters = what == LoadOf::bytes ? *moment.counters : *moment.metadata_counters;
  counters.filesystem = filesystem;
  static const UsualIntervals unknown;
  TRY(TrafficRows rows, read_traffic(*moment.snapshot, grid, counters, moment.usual ? *moment.usual : unknown, what));
  return Traffic{grid, std::move(rows)};
}

}  // namespace

Result<AskedTime> asked_time(const StoreMoment& moment, const Call& call) {
  if (!moment.counters)
    return Error{ErrorKind::not_found,
                 "looking at traffic: the store has no counters; ingest some (fathom ingest), or collect them (fathom collect)"};
  const AskedTime time{call.number("from").value_or(unix_seconds(moment.counters->from)),
                       call.number("to").value_or(unix_seconds(moment.counters->to))};
  if (!(time.to > time.from))
    return Error{ErrorKind::usage, fmt::format("reading the time: it ends ({:.0f}) before it begins ({:.0f})", time.to, time.from)};
  if (time.length() > 400 * 366 * 86400.0 || std::fabs(time.from) > 1e11)
    return Error{ErrorKind::usage, "reading the time: it is longer than 400 years, or far from today"};
  return time;
}

TimeGrid nice_grid(const AskedTime& time, std::size_t bins, double least_step) {
  static constexpr double steps[] = {1,    2,    5,    10,    15,    20,    30,    60,    120,    300,    600,    900,    1200,
                                     1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 432000, 864000, 2592000};
  double step = steps[std::size(steps) - 1];
  for (const double each : steps)
    if (each >= least_step && time.length() / each <= static_cast<double>(bins)) {
      step = each;
      break;
    }
  while (time.length() / step > static_cast<double>(bins)) step *= 2;
  TimeGrid grid;
  grid.step = step;
  grid.from = std::floor(time.from / step) * step;
  grid.bins = static_cast<std::size_t>(std::ceil((time.to - grid.from) / step));
  return grid;
}

Result<Traffic> traffic_by_server(const StoreMoment& moment, const AskedTime& time, std::size_t bins, const std::string& filesystem,
                                  LoadOf what) {
  TimeGrid grid = nice_grid(time, bins, usual_step(moment));
  if (grid.step < hour && increments_around(*moment.snapshot, time) <= most_read_at_once)
    return from_counters(moment, grid, filesystem, what);
  grid = nice_grid(time, bins, hour);
  Traffic traffic{grid, moment.overview->by_server(grid, filesystem, what)};
  traffic.rows.prepared = moment.overview->prepared(*moment.snapshot, grid);
  return traffic;
}

Result<Traffic> traffic_by_filesystem(const StoreMoment& moment, const AskedTime& time, std::size_t bins, const std::string& filesystem,
                                      LoadOf what) {
  TimeGrid grid = nice_grid(time, bins, usual_step(moment));
  if (grid.step < minute && increments_around(*moment.snapshot, time) <= most_read_at_once)
    return from_counters(moment, grid, filesystem, what);
  grid = nice_grid(time, bins, minute);
  Traffic traffic{grid, moment.overview->by_filesystem(grid, filesystem, what)};
  traffic.rows.prepared = moment.overview->prepared(*moment.snapshot, grid);
  return traffic;
}

}  // namespace fathom::dashboard
