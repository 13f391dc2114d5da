// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/progress.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/demo_runs.h"
#include "cli/demo_story.h"
#include "cli/ingest_summary.h"
#include "ingest/ingest.h"
#include "synth/synth.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// In fewer days few applications run five times.
constexpr double mined_days = 5;

struct Options {
  std::string directory = "fathom-demo", bind = "127.0.0.1:8080";
  double days = 1;
  bool no_serve = false;
};

/// A folder of ours may be made anew; anybody else's is left alone.
Result<void> clear_folder(const std::string& directory) {
  std::error_code problem;
  const fs::path marker = fs::path(directory) / ".fathom-demo";
  if (fs::exists(directory) && !fs::is_empty(directory, problem) && !fs::exists(marker))
    return Error{ErrorKind::unwritable,
                 fmt::format("running the demo in {}: the directory is not empty and not of an earlier demo", directory)};
  fs::remove_all(directory, problem);
  fs::create_directories(fs::path(directory) / "logs" / "truth", problem);
  if (problem) return Error{ErrorKind::unwritable, fmt::format("creating {}: {}", directory, problem.message())};
  std::ofstream(marker) << "made by fathom demo; made anew by the next one\n";
  std::ofstream(fs::path(directory) / "logs" / "truth" / ".fathom-ignore") << "what is really in these logs; not a log itself\n";
  return {};
}

