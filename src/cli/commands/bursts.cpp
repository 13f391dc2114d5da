// SPDX-License-Identifier: Apache-2.0
#include "mine/bursts.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/burst_plot.h"
#include "cli/command.h"
#include "cli/output.h"
#include "mine/aggregate.h"
#include "mine/series_file.h"
#include "store/filesystems.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

struct Arguments {
  std::string input, job, from, to, filesystem, direction = "total";
  double step = 0, window = 0;
  SeriesFileOptions file;
};

Result<void> set_time(const Arguments& given, const Snapshot& snapshot, AggregateRequest& request) {
  if (!given.from.empty()) {
    TRY(request.from, parse_time_argument(given.from, "--from"));
  }
  if (!given.to.empty()) {
    TRY(request.to, parse_time_argument(given.to, "--to"));
  }
  if (given.job.empty()) return {};
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table), fmt::format("job_id = {}", sql_text(given.job))));
  if (jobs.empty())
    return Error{ErrorKind::not_found,
                 fmt::format("looking for the bursts of job {}: the store has no such job ({})", given.job, given.input)};
  if (jobs.size() > 1) tell("{} runs have this id; the last one is shown\n", jobs.size());
  request.from = jobs.back().start;
  request.to = jobs.back().end;  // no_time while it runs: to the end of the log
  return {};
}

Result<TrafficSeries> from_store(const Arguments& given) {
  TRY(const Store store, Store::open(given.input));
  TRY(const Snapshot snapshot, store.snapshot());
  AggregateRequest request{.filesystem = given.filesystem, .step = Duration{static_cast<std::int64_t>(given.step * 1e6)}};
  TRY_VOID(require_filesystem(snapshot, "adding up the traffic", given.filesystem, extent_counts_bytes));
  TRY_VOID(set_time(given, snapshot, request));
  Progress bar("adding up traffic", Progress::Unit::share);
  TRY(const AggregateTraffic traffic,
      aggregate_traffic(snapshot, request, [&](std::size_t done, std::size_t all) { bar.update(done, all); }));
  tell("{}: {}, {}, slots of {:g} s, {} measured{}\n", traffic.filesystem.empty() ? "all file systems" : traffic.filesystem,
       counted(traffic.servers, "server"), counted(traffic.increments, "increment"), seconds(traffic.step),
       human_percent(traffic.coverage()), traffic.gaps > 0 ? fmt::format("; {} left out", counted(traffic.gaps, "gap")) : "");
  return traffic.series(given.direction == "read"    ? TrafficDirection::read
                        : given.direction == "write" ? TrafficDirection::write
                                                     : TrafficDirection::total);
}

Result<TrafficSeries> from_file(const Arguments& given) {
  for (const auto& [value, name] : {std::pair(given.job, "--job"), std::pair(given.from, "--from"), std::pair(given.to, "--to"),
                                    std::pair(given.filesystem, "--filesystem")})
    if (!value.empty())
      return Error{ErrorKind::usage, fmt::format("looking for bursts: {} is for stores, and {} is a file", name, given.input)};
  SeriesFileOptions options = given.file;
  options.step = given.step;
  TRY(SeriesFile file, read_series_file(given.input, options));
  if (file.left_out > 0) tell("{} of {} left out: their slots had a value already\n", file.left_out, counted(file.rows, "row"));
  return std::move(file.series);
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  if (!given.job.empty() && (!given.from.empty() || !given.to.empty()))
    return Error{ErrorKind::usage, "looking for bursts: a job has its own time; give --job or --from and --to"};
  Result<TrafficSeries> series = std::filesystem::is_directory(given.input) ? from_store(given) : from_file(given);
  if (!series) return std::move(series).error();
  BurstOptions options;
  if (given.window > 0) options.window = given.window;
  TRY(const std::vector<Burst> bursts, find_bursts(*series, options));
  if (output.format == "table" && output.file.empty()) TRY_VOID(write_text(burst_plot(*series, bursts) + "\n", output));
  Table table{{{"start", Quantity::time},
               {"end", Quantity::time},
               {"length", Quantity::duration},
               {"height", Quantity::bandwidth},
               {"area", Quantity::bytes},
               {"background", Quantity::bandwidth}},
              {}};
  for (const Burst& burst : bursts)
    table.rows.push_back(
        {cell(burst.start), cell(burst.end), cell(burst.end - burst.start), cell(burst.height), cell(burst.area), cell(burst.background)});
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->input, "the store, or a CSV file with a series (columns t and value)").required();
  line.add_option("--job", given->job, "while this job ran").type_name("ID");
  line.add_option("--from", given->from, "from this time on (ISO 8601 or Unix seconds)").type_name("T");
  line.add_option("--to", given->to, "up to this time").type_name("T");
  line.add_option("--filesystem", given->filesystem, "the file system (needed where the store has several)").type_name("NAME");
  line.add_option("--direction", given->direction, "read, write or total (default)")
      .one_of({"read", "write", "total"})
      .type_name("DIRECTION");
  line.add_option("--step", given->step, "length of a slot in seconds (default: the usual interval of the counters)")
      .between(1e-3, 1e6)
      .type_name("S");
  line.add_option("--window", given->window, "seconds around a slot that make its background (default 3600, 64 slots at least)")
      .between(1e-2, 1e8)
      .type_name("S");
  line.add_option("--column", given->file.column, "of a CSV file: the column with the values").type_name("NAME");
  auto output = add_output_options(line);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command bursts;
constinit const Command bursts{
    .name = "bursts",
    .summary = "Phases of elevated traffic, against the local background",
    .details =
        R"(Adds up the traffic of all servers of a file system on a grid of time slots, over all time, a time given, or the time of a job, and lists
its bursts: when they begin and end, how high they stand over the background (bytes per second) and how many bytes they move over
it. Nothing says who moved what: the bursts of a job's time are those of all jobs. The background is the local level of traffic, what is
a burst follows from how much that level varies; bursts that overlap are taken apart where their edges tell them apart. Slots in
which less than half of the servers were measured are unknown, not zero. docs/mining.md says how, and how well it works.)",
    .examples = R"(  fathom bursts store --filesystem atlas1
  fathom bursts store --filesystem atlas1 --job 210544 --format csv
  fathom bursts store --from 2015-03-01T06:00 --to 2015-03-01T12:00 --step 60
  fathom bursts traffic.csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
