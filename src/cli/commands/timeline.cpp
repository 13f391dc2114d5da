// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/talk.h"
#include "characterise/job_view.h"
#include "cli/both_sides_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "cli/timeline_plot.h"
#include "cli/timeline_rows.h"

namespace fathom {
namespace {

struct Shape {
  double step = 0;  // seconds; 0: as usual
  bool both_sides = false;
};

/// Clients beside servers: rows as they are, or a picture with what it means.
Result<void> show_both_sides(const Study& study, const JobView& view, const Shape& shape, const OutputOptions& output) {
  const Job& job = study.machine.jobs[view.job];
  TRY(const std::vector<ClientRun> clients, client_runs(*study.snapshot, job.id, job.start, job.end));
  if (clients.empty())
    return Error{ErrorKind::not_found, fmt::format("showing both sides of job {}: the store has no time slices of its processes; run it "
                                                   "with `fathom run -o DIR`, then `fathom ingest STORE DIR`",
                                                   job.id)};
  if (output.format == "table") {
    TRY(const std::string plot, both_sides_plot(study, view, clients, shape.step));
    return write_text(plot, output);
  }
  const auto length = static_cast<std::int64_t>((shape.step > 0 ? shape.step : 1) * 1e6);
  TRY(const BothSides both, both_sides(study, view, clients, length));
  tell("{}", both_sides_summary(both));
  return write_table(both_sides_rows(both), output);
}

Result<void> run(const StudyArguments& given, const Shape& shape, const OutputOptions& output) {
  const double step = shape.step;
  if (given.jobs.size() != 1) return Error{ErrorKind::usage, "showing a timeline: needs one job, --job ID"};
  TRY(const StudyOptions options, study_options(given));
  if (options.thresholds.size() > 1)
    return Error{ErrorKind::usage,
                 fmt::format("showing a timeline: needs one threshold, --threshold BYTES, not several ({})", given.threshold)};
  TRY(const Study study, run_study(given, options));
  const bool plot = output.format == "table";
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    TRY(const JobView view, look_at(study, i));
    const std::uint64_t threshold = options.thresholds.front();
    if (plot && shape.both_sides) {
      TRY_VOID(show_both_sides(study, view, shape, output));
      continue;
    }
    if (plot) {
      TRY_VOID(write_text(timeline_plot(study, view, step), output));
      continue;
    }
    if (study.analysis.jobs.size() > 1 && i == 0) tell("{} runs have this id; the last one is shown\n", study.analysis.jobs.size());
    if (i + 1 < study.analysis.jobs.size()) continue;
    if (shape.both_sides) return show_both_sides(study, view, shape, output);
    const auto length = static_cast<std::int64_t>((step > 0 ? step : 1) * 1e6);
    return write_table(slot_rows(slots_of(view, length, threshold)), output);
  }
  return {};
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = add_study_options(line);
  line.option("--threshold").description("bytes per second above which a server is active (default 1M); one alone");
  auto shape = std::make_shared<Shape>();
  line.add_flag("--both-sides", shape->both_sides,
                "what its processes moved beside what its servers moved for it, for a job of which `fathom run` wrote slices");
  line.add_option("--step", shape->step, "length of a slot in seconds (default 1; in the plot: what fits)")
      .between(1e-3, 1e7)
      .type_name("S");
  auto output = add_output_options(line);
  return [options, shape, output] { return run(*options, *shape, *output); };
}

}  // namespace

namespace commands {
extern const Command timeline;
constinit const Command timeline{
    .name = "timeline",
    .summary = "One job over time",
    .details =
        R"(On a terminal a plot: bytes over time (criterion 2.8), the dominating type (2.5), how even its servers are (3.3) and how many of
them are active (3.2). With --format csv, json or parquet one row for each slot, slots starting at whole multiples of the step since
1970; where nothing was measured the cells are empty. Minimum, mean and maximum are over the servers that were measured.

With --both-sides: clients and servers on one clock, for a job whose run was traced or sliced (`fathom run`) and ingested. On a terminal the bytes per second of both, the share of all traffic of the job's servers that is the job's, and in words: the totals, their ratio, and the delay, which
is that by which the clients must be moved to go best with the servers (correlation in slots of the counters' step). Servers write more than the program where pages are written twice, and read less where a cache has the data. In csv, json and parquet: t, length, client_read_bytes,
client_write_bytes, server_read_bytes, server_write_bytes (the job's), servers_bytes (all traffic of the servers that it used), share.)",
    .examples = R"(  fathom timeline store --job 1782577
  fathom timeline store --job 1782577 --step 60 --format csv
  fathom timeline store --job 1782577 --both-sides
  fathom timeline store --job 1782577 --both-sides --step 10 --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
