// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_tables.h"

#include <fmt/format.h>

#include <cmath>

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

void add_statistics(const Comparison& found, Pair JobComparison::*member, std::vector<Cell>& row) {
  std::vector<double> of_jobs;
  for (const JobComparison& job : found.jobs)
    if (const auto ratio = (job.*member).ratio()) of_jobs.push_back(*ratio);
  row.push_back(cell(std::uint64_t{of_jobs.size()}));
  const auto of_all = statistics(std::move(of_jobs));
  if (!of_all) return row.resize(row.size() + 5);
  for (const Cell& each : {cell(of_all->average), of_all->standard_deviation ? cell(*of_all->standard_deviation) : Cell{},
                           cell(of_all->maximum), cell(of_all->median), cell(of_all->share_above)})
    row.push_back(each);
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
  for (const JobComparison& job : found.jobs)
    table.rows.push_back({cell(work.jobs[job.job].id), seconds_cell(job.io_time.changed, for_people),
                          seconds_cell(job.io_time.original, for_people), ratio_cell(job.io_time),
                          seconds_cell(job.run_time.changed, for_people), seconds_cell(job.run_time.original, for_people),
                          ratio_cell(job.run_time)});
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
               {"end", time}},
              {}};
  for (std::size_t n = 0; n < work.nodes.size(); ++n) {
    const NodeOutcome& node = found.changed.nodes[n];
    table.rows.push_back({cell(work.nodes[n].name), cell(std::uint64_t{work.nodes[n].compute_nodes}), cell(node.requests[0]),
                          cell(node.requests[1]), cell(node.bytes[0]), cell(node.bytes[1]),
                          seconds_cell(found.node_io_time[n].changed, for_people), seconds_cell(found.node_io_time[n].original, for_people),
                          ratio_cell(found.node_io_time[n]), seconds_cell(node.end, for_people)});
  }
  return table;
}

Table simulated_summary(const Comparison& found) {
  Table table{{{"ratio"}}, {}};
  for (const TableColumn& column : statistics_columns("")) table.columns.push_back(column);
  for (const auto& [name, member] : ratios) {
    auto& row = table.rows.emplace_back();
    row.push_back(cell(name));
    add_statistics(found, member, row);
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

Table sweep_columns(const std::vector<Axis>& axes) {
  Table table;
  for (const Axis& axis : axes) table.columns.push_back({axis.key});
  for (const auto& [name, member] : ratios)
    for (TableColumn& column : statistics_columns(std::string(name) + "_")) table.columns.push_back(std::move(column));
  return table;
}

std::vector<Cell> sweep_row(const std::vector<Axis>& axes, const std::vector<std::size_t>& values, const Comparison& found) {
  std::vector<Cell> row;
  for (std::size_t i = 0; i < axes.size(); ++i) row.push_back(cell(axes[i].words[values[i]]));
  for (const auto& [name, member] : ratios) add_statistics(found, member, row);
  return row;
}

}  // namespace fathom
