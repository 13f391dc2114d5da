// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/analysis_map_text.h"
#include "cli/command.h"
#include "cli/criteria_rows.h"
#include "cli/output.h"
#include "cli/sliced_jobs.h"
#include "cli/study_options.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "cli/traced_jobs.h"
#include "criteria/criterion.h"
#include "ranks/on_ranks.h"
#include "trace_analysis/trace_criteria.h"

namespace fathom {
namespace {

Result<void> run(const StudyArguments& given, bool anew, const OutputOptions& output, Ranks& ranks) {
  TRY(StudyOptions options, study_options(given));
  options.keep = !anew;
  TRY(const Study study, run_study(given, options, &ranks));
  if (ranks.rank() != 0) return {};
  tell_about(study);
  const bool brief = output.format == "table";
  if (!brief || given.jobs.size() != 1) return write_criteria(study, output);
  std::string maps;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    TRY(const std::string map, analysis_map_text(study, i));
    maps += (i == 0 ? "" : "\n") + map;
  }
  return write_text(maps, output);
}

/// The same table, of jobs as their traces tell them.
Result<void> run_traced(const StudyArguments& given, trace::Interface layer, const OutputOptions& output) {
  TRY(const StudyOptions asked, study_options(given));
  TRY(const Store store, Store::open(given.store));
  TRY(const auto traced, traced_jobs(store, given.jobs));
  if (traced.empty())
    return Error{ErrorKind::not_found, fmt::format("looking for traced jobs: {} has none{}; add traces with fathom ingest", given.store,
                                                   given.jobs.empty() ? "" : " of that name")};
  Study study;
  study.options = asked;
  study.measured_by = "trace";
  std::string maps;
  for (const TracedJob& each : traced) {
    TRY(const trace::Trace trace, trace::open_trace(each.trace));
    trace::TraceMeasurement measurement(trace, {.layer = layer, .thresholds = asked.thresholds, .small = asked.small});
    TRY_VOID(walk_with_progress(trace, measurement.analyses()));
    measurement.measure();
    Job job;
    job.id = each.job_id;
    job.start = time_from_micros(measurement.measured().start);
    job.end = time_from_micros(measurement.measured().end);
    const auto main = std::find_if(trace.processes.begin(), trace.processes.end(), [](const trace::Process& p) { return p.rank >= 0; });
    if (!trace.processes.empty()) {
      const trace::Process& process = main != trace.processes.end() ? *main : trace.processes.front();
      job.user = process.user;
      job.name = std::filesystem::path(process.executable).filename().string();
    }
    study.analysis.jobs.push_back(static_cast<std::uint32_t>(study.machine.jobs.size()));
    study.machine.jobs.push_back(std::move(job));
    study.analysis.measured.push_back(measurement.measured());
    if (given.jobs.size() == 1)
      maps += (maps.empty() ? "" : "\n") + trace_map(measurement, fmt::format("job {}, trace {}", each.job_id, each.trace));
  }
  const bool brief = output.format == "table";
  if (brief && given.jobs.size() == 1) return write_text(maps, output);
  return write_criteria(study, output);
}

/// The same table, of jobs as their time slices tell them.
Result<void> run_sliced(const StudyArguments& given, const OutputOptions& output) {
  TRY(const StudyOptions asked, study_options(given));
  TRY(const Store store, Store::open(given.store));
  TRY(auto sliced, sliced_jobs(store, given.jobs, {1'000'000, asked.thresholds, asked.small, false}));
  if (sliced.empty())
    return Error{
        ErrorKind::not_found,
        fmt::format("looking for jobs with time slices: {} has none{}; record them with fathom run and add them with fathom ingest",
                    given.store, given.jobs.empty() ? "" : " of that name")};
  Study study;
  study.options = asked;
  study.measured_by = "slices";
  for (SlicedJob& each : sliced) {
    Job job;
    job.id = each.job_id;
    job.user = each.user;
    job.name = each.name;
    job.start = time_from_micros(each.measured.start);
    job.end = time_from_micros(each.measured.end);
    study.analysis.jobs.push_back(static_cast<std::uint32_t>(study.machine.jobs.size()));
    study.machine.jobs.push_back(std::move(job));
    study.analysis.measured.push_back(std::move(each.measured));
  }
  return write_criteria(study, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = add_study_options(line);
  auto traced = std::make_shared<bool>(false);
  line.add_flag("--traced", *traced, "of traced jobs, from their traces: units are ranks, every call is known");
  auto sliced = std::make_shared<bool>(false);
  line.add_flag("--sliced", *sliced, "of jobs with time slices, from these: units are ranks, counted on the compute nodes")
      .excludes("--traced");
  auto layer = add_layer_option(line);
  auto anew = std::make_shared<bool>(false);
  line.add_flag("--no-keep", *anew, "compute everything anew and leave the store as it is");
  auto output = add_output_options(line);
  return [=]() -> Result<void> {
    if (*sliced) return run_sliced(*options, *output);
    if (*traced) return run_traced(*options, layer_named(*layer), *output);
    return on_ranks([&](Ranks& ranks) { return run(*options, *anew, *output, ranks); });
  };
}

}  // namespace

namespace commands {
extern const Command criteria;
constinit const Command criteria{
    .name = "criteria",
    .summary = "The I/O criteria of each job",
    .details =
        R"(One row per job: volumes with their band, bandwidth, operations, file operations, I/O intensity, request sizes, burstiness and
parallel I/O intensity. The terminal shows the main columns; --format csv, json or parquet has all of them, with several
thresholds or sizes one row each. A value that this measurement cannot give is empty. flags: low_coverage (less than 95 % of its server-seconds
measured: sums are lower bounds), wide_band (more than 10 % of its bytes may be another job's), reset and gap (counters were
set to zero, or were not read for long), boundary (a maximum, of bytes or operations, comes from an increment that reaches beyond
the job; see *_max_inner), window.

The results are kept in the store: the next time only jobs are computed whose counters, record or neighbours changed.)",
    .examples = R"(  fathom criteria store
  fathom criteria store --threshold 0,128K,1M --format csv -o criteria.csv
  fathom criteria store --job 1782577
  fathom criteria store --traced --layer mpiio
  fathom criteria store --sliced)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
