// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "trace_analysis/answer_values.h"
#include "trace_analysis/file_answers.h"
#include "trace_analysis/trace_criteria.h"

namespace fathom::trace {
namespace {

/// A column of the criterion as for counters. Beyond the first threshold or size the name carries it.
void add_column(CriterionAnswer& answer, const CriterionColumn& column, const Measured& m, const Setting& setting,
                const std::string& suffix, std::string detail) {
  CriterionValue value{
      std::string(column.name) + suffix, std::move(detail), column.unit, column.per_direction, {undefined, undefined, undefined}, ""};
  if (column.per_direction) {
    for (std::size_t d = 0; d < direction_count; ++d) value.values[d] = column.value(m, setting, static_cast<Direction>(d));
  } else {
    value.values[2] = column.value(m, setting, Direction::total);
  }
  answer.values.push_back(std::move(value));
}

/// bw_max: max; read_share_ops: by operations.
std::string detail_of(std::string_view column) {
  if (column == "bytes" || column == "ops" || column == "metadata_ops") return "";
  if (column == "read_share_ops") return "by operations";
  if (column == "read_share_bytes") return "by bytes";
  if (column == "mean_request") return "mean";
  for (const std::string_view stem : {"bw_", "iops_", "metadata_rate_"})
    if (column.starts_with(stem)) column.remove_prefix(stem.size());
  return std::string(column);
}

void add_columns(CriterionAnswer& answer, const TraceMeasurement& run) {
  const std::string_view id = answer.criterion->id;
  const auto& options = run.options();
  const bool by_threshold = id == "1.6" || id == "2.9" || id == "3.1", by_small = id == "2.2";
  for (const CriterionColumn& column : answer.criterion->columns) {
    if (column.name == "inode_updates") continue;  // a server's word
    if (by_threshold) {
      for (std::size_t c = 0; c < options.thresholds.size(); ++c)
        add_column(answer, column, run.measured(), {c, 0}, c == 0 ? "" : fmt::format("_at_{}", options.thresholds[c]),
                   fmt::format("c = {}/s", human_size(options.thresholds[c])));
      Measured on_operations = run.measured();
      on_operations.swept.activity.assign(1, run.on_operations());
      add_column(answer, column, on_operations, {}, "_on_operations", "operations, c = 0");
    } else if (by_small) {
      for (std::size_t s = 0; s < options.small.size(); ++s)
        add_column(answer, column, run.measured(), {0, s}, s == 0 ? "" : fmt::format("_at_{}", options.small[s]),
                   fmt::format("s <= {}", human_size(options.small[s])));
    } else {
      add_column(answer, column, run.measured(), {}, "", detail_of(column.name));
    }
  }
}

/// The smallest size that at least `share` of the requests do not exceed, to a class.
double size_quantile(const std::vector<double>& classes, double all, double share) {
  double below = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    below += classes[c];
    if (below >= share * all && below > 0) return c + 1 < classes.size() ? size_class_begin(c + 1) : size_class_begin(c);
  }
  return undefined;
}

void request_sizes(CriterionAnswer& answer, const TraceMeasurement& run) {
  const RequestSizes& sizes = run.measured().swept.sizes;
  const auto& exact = run.timeline().exact_sizes();
  const auto extreme = [&](std::size_t d, bool last) {
    return exact[d].empty() ? undefined : real((last ? exact[d].back() : exact[d].front()).first);
  };
  answer.values.push_back(both("min_request", "smallest", ValueUnit::bytes, extreme(0, false), extreme(1, false)));
  const auto median = [&](std::size_t d) {
    if (exact[d].empty()) return size_quantile(sizes.classes[d], sizes.sized[d], 0.5);
    double below = 0;
    for (const auto& [bytes, requests] : exact[d])
      if ((below += real(requests)) >= 0.5 * sizes.sized[d]) return real(bytes);
    return undefined;
  };
  answer.values.push_back(both("median_request", "median", ValueUnit::bytes, median(0), median(1)));
  answer.values.push_back(both("max_request", "largest", ValueUnit::bytes, extreme(0, true), extreme(1, true)));
  for (std::size_t d = 0; d < 2; ++d) {
    Json classes = Json::array(), list = Json::array();
    double below = 0;
    for (std::size_t c = 0; c < sizes.classes[d].size(); ++c) {
      if (sizes.classes[d][c] == 0) continue;
      below += sizes.classes[d][c];
      classes.push_back({{"from", size_class_begin(c)}, {"requests", sizes.classes[d][c]}, {"cdf", below / sizes.sized[d]}});
    }
    auto most = exact[d];
    std::sort(most.begin(), most.end(),
              [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    for (const auto& [bytes, requests] : most) {
      if (list.size() == longest_list) break;
      list.push_back({{"bytes", bytes}, {"requests", requests}});
    }
    answer.more[fmt::format("{}_distribution", direction_names[d])] = std::move(classes);
    answer.more[fmt::format("{}_sizes", direction_names[d])] = std::move(list);
  }
  answer.note = "every request as it was asked for";
}

void variable_sizes(CriterionAnswer& answer, const std::optional<FixedSizes>& fixed, std::size_t runs) {
  if (!fixed) {
    answer.reason = missing(needs_runs, 0) + ": --with DIR";
    return;
  }
  const double all = real(fixed->fixed + fixed->variable);
  answer.values.push_back(one("runs", "runs compared", ValueUnit::operations, real(runs)));
  answer.values.push_back(one("fixed_requests", "requests of fixed size", ValueUnit::operations, real(fixed->fixed)));
  answer.values.push_back(one("variable_requests", "requests of variable size", ValueUnit::operations, real(fixed->variable)));
  answer.values.push_back(one("fixed_fraction", "share of fixed ones", ValueUnit::fraction, ratio(real(fixed->fixed), all)));
}

std::vector<Dominating> dominating_series(const TraceMeasurement& run) {
  std::vector<Dominating> series;
  for (const Slot& slot : run.slots()) series.push_back(dominating(slot.amounts[2], slot.amounts[3]));
  return series;
}

void dominating_type(CriterionAnswer& answer, const TraceMeasurement& run) {
  std::array<double, 4> time{}, runs{};
  const auto series = dominating_series(run);
  Json list = Json::array();
  for (std::size_t i = 0; i < series.size();) {
    std::size_t j = i;
    double length = 0;
    for (; j < series.size() && series[j] == series[i]; ++j) length += static_cast<double>(run.slots()[j].length) / 1e6;
    time[static_cast<std::size_t>(series[i])] += length;
    ++runs[static_cast<std::size_t>(series[i])];
    list.push_back({{"type", dominating_names[static_cast<std::size_t>(series[i])]},
                    {"start", static_cast<double>(run.slots()[i].begin) / 1e6},
                    {"length", length}});
    i = j;
  }
  const double all = run.measured().duration();
  for (std::size_t t = 0; t < 4; ++t) {
    answer.values.push_back(one(fmt::format("{}_time_share", dominating_names[t]), fmt::format("{}: part of the time", dominating_names[t]),
                                ValueUnit::fraction, ratio(time[t], all)));
    answer.more[fmt::format("{}_mean_run", dominating_names[t])] = runs[t] > 0 ? Json(time[t] / runs[t]) : Json(nullptr);
  }
  answer.more["series"] = std::move(list);
}

void temporal_distribution(CriterionAnswer& answer, const TraceMeasurement& run) {
  Json series = Json::array();
  for (const Slot& slot : run.slots()) {
    if (std::all_of(slot.amounts.begin(), slot.amounts.begin() + flow_count, [](double amount) { return amount == 0; })) continue;
    series.push_back({{"t", static_cast<double>(slot.begin) / 1e6},
                      {"length", static_cast<double>(slot.length) / 1e6},
                      {"read_bytes", slot.amounts[0]},
                      {"write_bytes", slot.amounts[1]},
                      {"read_ops", slot.amounts[2]},
                      {"write_ops", slot.amounts[3]}});
  }
  answer.values.push_back(one("slots", "slots", ValueUnit::operations, real(run.slots().size())));
  answer.values.push_back(one("slots_with_io", "slots with I/O", ValueUnit::operations, real(series.size())));
  answer.more["series"] = std::move(series);
  answer.note = "slots without I/O are left out of the series";
}

void pattern_repetition(CriterionAnswer& answer, const TraceMeasurement& run) {
  const auto& repeats = run.spatial().repeats();
  const bool any = std::any_of(repeats.begin(), repeats.end(), [](const Repeats& r) { return r.inside + r.same_file + r.elsewhere > 0; });
  answer.values.push_back(words("repeats", "", any ? "yes" : "no"));
  const auto share = [&](std::string name, std::string detail, std::uint64_t Repeats::*part) {
    answer.values.push_back(both(std::move(name), std::move(detail), ValueUnit::fraction,
                                 ratio(real(repeats[0].*part), real(repeats[0].requests)),
                                 ratio(real(repeats[1].*part), real(repeats[1].requests))));
  };
  const auto count = [&](std::string name, std::string detail, std::uint64_t Repeats::*part) {
    answer.values.push_back(
        both(std::move(name), std::move(detail), ValueUnit::operations, real(repeats[0].*part), real(repeats[1].*part)));
  };
  count("sequences", "sequences of offsets (three or more)", &Repeats::streams);
  count("sequences_repeating_inside", "that repeat themselves", &Repeats::inside);
  share("requests_repeating_inside", "share of requests in these repeats", &Repeats::inside_requests);
  count("sequences_again_in_same_file", "again by the same process and file", &Repeats::same_file);
  share("requests_again_in_same_file", "share of requests: caching helps", &Repeats::same_file_requests);
  count("sequences_again_elsewhere", "again in another file or process", &Repeats::elsewhere);
  share("requests_again_elsewhere", "share of requests: prefetching helps", &Repeats::elsewhere_requests);
  count("period_requests", "most common period, requests", &Repeats::most_common_period);
}

void type_repetition(CriterionAnswer& answer, const TraceMeasurement& run) {
  const auto series = dominating_series(run);
  const auto found = repetitions(series);
  const bool any = std::any_of(found.begin(), found.end(), [](const Repetition& r) { return r.period.has_value(); });
  answer.values.push_back(words("repeats", "", any ? "yes" : "no"));
  for (const Repetition& r : found) {
    const std::string type = dominating_names[static_cast<std::size_t>(r.type)];
    if (r.period)
      answer.values.push_back(
          words(type + "_period_text", type,
                fmt::format("every {}", human_duration(Duration{static_cast<std::int64_t>(*r.period) * run.options().slot}))));
    answer.more[type + "_period"] = r.period ? Json(*r.period * static_cast<double>(run.options().slot) / 1e6) : Json(nullptr);
    answer.more[type + "_evidence"] = r.evidence;
  }
  answer.more["test"] = repetition_test;
}

void concurrency(CriterionAnswer& answer, const TraceMeasurement& run) {
  std::array<double, direction_count> most{};
  Json series = Json::array();
  for (const Slot& slot : run.slots()) {
    for (std::size_t d = 0; d < direction_count; ++d) most[d] = std::max<double>(most[d], slot.active[d]);
    if (slot.active[2] == 0) continue;
    series.push_back({{"t", static_cast<double>(slot.begin) / 1e6},
                      {"read", ratio(slot.active[0], run.measured().units)},
                      {"write", ratio(slot.active[1], run.measured().units)},
                      {"total", ratio(slot.active[2], run.measured().units)}});
  }
  answer.values.push_back(both("most_units", "most ranks at once", ValueUnit::operations, most[0], most[1], most[2]));
  answer.more["series"] = std::move(series);
  answer.note = fmt::format("c = {}/s, of {}", human_size(run.options().thresholds.front()), counted(run.measured().units, "rank"));
}

void unit_distribution(CriterionAnswer& answer, const TraceMeasurement& run) {
  const auto& units = run.timeline().units();
  const auto spread = [&](const std::string& what, ValueUnit unit, std::size_t flow) {
    std::array<std::array<double, 2>, 3> found{};  // min, mean, max of read and write
    for (std::size_t d = 0; d < 2; ++d) {
      found[0][d] = units.empty() ? 0 : real(units.front().flows[flow + d]);
      for (const auto& each : units) {
        const double amount = real(each.flows[flow + d]);
        found[0][d] = std::min(found[0][d], amount);
        found[1][d] += amount / real(units.size());
        found[2][d] = std::max(found[2][d], amount);
      }
    }
    for (const auto& [name, row] : {std::pair{"min", 0}, {"mean", 1}, {"max", 2}})
      answer.values.push_back(both(fmt::format("unit_{}_{}", what, name), fmt::format("{} of a rank, {}", what, name), unit,
                                   found[static_cast<std::size_t>(row)][0], found[static_cast<std::size_t>(row)][1]));
  };
  spread("bytes", ValueUnit::bytes, 0);
  spread("ops", ValueUnit::operations, 2);
  Json list = Json::array();
  for (std::size_t u = 0; u < units.size(); ++u) {
    const auto& each = units[u];
    list.push_back({{"rank", run.trace().units[u].rank},
                    {"read_bytes", each.flows[0]},
                    {"write_bytes", each.flows[1]},
                    {"read_ops", each.flows[2]},
                    {"write_ops", each.flows[3]},
                    {"opens", each.opens},
                    {"closes", each.closes}});
  }
  answer.more["units"] = std::move(list);
}

void libraries(CriterionAnswer& answer, const TraceMeasurement& run) {
  std::string names;
  Json list = Json::object();
  for (std::size_t i = 0; i < interface_names.size(); ++i) {
    const InterfaceUse& use = run.files().interfaces()[i];
    if (use.calls == 0) continue;
    names += (names.empty() ? "" : ", ") + std::string(interface_names[i]);
    list[std::string(interface_names[i])] = {
        {"calls", use.calls}, {"read_calls", use.reads}, {"write_calls", use.writes}, {"bytes", use.bytes}};
  }
  answer.measured_now = true;
  answer.values.push_back(words("interfaces_called", "measured", names.empty() ? "none" : names));
  answer.more["interfaces"] = std::move(list);
}

bool any_value(const CriterionAnswer& answer) {
  return std::any_of(answer.values.begin(), answer.values.end(), [](const CriterionValue& value) {
    return !value.text.empty() || std::any_of(value.values.begin(), value.values.end(), [](double each) { return !std::isnan(each); });
  });
}

/// What traces add to the columns that counters have, too.
struct FromTraces {
  std::string_view criterion;
  void (*add)(CriterionAnswer& answer, const TraceMeasurement& run);
};
constexpr FromTraces from_traces[] = {{"files", files},
                                      {"request_sizes", request_sizes},
                                      {"dominating_type", dominating_type},
                                      {"shared_files", shared_files},
                                      {"spatial_pattern", spatial_pattern},
                                      {"temporal_distribution", temporal_distribution},
                                      {"pattern_repetition", pattern_repetition},
                                      {"type_repetition", type_repetition},
                                      {"concurrency", concurrency},
                                      {"unit_distribution", unit_distribution},
                                      {"file_concurrency", file_concurrency},
                                      {"libraries", libraries}};

}  // namespace

std::vector<CriterionAnswer> answers(const TraceMeasurement& run, const std::optional<FixedSizes>& fixed, std::size_t runs) {
  std::vector<CriterionAnswer> all;
  for (const Criterion* criterion : all_criteria()) {
    CriterionAnswer& answer = all.emplace_back();
    answer.criterion = criterion;
    answer.more = Json::object();
    add_columns(answer, run);
    for (const FromTraces& each : from_traces)
      if (each.criterion == criterion->name) each.add(answer, run);
    if (criterion->name == "variable_sizes") variable_sizes(answer, fixed, runs);
    if (answer.values.empty() && answer.reason.empty()) answer.reason = missing(criterion->needs, traces_give);
    if (answer.reason.empty() && !any_value(answer)) answer.reason = why_undefined(*criterion, run.measured());
  }
  return all;
}

}  // namespace fathom::trace
