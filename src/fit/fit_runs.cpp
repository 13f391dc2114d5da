// SPDX-License-Identifier: Apache-2.0
#include "fit/fit_runs.h"

#include <fmt/format.h>

#include <map>

#include "fit/line_fit.h"

namespace fathom::fit {
namespace {

using Group = std::pair<simulate::Kind, double>;  // and the number of tasks; 0: all of them

/// Why runs do not determine a line.
std::string what_is_missing(const std::vector<const RunTime*>& runs) {
  if (runs.size() < fewest_points)
    return fmt::format("{} run{} of this kind, and at least {} are needed", runs.size(), runs.size() == 1 ? "" : "s", fewest_points);
  return fmt::format("all {} runs have the same size, so that latency and bandwidth cannot be told apart", runs.size());
}

/// The interval of 1 / slope is that of the slope upside down, as long as it keeps away from 0.
void turn_into_bandwidth(const Estimate& slope, Fitted& row) {
  if (slope.upper > 0) row.lower = 1 / slope.upper;
  if (slope.lower > 0) row.upper = 1 / slope.lower;
  if (slope.value > 0)
    row.value = 1 / slope.value;
  else
    add_note(row.notes, "time does not grow with the bytes: these runs do not show a bandwidth");
  if (slope.value > 0 && slope.lower <= 0) add_note(row.notes, "no upper end: these runs could be of any speed above");
}

void fit_group(const Group& group, const std::vector<const RunTime*>& runs, const RunFitOptions& options, std::vector<Fitted>& rows) {
  std::vector<Point> points;
  const bool for_each_node = options.link == external_link_bandwidth;
  for (const RunTime* run : runs) points.push_back({for_each_node ? run->bytes / run->nodes : run->bytes, run->seconds});
  Fitted bandwidth{.parameter = std::string(options.link),
                   .kind = group.first,
                   .server = {},
                   .value = {},
                   .unit = bytes_per_second,
                   .lower = {},
                   .upper = {},
                   .observations = runs.size(),
                   .method = "none",
                   .r_squared = {},
                   .deviation = {},
                   .notes = {}};
  if (group.second > 0) bandwidth.notes = fmt::format("{} tasks", group.second);
  const auto line = fit_line(points, options.confidence);
  if (!line) {
    add_note(bandwidth.notes, what_is_missing(runs));
    rows.push_back(std::move(bandwidth));
    return;
  }
  bandwidth.observations = line->points;
  bandwidth.method = "regression";
  bandwidth.r_squared = line->r_squared;
  bandwidth.deviation = line->deviation;
  if (line->outlier) add_note(bandwidth.notes, fmt::format("one run left out, far from all others ({})", runs[*line->outlier]->where));
  if (line->curved) add_note(bandwidth.notes, "time is not a straight line over bytes: caches, or other limits at small sizes");
  Fitted latency = bandwidth;
  latency.parameter = "latency";
  latency.unit = seconds_unit;
  latency.value = line->intercept.value, latency.lower = line->intercept.lower, latency.upper = line->intercept.upper;
  if (line->intercept.upper < 0) add_note(latency.notes, "below 0: small runs are faster than the line says");
  turn_into_bandwidth(line->slope, bandwidth);
  rows.push_back(std::move(bandwidth));
  rows.push_back(std::move(latency));
}

}  // namespace

Result<std::vector<Fitted>> fit_runs(const std::vector<RunTime>& runs, const RunFitOptions& options) {
  std::map<Group, std::vector<const RunTime*>> groups;
  for (const RunTime& run : runs) groups[{run.kind, options.by_tasks ? run.tasks : 0}].push_back(&run);
  std::vector<Fitted> rows;
  for (const auto& [group, members] : groups) fit_group(group, members, options, rows);
  for (const Fitted& each : rows)
    if (each.method != "none") return rows;
  std::string why = "there are no runs";
  if (!rows.empty()) why = fmt::format("{}: {}", simulate::kind_names[static_cast<std::size_t>(rows.front().kind)], rows.front().notes);
  return Error{ErrorKind::malformed, "fitting to runs: " + why};
}

}  // namespace fathom::fit
