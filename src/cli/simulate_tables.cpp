// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/pareto.h"

namespace fathom {
namespace {

using namespace simulate;

/// Seconds with every picosecond in files, a readable number of digits for people.
Cell seconds_cell(Picoseconds time, bool for_people) {
  const double value = in_seconds(time);
  if (!for_people) return cell(value);
  if (value >= 1 || value == 0) return cell(fmt::format("{:.3f} s", value));
  return cell(value >= 1e-3 ? fmt::format("{:.3f} ms", value * 1e3) : fmt::format("{:.3f} us", value * 1e6));
}

Cell ratio_cell(const Pair& pair) {
  const auto ratio = pair.ratio();
  return ratio ? cell(*ratio) : Cell{};
}

constexpr std::pair<std::string_view, Pair JobComparison::*> ratios[] = {{"io_ratio", &JobComparison::io_time},
                                                                         {"run_ratio", &JobComparison::run_time}};

std::vector<TableColumn> statistics_columns(const std::string& prefix) {
  return {{prefix + "jobs", Quantity::count},   {prefix + "average", Quantity::real}, {prefix + "standard_deviation", Quantity::real},
          {prefix + "maximum", Quantity::real}, {prefix + "median", Quantity::real},  {prefix + "share_above_1.1", Quantity::fraction}};
}

Cell maybe(const std::optional<double>& value) { return value ? cell(*value) : Cell{}; }

void add_statistics(const std::optional<RatioStatistics>& of_all, std::vector<Cell>& row) {
  row.push_back(cell(std::uint64_t{of_all ? of_all->count : 0}));
  if (!of_all) return row.resize(row.size() + 5);
  for (const Cell& each :
       {cell(of_all->average), maybe(of_all->standard_deviation), cell(of_all->maximum), cell(of_all->median), cell(of_all->share_above)})
    row.push_back(each);
}

void leave_out_empty_columns(Table& table) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    const bool empty =
        std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); });
    if (!empty || table.rows.empty()) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

Table simulated_jobs(const Work& work, const Comparison& found, bool for_people) {
  const Quantity time = for_people ? Quantity::count : Quantity::real;
  Table table{{{"job_id"},
               {"io_time", time},
               {"io_time_original", time},
               {"io_ratio", Quantity::real},
               {"run_time", time},
               {"run_time_original", time},
               {"run_ratio", Quantity::real}},
              {}};
  for (const JobComparison& job : found.jobs) {
    if (!job.finished) {
      table.rows.emplace_back(table.columns.size()).front() = cell(work.jobs[job.job].id);
      continue;
    }
    table.rows.push_back({cell(work.jobs[job.job].id), seconds_cell(job.io_time.changed, for_people),
                          seconds_cell(job.io_time.original, for_people), ratio_cell(job.io_time),
                          seconds_cell(job.run_time.changed, for_people), seconds_cell(job.run_time.original, for_people),
                          ratio_cell(job.run_time)});
  }
  return table;
}

Table simulated_nodes(const Work& work, const Comparison& found, bool for_people) {
  const Quantity time = for_people ? Quantity::count : Quantity::real;
  Table table{{{"node"},
               {"compute_nodes", Quantity::count},
               {"read_requests", Quantity::count},
               {"write_requests", Quantity::count},
               {"read_bytes", Quantity::bytes},
               {"write_bytes", Quantity::bytes},
               {"io_time", time},
               {"io_time_original", time},
               {"io_ratio", Quantity::real},
               {"end", time},
               {"buffered_bytes", Quantity::bytes}},
              {}};
  for (std::size_t n = 0; n < work.nodes.size(); ++n) {
    const NodeOutcome& node = found.changed.nodes[n];
    if (!node.finished) {
      table.rows.emplace_back(table.columns.size()).front() = cell(work.nodes[n].name);
      continue;
    }
    table.rows.push_back({cell(work.nodes[n].name), cell(std::uint64_t{work.nodes[n].compute_nodes}), cell(node.requests[0]),
                          cell(node.requests[1]), cell(node.bytes[0]), cell(node.bytes[1]),
                          seconds_cell(found.node_io_time[n].changed, for_people), seconds_cell(found.node_io_time[n].original, for_people),
                          ratio_cell(found.node_io_time[n]), seconds_cell(node.end, for_people), cell(node.buffered_bytes)});
  }
  return table;
}

Table simulated_summary(const Comparison& found) {
  Table table{{{"ratio"}}, {}};
  for (const TableColumn& column : statistics_columns("")) table.columns.push_back(column);
  for (const auto& [name, member] : ratios) {
    auto& row = table.rows.emplace_back();
    row.push_back(cell(name));
    add_statistics(statistics(ratios_of(found, member)), row);
  }
  return table;
}

Table verification_table(const std::array<CounterError, 4>& errors) {
  Table table{{{"counter"},
               {"increments", Quantity::count},
               {"with_error", Quantity::count},
               {"unexpected", Quantity::count},
               {"average_error", Quantity::fraction}},
              {}};
  for (const CounterError& each : errors)
    table.rows.push_back({cell(each.counter), cell(each.increments), cell(each.with_error), cell(each.unexpected),
                          std::isnan(each.average_error) ? Cell{} : cell(each.average_error)});
  return table;
}

Table sweep_table(const Sweep& sweep, const std::vector<SweepPoint>& points, const Prices& prices, bool for_people) {
  Table table;
  for (const Axis& axis : sweep.axes) table.columns.push_back({axis.key});
  for (const auto& [name, member] : ratios)
    for (TableColumn& column : statistics_columns(std::string(name) + "_")) table.columns.push_back(std::move(column));
  for (const auto& [name, quantity] : {std::pair{"buffer_bytes_per_day", Quantity::bytes},
                                       {"full_writes_per_day", Quantity::real},
                                       {"most_full_writes_per_day", Quantity::real},
                                       {"years_until_worn_out", Quantity::real},
                                       {"cost", Quantity::real},
                                       {"pareto", Quantity::count}})
    table.columns.push_back({name, quantity});
  const std::vector<Offer> all = offers(sweep, points, prices, &SweepPoint::run_ratio);
  const std::vector<bool> front = pareto_front(all);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SweepPoint& point = points[i];
    auto& row = table.rows.emplace_back();
    for (std::size_t k = 0; k < sweep.axes.size(); ++k) row.push_back(cell(sweep.axes[k].words[sweep.combinations[point.combination][k]]));
    add_statistics(point.io_ratio, row);
    add_statistics(point.run_ratio, row);
    const Wear wears = wear(prices, sweep.architecture(point.combination), point.buffered);
    for (const auto& each : {wears.bytes_per_day, wears.full_writes_per_day, wears.most_full_writes_per_day, wears.years, all[i].cost})
      row.push_back(maybe(each));
    row.push_back(all[i].cost && all[i].slowdown ? cell(std::uint64_t{front[i]}) : Cell{});
  }
  if (for_people) leave_out_empty_columns(table);
  return table;
}

}  // namespace fathom
