// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/rank_exchange.h"
#include "mine/mining.h"
#include "ranks/on_ranks.h"

namespace fathom {
namespace {

struct Arguments {
  std::string store, since, until;
  mine::MiningOptions options;
};

void tell_about(const mine::MiningReport& report) {
  std::string names;
  for (const std::string& name : report.filesystems)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name.empty() ? "servers' totals" : name);
  tell("{}: {} of {} of a day looked at anew, {} of reads and {} of writes{}\n", names.empty() ? "no counters" : names,
       human_count(report.fresh_blocks), counted(report.blocks, "block"), counted(report.bursts[0], "burst"), human_count(report.bursts[1]),
       report.from == no_time ? "" : fmt::format(" from {} to {}", format_iso8601(report.from), format_iso8601(report.to)));
  tell("{} of {} examined anew{}\n", human_count(report.examined), counted(report.applications, "application"),
       report.jobs_left_out > 0 ? fmt::format("; {} left out: no end, or none after the start", counted(report.jobs_left_out, "job")) : "");
}

/// Table I of AID, with all states.
Table funnel(const mine::MiningReport& report) {
  Table table{{{"step"}, {"count", Quantity::count}, {"meaning"}}, {}};
  const auto add = [&](std::string_view step, std::size_t count, std::string_view meaning) {
    table.rows.push_back({cell(step), cell(std::uint64_t{count}), cell(meaning)});
  };
  const auto state = [&](mine::ApplicationState which) { return report.states[static_cast<std::size_t>(which)]; };
  add("jobs", report.jobs, "runs that ended");
  add("applications", report.applications, "same user, job name and node count");
  add("candidates", report.candidates, "bursts of one size that are regular, span runs and are common to them");
  add("in scope", report.in_scope, "of these, not going on before and after the runs");
  add("validated", state(mine::ApplicationState::validated), "of these, seen in enough runs: see fathom apps");
  add("watch list", state(mine::ApplicationState::watch_list), "of these, seen in too few runs so far");
  add("rejected", state(mine::ApplicationState::rejected), "a rhythm that is somebody else's or chance");
  add("unknown", state(mine::ApplicationState::unknown), "nothing regular");
  add("provisional", report.provisional, "may still change: counters end less than a day after the last run");
  return table;
}

Result<void> run(Arguments& given, const OutputOptions& output, Ranks& ranks) {
  if (!given.since.empty()) {
    TRY(given.options.since, parse_time_argument(given.since, "--since"));
  }
  if (!given.until.empty()) {
    TRY(given.options.until, parse_time_argument(given.until, "--until"));
  }
  TRY(const Store store, Store::open(given.store));
  std::optional<Progress> bar;
  std::string shown;
  given.options.progress = [&](std::string_view phase, std::size_t done, std::size_t all) {
    if (shown != phase) bar.emplace(shown = phase, Progress::Unit::share);
    bar->update(done, all);
  };
  const Interrupt interrupt;
  given.options.stop = [&] { return interrupt.asked(); };
  TRY(const mine::MiningReport report, mine::mine(store, given.options, exchange_of(ranks)));
  bar.reset();
  if (ranks.rank() != 0) return {};
  tell_about(report);
  return write_table(funnel(report), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->store, "the store").required();
  line.add_option("--since", given->since, "only runs and counters from this time on (ISO 8601 or Unix seconds)").type_name("T");
  line.add_option("--until", given->until, "only runs that ended and counters of days before this time: what was known then")
      .type_name("T");
  line.add_flag("--anew", given->options.anew, "look at everything again, whatever is known already");
  line.add_option("--common", given->options.settings.common, "share of an application's runs that must show a pattern (default 0.6)")
      .between(0.05, 1.0)
      .type_name("SHARE");
  line.add_option("--support", given->options.settings.support,
                  "runs that must show it; with fewer an application stays on the watch list (default 5)")
      .between(1, 1'000'000)
      .type_name("N");
  auto output = add_output_options(line);
  return [given, output] { return on_ranks([&](Ranks& ranks) { return run(*given, *output, ranks); }); };
}

}  // namespace

namespace commands {
extern const Command mine;
constinit const Command mine{
    .name = "mine",
    .summary = "Find applications' I/O patterns in the traffic of shared servers",
    .details =
        R"(Servers that all jobs share do not say who moved what. But an application that writes checkpoints does so in bursts of about the same
size, in a rhythm, in most of its runs, and not when it does not run. This finds such applications from counters and the job
log alone, with their period, volume per burst, throughput and footprint (how many servers take part), and keeps what it found in the store:
fathom apps shows it.

An application is what has the same user, job name and number of nodes. Counters are read once: a new day of logs is looked at by itself, and only
applications are examined again whose runs or whose surroundings are new. The result is the same as of mining everything at once. What
is said of an application stays provisional until the counters reach a day past its last run.

Under mpiexec or srun the work is shared, with the same result. docs/mining.md says how it works and how far to trust it.)",
    .examples = R"(  fathom mine store
  fathom mine store --since 2015-03-01
  mpiexec -n 4 fathom mine store
  fathom apps store)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
