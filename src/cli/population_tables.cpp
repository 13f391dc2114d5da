// SPDX-License-Identifier: Apache-2.0
#include "cli/population_tables.h"

#include <cmath>

#include "population/distribution.h"
#include "population/job_values.h"
#include "population/tables.h"

namespace fathom {
namespace {

Cell number(double value) { return std::isfinite(value) ? cell(value) : Cell{}; }

Result<Table> distributions(const Study& study, const PopulationOptions&) { return distribution_rows(study); }

Result<Table> table2(const Study& study, const PopulationOptions&) {
  Table table{{{"threshold", Quantity::bytes}}, {}};
  for (const char* name :
       {"read_intensity", "write_intensity", "read_burstiness", "write_burstiness", "read_parallel_intensity", "write_parallel_intensity"})
    table.columns.push_back({name, Quantity::real});
  for (const EightyPercentRow& found : eighty_percent_table(study)) {
    auto& row = table.rows.emplace_back();
    row.push_back(cell(found.threshold));
    for (const auto& both : {found.intensity, found.burstiness, found.parallel_intensity})
      for (const double value : both) row.push_back(number(value));
  }
  return table;
}

Result<Table> small(const Study& study, const PopulationOptions&) {
  const AllRequests all = all_requests(study);
  Table table{{{"size", Quantity::bytes}, {"read", Quantity::fraction}, {"write", Quantity::fraction}}, {}};
  for (std::size_t k = 0; k < study.options.small.size(); ++k)
    table.rows.push_back({cell(study.options.small[k]), number(all.small_share(0, k)), number(all.small_share(1, k))});
  return table;
}

Result<Table> request_sizes(const Study& study, const PopulationOptions&) {
  const AllRequests all = all_requests(study);
  Table table{{{"x"},
               {"from", Quantity::bytes},
               {"to", Quantity::bytes},
               {"ops", Quantity::real},
               {"share", Quantity::fraction},
               {"cumulative", Quantity::fraction}},
              {}};
  for (std::size_t d = 0; d < 2; ++d) {
    double sum = 0, total = 0;
    for (const double ops : all.by_class[d]) total += ops;
    for (std::size_t k = 0; k < all.by_class[d].size(); ++k) {
      const double ops = all.by_class[d][k];
      if (ops <= 0) continue;
      sum += ops;
      table.rows.push_back({cell(std::string_view(direction_names[d])), cell(size_class_begin(k)), cell(size_class_begin(k + 1)), cell(ops),
                            cell(ops / total), cell(sum / total)});
    }
  }
  return table;
}

Result<Table> selection(const Study& study, const PopulationOptions& options) {
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"duration", Quantity::duration},
               {"read_bytes", Quantity::bytes},
               {"write_bytes", Quantity::bytes},
               {"why"}},
              {}};
  for (const SelectedJob& selected : select_jobs(study, options.selection).jobs) {
    const Job& job = study.machine.jobs[study.analysis.jobs[selected.at]];
    const Measured& m = study.analysis.measured[selected.at];
    table.rows.push_back({cell(job.id), cell(job.user), cell(job.name), job.nodes == 0 ? Cell{} : cell(job.nodes),
                          cell(job.end - job.start), holds(m.has, 0) ? cell(m.totals[0]) : Cell{},
                          holds(m.has, 1) ? cell(m.totals[1]) : Cell{}, cell(selected.why())});
  }
  return table;
}

Result<Table> servers(const Study& study, const PopulationOptions&) {
  Table table{{{"server"},
               {"read_bytes", Quantity::bytes},
               {"write_bytes", Quantity::bytes},
               {"read_ops", Quantity::real},
               {"write_ops", Quantity::real}},
              {}};
  for (std::size_t s = 0; s < study.machine.servers.size(); ++s) {
    if (!study.analysis.moves_data(s)) continue;
    auto& row = table.rows.emplace_back();
    row.push_back(cell(study.machine.servers[s]));
    for (std::size_t f = 0; f < flow_count; ++f)
      row.push_back(holds(study.analysis.server_has[s], f) ? cell(study.analysis.server_totals[s][f]) : Cell{});
  }
  return table;
}

Result<Table> opens_closes(const Study& study, const PopulationOptions&) {
  const OpensAndCloses found = opens_and_closes(study);
  return Table{
      {{"more_opens", Quantity::count},
       {"more_closes", Quantity::count},
       {"equal", Quantity::count},
       {"unknown", Quantity::count},
       {"p80_relative_difference", Quantity::fraction}},
      {{cell(found.more_opens), cell(found.more_closes), cell(found.equal), cell(found.unknown), number(found.p80_relative_difference)}}};
}

Result<Table> jobs_above_peak(const Study& study, const PopulationOptions& options) {
  if (options.peak <= 0)
    return Error{ErrorKind::usage, "listing jobs above the machine's peak: --peak says what it is, such as --peak 66G"};
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"units", Quantity::count},
               {"x"},
               {"bw_max_inner", Quantity::bandwidth}},
              {}};
  for (const AbovePeak& found : above_peak(study, options.peak)) {
    const Job& job = study.machine.jobs[study.analysis.jobs[found.at]];
    table.rows.push_back({cell(job.id), cell(job.user), cell(job.name), job.nodes == 0 ? Cell{} : cell(job.nodes),
                          cell(std::uint64_t{study.analysis.measured[found.at].units}),
                          cell(std::string_view(direction_names[static_cast<std::size_t>(found.x)])), cell(found.bandwidth)});
  }
  return table;
}

}  // namespace

Table distribution_rows(const Study& study) {
  Table table{{{"criterion"},
               {"key"},
               {"x"},
               {"threshold", Quantity::bytes},
               {"small", Quantity::bytes},
               {"n", Quantity::count},
               {"zeros", Quantity::count},
               {"undefined", Quantity::count}},
              {}};
  for (const char* name : {"min", "median", "p80", "mean", "sd", "max", "top20_share"}) table.columns.push_back({name, Quantity::real});
  for (const AskedValue& asked : all_asked(study.options)) {
    const Distribution d = describe(sort_values(values_of(study, asked)));
    const bool threshold = asked.value->varies == Varies::by_threshold, size = asked.value->varies == Varies::by_small;
    table.rows.push_back({cell(asked.value->criterion), cell(asked.value->key), cell(asked.direction_name()),
                          threshold ? cell(study.options.thresholds[asked.setting.threshold]) : Cell{},
                          size ? cell(study.options.small[asked.setting.small]) : Cell{}, cell(d.n), cell(d.zeros), cell(d.undefined),
                          number(d.min), number(d.median), number(d.p80), number(d.mean), number(d.sd), number(d.max),
                          number(d.top20_share)});
  }
  return table;
}

std::span<const PopulationTable> population_tables() {
  static constexpr PopulationTable tables[] = {
      {"distributions", "every distribution: one row for each value, direction, threshold and size", distributions},
      {"table2", "80 % values of I/O intensity, burstiness and parallel I/O intensity by threshold", table2},
      {"small", "share of small requests among all requests", small},
      {"request-sizes", "all requests by size", request_sizes},
      {"selection", "jobs worth a closer look, and why", selection},
      {"servers", "what each server moved", servers},
      {"opens-closes", "jobs with more opens than closes, or fewer", opens_closes},
      {"above-peak", "jobs faster than --peak", jobs_above_peak},
  };
  return tables;
}

}  // namespace fathom
