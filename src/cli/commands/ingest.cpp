// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>

#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/ingest_summary.h"
#include "cli/traced_jobs.h"
#include "hdf5_rows/hdf5_rows.h"
#include "ingest/server_map.h"

namespace fathom {
namespace {

struct Options {
  std::string store;
  std::vector<std::string> paths;
  std::string as, servers, map, timezone, job_id_pattern, server, time, job;
  double step = 0;
  bool per_interval = false;
};

Result<IngestOptions> to_ingest_options(const Options& given) {
  IngestOptions options;
  if (!given.as.empty()) {
    options.reader = reader_named(given.as);
    if (options.reader == nullptr) {
      std::string names;
      for (const Reader* reader : all_readers()) names += fmt::format(" {}", reader->name);
      return Error{ErrorKind::usage, fmt::format("reading --as {}: no such format; there are:{}", given.as, names)};
    }
  }
  if (!given.timezone.empty()) {
    TRY(Zone zone, Zone::named(given.timezone));
    options.read.timezone = std::move(zone);
  }
  options.read.per_interval = given.per_interval;
  if (given.step > 0) options.read.step = Duration{static_cast<std::int64_t>(given.step * 1e6)};
  options.read.job_id_pattern = given.job_id_pattern;
  options.read.job = given.job;
  options.read.hdf5_command = {"/proc/self/exe", hdf5_rows_word};
  options.read.default_server = given.server;
  if (!given.time.empty()) {
    const auto t = parse_unix_seconds(given.time);
    const auto reading = parse_iso8601(given.time);
    if (!t && !reading) return Error{ErrorKind::usage, fmt::format("reading --time {}: neither ISO 8601 nor Unix seconds", given.time)};
    options.read.default_time = t ? *t : reading->in(options.read.timezone.value_or(Zone{}));
  }
  if (given.servers == "exclusive") options.sharing = ServerSharing::exclusive;
  if (given.servers == "shared") options.sharing = ServerSharing::shared;
  return options;
}

/// Adds traces, among the paths or in folders below them. After the logs: a job that they tell of is not made up from its trace.
Result<void> add_traces(const Store& store, const std::vector<std::string>& traces, const std::string& job) {
  for (const std::string& path : traces) {
    TRY(const TracedJob traced, add_trace(store, path, job));
    tell("fathom: {}: run of job {} (known by {}): {}, {}\n", path, traced.job_id, traced.linked_by, counted(traced.calls, "call"),
         counted(traced.slices, "slice"));
  }
  return {};
}

Result<void> run(const Options& given) {
  TRY(IngestOptions options, to_ingest_options(given));
  MapAccount mapped;
  std::shared_ptr<ServerMap> map;
  if (!given.map.empty()) {
    TRY(ServerMap loaded, ServerMap::named_or_file(given.map));
    map = std::make_shared<ServerMap>(std::move(loaded));
    options.map_servers = [&](Job& job) { map->place(job, mapped); };
  }
  TRY(const Store store, Store::open_or_create(given.store));
  const std::vector<std::string> traces = traces_below(given.paths);
  std::vector<std::string> logs = given.paths;
  std::erase_if(logs, [](const std::string& path) { return is_trace(path); });
  if (logs.empty()) return add_traces(store, traces, given.job);
  Result<IngestReport> report = [&] {
    Progress progress("reading");
    options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    options.waiting = [&] { tell("fathom: waiting: another process writes to {}\n", given.store); };
    return ingest(store, logs, options);
  }();
  if (!report) return std::move(report).error();
  print_ingest_summary(*report);
  for (const std::string& notice : mapped.notices()) tell("notice: {}\n", notice);
  return add_traces(store, traces, given.job);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("STORE", options->store, "the store; created if it is missing").required();
  line.add_option("FILE|DIR", options->paths, "log files, plain or packed (.gz, .zst), directories of them, or traces").required();
  line.add_option("--as", options->as,
                  "read every file as this format instead of recognising it (names: docs/formats.md, or a wrong name lists them)")
      .type_name("FORMAT");
  line.add_option("--servers", options->servers,
                  "exclusive: a job has its servers to itself (I/O nodes); shared: jobs use them at the same time (OSTs)")
      .one_of({"exclusive", "shared"})
      .type_name("exclusive|shared");
  line.add_option("--map", options->map, "which servers belong to a job's nodes: a TOML file, or the built-in rule 'jugene'")
      .type_name("FILE.toml");
  line.add_option("--timezone", options->timezone, "zone of times that name none: Europe/Berlin, +01:00 (default UTC)").type_name("ZONE");
  line.add_flag("--per-interval", options->per_interval, "counters_csv: rows hold amounts since the row before them, not running totals");
  line.add_option("--step", options->step,
                  "how long a row counts where it does not say so itself (counters_csv with --per-interval, mmperfmon, llview_fsusage); of "
                  "Darshan logs: the length of a time slice (4)")
      .above_zero()
      .type_name("SECONDS");
  line.add_option("--job-id-pattern", options->job_id_pattern,
                  "lustre_job_stats: how the site makes job ids, in the terms of Lustre's jobid_name: %j:%u:%H")
      .type_name("PATTERN");
  line.add_option("--server", options->server, "the server, for a dump that does not name it").type_name("NAME");
  line.add_option("--time", options->time, "the time, for a dump that carries none: ISO 8601 or Unix seconds").type_name("TIME");
  line.add_option("--job", options->job,
                  "the job that a trace belongs to, where neither the batch system nor hosts and times tell; of Darshan logs in place of "
                  "the job that they name")
      .type_name("ID");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command ingest;
constinit const Command ingest{
    .name = "ingest",
    .summary = "Recognise, clean and add counters and job logs to a store",
    .details = R"(Files are recognised by their content, read as a stream, cleaned (resets, wraps, gaps, duplicates, disorder)
and added. Any order of files gives the same store; the same file again adds nothing; samples that two files share count
once. What was repaired and flagged is counted. Lines that cannot be used are counted too, and the first few are shown.

Of a directory everything below it is read, without hidden files and without folders that hold a file named
.fathom-ignore. Files of unknown kind in it, and links that lead out of it, are left alone and named.

A folder that `fathom run` wrote, given or below a directory, is linked to its job (by SLURM_JOB_ID, PBS_JOBID and the like, else by hosts and time, else by --job).
Its time slices go into the store (`fathom criteria --sliced`); its trace stays where it is (`fathom criteria --traced`).
A Darshan log, as darshan-dxt-parser or darshan-parser print it, becomes time slices of its job too; a job that the store does not know is added as the log tells it.

A killed ingest leaves the store as it was after its last finished part: run it again to complete it.)",
    .examples = R"(  fathom ingest store /var/log/mmpmon/ jobs.csv
  fathom ingest store sacct.txt --timezone Europe/Berlin --map nodes-to-servers.toml
  fathom ingest store ost-stats.csv --per-interval --step 10 --servers shared
  fathom ingest store app.trace --job 4711)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
