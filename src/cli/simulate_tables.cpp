// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate_tables.h"

#include <fmt/format.h>

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

}  // namespace

Table simulated_jobs(const Work& work, const Comparison& found, bool for_people) {
  const Quantity time = for_people ? Quantity::count : Quantity::real;
  Table table{{{"job_id"}, {"io_time", time}, {"io_time_original", time}, {"io_ratio", Quantity::real}, {"run_time", time}, {"run_time_original", time}, {"run_ratio", Quantity::real}}, {}};
  for (const JobComparison& job : found.jobs)
    table.rows.push_back({cell(work.jobs[job.job].id), seconds_cell(job.io_time.changed, for_people), seconds_cell(job.io_time.original, for_people), ratio_cell(job.io_time),
                          seconds_cell(job.run_time.changed, for_people), seconds_cell(job.run_time.original, for_people), ratio_cell(job.run_time)});
  return table;
}

Table simulated_nodes(const Work& work, const Comparison& found, bool for_people) {
  const Quantity time = for_people ? Quantity::count : Quantity::real;
  Table table{{{"node"}, {"compute_nodes", Quantity::count}, {"read_requests", Quantity::count}, {"write_requests", Quantity::count}, {"read_bytes", Quantity::bytes}, {"write_bytes", Quantity::bytes},
               {"io_time", time}, {"io_time_original", time}, {"io_ratio", Quantity::real}, {"end", time}},
              {}};
  for (std::size_t n = 0; n < work.nodes.size(); ++n) {
    const NodeOutcome& node = found.changed.nodes[n];
    table.rows.push_back({cell(work.nodes[n].name), cell(std::uint64_t{work.nodes[n].compute_nodes}), cell(node.requests[0]), cell(node.requests[1]), cell(node.bytes[0]), cell(node.bytes[1]),
                          seconds_cell(found.node_io_time[n].changed, for_people), seconds_cell(found.node_io_time[n].original, for_people), ratio_cell(found.node_io_time[n]),
                          seconds_cell(node.end, for_people)});
  }
  return table;
}

Table simulated_summary(const Comparison& found) {
  Table table{{{"ratio"}, {"jobs", Quantity::count}, {"average", Quantity::real}, {"standard_deviation", Quantity::real}, {"maximum", Quantity::real}, {"median", Quantity::real},
               {"share_above_1.1", Quantity::fraction}},
              {}};
  for (const auto& [name, member] : {std::pair{"io_ratio", &JobComparison::io_time}, {"run_ratio", &JobComparison::run_time}}) {
    std::vector<double> ratios;
    for (const JobComparison& job : found.jobs)
      if (const auto ratio = (job.*member).ratio()) ratios.push_back(*ratio);
    auto& row = table.rows.emplace_back();
    row = {cell(std::string_view(name)), cell(std::uint64_t{ratios.size()})};
    const auto of_all = statistics(std::move(ratios));
    row.resize(table.columns.size());
    if (!of_all) continue;
    row[2] = cell(of_all->average);
    if (of_all->standard_deviation) row[3] = cell(*of_all->standard_deviation);
    row[4] = cell(of_all->maximum);
    row[5] = cell(of_all->median);
    row[6] = cell(of_all->share_above);
  }
  return table;
}

}  // namespace fathom
