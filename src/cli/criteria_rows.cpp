// SPDX-License-Identifier: Apache-2.0
#include "cli/criteria_rows.h"

#include <algorithm>
#include <array>

#include "criteria/criterion.h"

namespace fathom {
namespace {

Quantity quantity_of(Unit unit) {
  switch (unit) {
    case Unit::bytes: return Quantity::bytes;
    case Unit::bytes_per_second: return Quantity::bandwidth;
    case Unit::fraction: return Quantity::fraction;
    default: return Quantity::real;
  }
}

constexpr std::array brief_columns = {"job_id",
                                      "user",
                                      "name",
                                      "units",
                                      "start",
                                      "duration",
                                      "coverage",
                                      "threshold",
                                      "small",
                                      "read_bytes",
                                      "write_bytes",
                                      "read_bw_max_inner",
                                      "write_bw_max_inner",
                                      "read_intensity",
                                      "write_intensity",
                                      "read_burstiness",
                                      "write_burstiness",
                                      "total_parallel_intensity",
                                      "flags"};

/// A job that was computed, or one that the store knew.
struct JobLine {
  std::uint32_t job;
  const Measured* measured;
  const KeptJob* kept;
};

KeptJob facts_of(const Measured& m) { return {0, m.units, m.coverage, m.sampling_step, m.flags, m.other_jobs, m.bound, {}}; }

/// Columns that came after the contract's stand behind all others.
bool came_later(const ValueColumn& column) { return column.criterion->id == "1.7"; }

Table empty_rows(const Study& study) {
  const bool several = study.options.thresholds.size() > 1, several_small = study.options.small.size() > 1;
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"units", Quantity::count},
               {"start", Quantity::time},
               {"end", Quantity::time},
               {"duration", Quantity::duration},
               {"sampling_step", Quantity::duration},
               {"coverage", Quantity::fraction},
               {"flags"},
               {"link"},
               {"other_jobs", Quantity::count}},
              {}};
  if (several) table.columns.push_back({"threshold", Quantity::bytes});
  if (several_small) table.columns.push_back({"small", Quantity::bytes});
  const auto add = [&](bool later) {
    for (const ValueColumn& column : value_columns())
      if (came_later(column) == later) table.columns.push_back({column.name, quantity_of(column.column->unit)});
  };
  add(false);
  table.columns.push_back({"read_bytes_bound", Quantity::bytes});
  table.columns.push_back({"write_bytes_bound", Quantity::bytes});
  add(true);
  return table;
}

void add_job(Table& table, const Study& study, const JobLine& line) {
  const bool several = study.options.thresholds.size() > 1, several_small = study.options.small.size() > 1;
  const Job& job = study.machine.jobs[line.job];
  const KeptJob facts = line.kept != nullptr ? *line.kept : facts_of(*line.measured);
  for (std::size_t c = 0; c < study.options.thresholds.size(); ++c) {
    for (std::size_t s = 0; s < study.options.small.size(); ++s) {
      auto& row = table.rows.emplace_back();
      row = {cell(job.id),
             cell(job.user),
             cell(job.name),
             job.nodes == 0 ? Cell{} : cell(job.nodes),
             cell(std::uint64_t{facts.units}),
             cell(job.start),
             cell(job.end),
             cell(job.end - job.start),
             facts.sampling_step == 0 ? Cell{} : cell(Duration{facts.sampling_step}),
             facts.coverage ? cell(*facts.coverage) : Cell{},
             cell(flag_names(facts.flags)),
             study.measured_by.empty() ? cell(name_of(study.options.link)) : cell(study.measured_by),
             cell(std::uint64_t{facts.other_jobs})};
      if (several) row.push_back(cell(study.options.thresholds[c]));
      if (several_small) row.push_back(cell(study.options.small[s]));
      CounterMask bytes = 0;  // that have a value: a bound of what is unknown is unknown, too
      const auto add = [&](bool later) {
        for (std::size_t v = 0; v < value_columns().size(); ++v) {
          if (came_later(value_columns()[v]) != later) continue;
          const double value =
              line.kept != nullptr ? facts.values[c * study.options.small.size() + s][v] : value_columns()[v].value(*line.measured, {c, s});
          if (value_columns()[v].column->name == "bytes" && !std::isnan(value))
            bytes = static_cast<CounterMask>(bytes | 1u << static_cast<unsigned>(value_columns()[v].x));
          row.push_back(std::isnan(value) ? Cell{} : cell(value));
        }
      };
      add(false);
      const bool known = facts.coverage && *facts.coverage > 0;
      for (const std::size_t d : {0u, 1u}) row.push_back(known && holds(bytes, d) ? cell(facts.bound[d]) : Cell{});
      add(true);
    }
  }
}

std::vector<JobLine> lines_of(const Study& study) {
  std::vector<JobLine> lines;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i)
    lines.push_back({study.analysis.jobs[i], &study.analysis.measured[i], nullptr});
  for (const KeptJob& kept : study.kept) lines.push_back({kept.job, nullptr, &kept});
  std::sort(lines.begin(), lines.end(), [](const JobLine& a, const JobLine& b) { return a.job < b.job; });
  return lines;
}

/// Only the columns that fit a terminal.
Table shortened(const Table& table) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (std::find(brief_columns.begin(), brief_columns.end(), table.columns[i].name) != brief_columns.end()) kept.push_back(i);
  Table shorter;
  for (const std::size_t i : kept) shorter.columns.push_back(table.columns[i]);
  for (const auto& row : table.rows) {
    auto& line = shorter.rows.emplace_back();
    for (const std::size_t i : kept) line.push_back(row[i]);
  }
  return shorter;
}

constexpr std::size_t jobs_in_a_part = 4096;

}  // namespace

std::string flag_names(std::uint8_t flags) {
  std::string names;
  for (std::size_t i = 0; i < measured_flag_names.size(); ++i)
    if ((flags >> i & 1) != 0) names += (names.empty() ? "" : ";") + std::string(measured_flag_names[i]);
  return names;
}

Result<void> write_criteria(const Study& study, const OutputOptions& output) {
  const std::vector<JobLine> lines = lines_of(study);
  TableParts parts;
  parts.count = std::max<std::size_t>(1, (lines.size() + jobs_in_a_part - 1) / jobs_in_a_part);  // without jobs there are columns
  parts.part = [&](std::size_t number) {
    Table part = empty_rows(study);
    const std::size_t end = std::min(lines.size(), (number + 1) * jobs_in_a_part);
    for (std::size_t at = number * jobs_in_a_part; at < end; ++at) add_job(part, study, lines[at]);
    return output.format == "table" ? shortened(part) : part;
  };
  return write_table_in_parts(parts, output, std::max(1u, study.options.threads));
}

}  // namespace fathom
