// SPDX-License-Identifier: Apache-2.0
#include "criteria/criterion.h"

#include <fmt/format.h>

#include "cli/analysis_map_text.h"
#include "cli/command.h"
#include "cli/criteria_rows.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace {

Result<void> run(const StudyArguments& given, bool anew, const OutputOptions& output, Ranks& ranks) {
  TRY(StudyOptions options, study_options(given));
  options.keep = !anew;
  TRY(const Study study, run_study(given, options, &ranks));
  if (ranks.rank() != 0) return {};
  tell_about(study);
  const bool brief = output.format == "table";
  if (!brief || given.jobs.size() != 1) return write_table_in_parts(criteria_rows_in_parts(study, brief), output);
  std::string maps;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    TRY(const std::string map, analysis_map_text(study, i));
    maps += (i == 0 ? "" : "\n") + map;
  }
  return write_text(maps, output);
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto options = add_study_options(app);
  auto anew = std::make_shared<bool>(false);
  app.add_flag("--no-keep", *anew, "compute everything anew and leave the store as it is");
  auto output = add_output_options(app);
  return [options, anew, output] { return on_ranks([&](Ranks& ranks) { return run(*options, *anew, *output, ranks); }); };
}

}  // namespace

namespace commands {
extern const Command criteria;
constinit const Command criteria{
    .name = "criteria",
    .summary = "The I/O criteria of each job",
    .details = R"(One row per job: volumes with their band, bandwidth, operations, file operations, I/O intensity, request sizes, burstiness and
parallel I/O intensity. The terminal shows the main columns; --format csv, json or parquet has all of them, with several
thresholds one row each. A value that this measurement cannot give is empty. flags: low_coverage (less than 95 % of its server-seconds
measured: sums are lower bounds), wide_band (more than 10 % of its bytes may be another job's), reset and gap (counters were
set to zero, or were not read for long), boundary (a maximum comes from an increment that reaches beyond the job; see
*_max_inner), window.

The results are kept in the store: the next time only jobs are computed whose counters, record or neighbours changed.)",
    .examples = R"(  fathom criteria store
  fathom criteria store --threshold 0,128K,1M --format csv -o criteria.csv
  fathom criteria store --job 1782577)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