std::uint64_t folder_bytes(const std::string& directory) {
  std::uint64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

void step(std::string_view what, std::string_view command) {
  fmt::print("\n{}\n  $ {}\n", what, command);
  std::fflush(stdout);
}

Result<void> run(const Options& given) {
  TRY_VOID(clear_folder(given.directory));
  const ShowStep show = [&](std::string_view what, const std::string& arguments) -> Result<void> {
    step(what, "fathom " + arguments);
    std::function<Result<void>()> chosen;
    const auto app = make_app(chosen);
    app->parse(arguments, false);
    return chosen();
  };
  TRY_VOID(follow_one_job(given.directory + "/harbour", show));
  const std::string logs = given.directory + "/logs", path = given.directory + "/store";
  step("Now large machines. A synthetic Blue Gene/P: 600 I/O nodes with GPFS, their counters every two minutes, and the jobs.",
       fmt::format("fathom synth jugene {} --days {}", logs, given.days));
  {
    SynthOptions options;
    options.days = given.days;
    Progress progress("making jugene", Progress::Unit::share);
    options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e6), 1'000'000); };
    TRY_VOID(preset_named("jugene")->write_logs(options, logs));
  }
  fmt::print("  {} of logs\n", human_bytes(static_cast<double>(folder_bytes(logs))));

  step("Recognise the logs, clean the counters, keep increments and jobs as Parquet.",
       fmt::format("fathom ingest {} {} --servers exclusive", path, logs));
  TRY(const Store store, Store::open_or_create(path));
  IngestOptions options;
  options.sharing = ServerSharing::exclusive;
  {
    Progress progress("reading");
    options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    TRY(const IngestReport report, ingest(store, {logs}, options));
    print_ingest_summary(report);
  }

  TRY_VOID(show("What is in it:", fmt::format("info {}", path)));
  TRY_VOID(show("The I/O criteria of every job of an hour or more, as a population:", fmt::format("population {} --peak 66G", path)));
  TRY_VOID(show("The criteria of every job at several thresholds, kept in the store for the dashboard:",
                fmt::format("criteria {0} --min-runtime 0 --threshold 0,1K,8K,128K,512K,1M --format csv -o {1}/criteria.csv", path,
                            given.directory)));
  TRY_VOID(show("The same with plots, and jobs worth a closer look, as one HTML file:",
                fmt::format("report {0} --peak 66G -o {1}/report.html", path, given.directory)));
  TRY_VOID(show("What if the external links had 1 Gbit/s instead of 10, and 64 GiB of burst buffer behind each? A scenario,",
                fmt::format("simulate --preset jugene-burst-buffer -o {}/slow-links.toml", given.directory)));
  TRY_VOID(show("and the first hour of the day on both machines, request by request:",
                fmt::format("simulate {0}/slow-links.toml --store {1} --to 2010-05-03T01:00 -o {0}/what-if.html", given.directory, path)));
  const std::string shared = given.directory + "/shared-servers";
  TRY_VOID(show("Another machine, whose servers all jobs share: 1,008 of Lustre, read every 10 seconds. Nothing says who moved what.",
                fmt::format("synth spider --into {} --days {}", shared, std::min(mined_days, mined_days * given.days))));
  TRY_VOID(show("Find the applications that write in a rhythm, from counters and job log alone:", fmt::format("mine {}", shared)));
  TRY_VOID(show("What is known of them:", fmt::format("apps {} --state validated", shared)));
  TRY_VOID(show("One of them in detail, as a page:",
                fmt::format("apps {} --app iortest/IOR_A/256 -o {}/application.html", shared, given.directory)));
  TRY_VOID(show("Should it start now?", fmt::format("advise {} --user iortest --name IOR_A --nodes 256", shared)));
  TRY(const std::vector<std::string> traces, trace_side_by_side(given.directory + "/traces", [](std::string_view commands) {
        step("Now for real, on this machine: two programs that write and read at the same time, every call of them traced.", commands);
      }));
  TRY_VOID(show("What the second one should change:", fmt::format("trace findings {}", traces.back())));
  TRY_VOID(show("What they did to each other:", fmt::format("compete {}", fmt::join(traces, " "))));
  const std::string dashboard = fmt::format("serve {} {} {} --bind {}", path, shared, fmt::join(traces, " "), given.bind);
  fmt::print(
      "\nNext: open {2}/report.html, {2}/what-if.html and {2}/application.html in a browser\n      fathom criteria {0}             one row "
      "per job; --job ID for its analysis map\n      fathom timeline {0} --job ID    one job over time\n      fathom ingest STORE FILE... "
      "with logs of your own\n      {1}/truth tells what is really in these logs\n",
      path, logs, given.directory);
  if (given.no_serve) {
    fmt::print("      fathom {}    the dashboard\n", dashboard);
    return {};
  }
  return show("The dashboard, until Ctrl-C:", dashboard);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  line.add_option("DIR", options->directory, "where to work (default fathom-demo); an earlier demo in it is replaced");
  line.add_option("--days", options->days,
                  "how long the machine ran, in days (default 1); the mined one five times as long, and no longer than five days")
      .above_zero()
      .type_name("D");
  line.add_option("--bind", options->bind, "where the dashboard listens (default 127.0.0.1:8080)").type_name("[ADDRESS:]PORT");
  line.add_flag("--no-serve", options->no_serve, "stop before the dashboard");
  return [options] { return run(*options); };
}

}  // namespace

namespace commands {
extern const Command demo;
constinit const Command demo{
    .name = "demo",
    .summary = "All of it on made-up machines: logs, criteria, patterns, what-ifs, traces, dashboard",
    .details =
        R"(First the logs of a small synthetic site with Lustre are made and ingested, and one job is followed: who hammers the servers, what kind of I/O it is, clients beside servers on one clock, its application's rhythm, what would have been advised, what a
burst buffer would have changed. docs/tour.md is the same, told at length.

Then it makes the logs of a synthetic Blue Gene/P, ingests them, shows what is in them and what the jobs' I/O is like, and simulates an hour of it on a
machine with slower links and burst buffers. Then it makes five days of a machine whose servers are shared by all jobs, mines it for applications' patterns and asks
whether one of them should start. Then two small programs run side by side on this machine, traced. At the end it serves the dashboard of all of it. Each step is shown with the command that does the same on your own data. DIR then holds harbour/, logs/, store/, criteria.csv, report.html,
slow-links.toml, what-if.html, shared-servers/, application.html and traces/.)",
    .examples = R"(  fathom demo
  fathom demo /tmp/demo --days 0.2)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
