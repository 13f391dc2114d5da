// SPDX-License-Identifier: Apache-2.0
#include "cli/analysis_map_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "characterise/annotations.h"
#include "cli/criteria_rows.h"
#include "criteria/criterion.h"
#include "report/table.h"

namespace fathom {
namespace {

constexpr std::string_view categories[] = {"1  Aggregate performance numbers", "2  I/O patterns", "3  Parallel I/O",
                                           "4  Application details (declared)"};

std::string how_measured(const Measured& m) {
  if (!was_measured(m)) return "nothing was measured while it ran";
  const std::string step = human_duration(Duration{m.sampling_step});
  if (!m.coverage) return "it has no length, sampled every " + step;
  return fmt::format("measured {} of the time, sampled every {} ({} samples a server)", human_percent(*m.coverage), step,
                     m.sampling_step > 0 ? (m.end - m.start) / m.sampling_step : 0);
}

std::string heading(const Study& study, const JobView& view) {
  const Job& job = study.machine.jobs[view.job];
  const Measured& m = view.measured;
  std::string text = fmt::format("job {}  {} {}\n", job.id, job.user, job.name);
  text += fmt::format("  nodes {}, servers {}, {} from {} to {}\n", job.nodes > 0 ? human_count(job.nodes) : "unknown", m.units,
                      human_duration(job.end - job.start), format_iso8601(job.start), format_iso8601(job.end));
  text += fmt::format("  {}, link {}", how_measured(m), name_of(study.options.link));
  if (m.other_jobs > 0) text += fmt::format(", {} other job{}", m.other_jobs, m.other_jobs == 1 ? "" : "s");
  text += "\n";
  if (m.flags != 0) text += fmt::format("  careful: {}\n", flag_names(m.flags));
  return text;
}

}  // namespace

std::string map_table(const std::vector<MapRow>& rows) {
  Table table{{{"id"}, {"criterion"}, {"detail"}, {"read", Quantity::real}, {"write", Quantity::real}, {"total", Quantity::real}, {"note"}},
              {}};
  const Cell none = cell(std::string());
  char category = 0;
  std::string previous;
  for (const MapRow& row : rows) {
    if (row.id.front() != category) {
      category = row.id.front();
      table.rows.push_back({cell(std::string(1, category)), cell(categories[category - '1'].substr(3)), none, none, none, none, none});
    }
    const bool again = row.id == previous;
    previous = row.id;
    table.rows.push_back({cell(again ? "" : row.id), cell(again ? "" : row.criterion), cell(row.detail), cell(row.read), cell(row.write),
                          cell(row.total), cell(row.note)});
  }
  return as_aligned_text(table);
}

Result<std::string> analysis_map_text(const Study& study, std::size_t place) {
  TRY(const JobView view, look_at(study, place));
  TRY(const Annotations declared, declared_for(study, study.machine.jobs[view.job]));
  return heading(study, view) + "\n" + map_table(analysis_map(study, view, declared));
}

}  // namespace fathom
