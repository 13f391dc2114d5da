// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
#include "cli/shell_words.h"
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

void show_line(std::string_view what, std::string_view line) {
  fmt::print("\n{}\n  $ {}\n", what, line);
  std::fflush(stdout);
}

void step(std::string_view what, const std::vector<std::string>& words) { show_line(what, "fathom " + shell_line(words)); }

/// A command of this program, as if it had been typed.
Result<void> run_words(const std::vector<std::string>& words) {
  std::function<Result<void>()> chosen;
  const auto app = make_app(chosen);
  try {
    app->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes the first from the end
  } catch (const CLI::ParseError& error) {
    return Error{ErrorKind::usage, fmt::format("running fathom {}: {}", shell_line(words), error.what())};
  }
  return chosen();
}

Result<void> run(const Options& given) {
  TRY_VOID(clear_folder(given.directory));
  const ShowStep show = [](std::string_view what, const std::vector<std::string>& words) -> Result<void> {
    step(what, words);
    return run_words(words);
  };
  TRY_VOID(follow_one_job(given.directory + "/harbour", show));
  const std::string logs = given.directory + "/logs", path = given.directory + "/store";
  step("Now large machines. A synthetic Blue Gene/P: 600 I/O nodes with GPFS, their counters every two minutes, and the jobs.",
       {"synth", "jugene", logs, "--days", fmt::format("{}", given.days)});
  {
    SynthOptions options;
    options.days = given.days;
    Progress progress("making jugene", Progress::Unit::share);
    options.progress = [&](double share) { progress.update(static_cast<std::uint64_t>(share * 1e6), 1'000'000); };
    TRY_VOID(preset_named("jugene")->write_logs(options, logs));
  }
  fmt::print("  {} of logs\n", human_bytes(static_cast<double>(folder_bytes(logs))));

  step("Recognise the logs, clean the counters, keep increments and jobs as Parquet.", {"ingest", path, logs, "--servers", "exclusive"});
  TRY(const Store store, Store::open_or_create(path));
  IngestOptions options;
  options.sharing = ServerSharing::exclusive;
  {
    Progress progress("reading");
    options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    TRY(const IngestReport report, ingest(store, {logs}, options));
    print_ingest_summary(report);
  }

  TRY_VOID(show("What is in it:", {"info", path}));
  TRY_VOID(show("The I/O criteria of every job of an hour or more, as a population:", {"population", path, "--peak", "66G"}));
  TRY_VOID(show("The criteria of every job at several thresholds, kept in the store for the dashboard:",
                {"criteria", path, "--min-runtime", "0", "--threshold", "0,1K,8K,128K,512K,1M", "--format", "csv", "-o",
                 given.directory + "/criteria.csv"}));
  TRY_VOID(show("The same with plots, and jobs worth a closer look, as one HTML file:",
                {"report", path, "--peak", "66G", "-o", given.directory + "/report.html"}));
  TRY_VOID(show("What if the external links had 1 Gbit/s instead of 10, and 64 GiB of burst buffer behind each? A scenario,",
                {"simulate", "--preset", "jugene-burst-buffer", "-o", given.directory + "/slow-links.toml"}));
  TRY_VOID(show("and the first hour of the day on both machines, request by request:",
                {"simulate", given.directory + "/slow-links.toml", "--store", path, "--to", "2010-05-03T01:00", "-o",
                 given.directory + "/what-if.html"}));
  const std::string shared = given.directory + "/shared-servers";
  TRY_VOID(show("Another machine, whose servers all jobs share: 1,008 of Lustre, read every 10 seconds. Nothing says who moved what.",
                {"synth", "spider", "--into", shared, "--days", fmt::format("{}", std::min(mined_days, mined_days * given.days))}));
  TRY_VOID(show("Find the applications that write in a rhythm, from counters and job log alone:", {"mine", shared}));
  TRY_VOID(show("What is known of them:", {"apps", shared, "--state", "validated"}));
  TRY_VOID(show("One of them in detail, as a page:",
                {"apps", shared, "--app", "iortest/IOR_A/256", "-o", given.directory + "/application.html"}));
  TRY_VOID(show("Should it start now?", {"advise", shared, "--user", "iortest", "--name", "IOR_A", "--nodes", "256"}));
  TRY(const std::vector<std::string> traces, trace_side_by_side(given.directory + "/traces", [](std::string_view commands) {
        show_line("Now for real, on this machine: two programs that write and read at the same time, every call of them traced.", commands);
      }));
  TRY_VOID(show("What the second one should change:", {"trace", "findings", traces.back()}));
  std::vector<std::string> compete = {"compete"}, dashboard = {"serve", path, shared};
  compete.insert(compete.end(), traces.begin(), traces.end());
  dashboard.insert(dashboard.end(), traces.begin(), traces.end());
  dashboard.insert(dashboard.end(), {"--bind", given.bind});
  TRY_VOID(show("What they did to each other:", compete));
  fmt::print(
      "\nNext: open {2}, {3} and {4} in a browser\n      fathom criteria {0}             one row "
      "per job; --job ID for its analysis map\n      fathom timeline {0} --job ID    one job over time\n      fathom ingest STORE FILE... "
      "with logs of your own\n      {1} tells what is really in these logs\n",
      shell_word(path), shell_word(logs + "/truth"), shell_word(given.directory + "/report.html"),
      shell_word(given.directory + "/what-if.html"), shell_word(given.directory + "/application.html"));
  if (given.no_serve) {
    fmt::print("      fathom {}    the dashboard\n", shell_line(dashboard));
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
