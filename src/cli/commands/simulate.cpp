// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/progress.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/simulate_store.h"
#include "cli/simulate_tables.h"
#include "cli/text_output.h"
#include "simulate/preset.h"

namespace fathom {
namespace {

using namespace simulate;

struct Options {
  std::string scenario, preset, from, to, completions;
  StoreWorkOptions store;
  std::vector<std::string> sweep;
  bool nodes = false, summary = false, verify = false;
};

Result<void> print_preset(const Options& given, const OutputOptions& output) {
  if (const Preset* preset = find_preset(given.preset)) return write_text(preset->text(), output);
  std::vector<std::string_view> names;
  for (const Preset* each : all_presets()) names.push_back(each->name);
  const std::string_view close = closest_word(given.preset, names);
  return Error{ErrorKind::usage,
               fmt::format("looking for a preset: there is none named '{}'; {}", excerpt(given.preset, 40),
                           close.empty() ? fmt::format("known are {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", close))};
}

Result<Work> work_for(const Scenario& scenario, Options& given) {
  if (given.store.store.empty()) {
    if (!given.from.empty() || !given.to.empty() || !given.store.servers.empty())
      return Error{ErrorKind::usage, "simulating: --from, --to and --server go with --store"};
    return described_work(scenario);
  }
  if (!scenario.increments.empty() || !scenario.jobs.empty())
    fmt::print(stderr, "notice: the work comes from the store; [[increment]] and [[job]] of {} are not used\n", scenario.path);
  if (!given.from.empty()) {
    TRY(given.store.from, parse_time_argument(given.from, "--from"));
  }
  if (!given.to.empty()) {
    TRY(given.store.to, parse_time_argument(given.to, "--to"));
  }
  return work_of_store(scenario, given.store);
}

/// A name with commas or quotes stands between quotes.
std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void write_completion(TextOutput& out, std::string_view name, const Completion& each) {
  out << name << ',';
  out.number(each.index) << ',' << std::string_view(kind_names[static_cast<std::size_t>(each.kind)]) << ',';
  out.number(each.bytes) << ',';
  out.number(each.issued) << ',';
  out.number(each.acked) << ',';
  out.number(each.stored) << '\n';
}

Result<Comparison> simulated(const Scenario& scenario, const Work& work, const std::string& completions) {
  Progress progress("simulating", Progress::Unit::share);
  const Watch watch = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  if (completions.empty()) return compare(scenario.architecture, scenario.original, work, {}, watch);
  TRY(TextOutput out, TextOutput::open(completions));
  std::vector<std::string> names;
  for (const NodeWork& node : work.nodes) names.push_back(csv_name(node.name));
  out << "node,index,kind,bytes,issued_ps,acked_ps,stored_ps\n";
  TRY(Comparison found, compare(
                            scenario.architecture, scenario.original, work,
                            [&](const Completion& each) { write_completion(out, names[each.node], each); }, watch));
  TRY_VOID(out.finish());
  return found;
}

/// Every combination against the same original: the scenario's, or the scenario itself.
Result<Table> swept(const Scenario& scenario, const Work& work, const std::vector<std::string>& words) {
  std::vector<Axis> axes;
  for (const std::string& word : words) {
    TRY(Axis axis, parse_axis(word));
    axes.push_back(std::move(axis));
  }
  TRY(const auto all, combinations(axes));
  Progress progress("simulating", Progress::Unit::share);
  std::uint64_t runs_done = 0;
  const Watch watch = [&](std::uint64_t done, std::uint64_t total) { progress.update(runs_done * total + done, (all.size() + 1) * total); };
  TRY(const Outcome original, run(scenario.original.value_or(scenario.architecture), work, nullptr, {}, watch));
  Table table = sweep_columns(axes);
  for (const std::vector<std::size_t>& values : all) {
    Architecture changed = scenario.architecture;
    for (std::size_t i = 0; i < axes.size(); ++i) changed.*axes[i].parameter->value = axes[i].values[values[i]];
    if (const std::string why = impossible(changed); !why.empty()) return Error{ErrorKind::usage, "reading --sweep: " + why};
    ++runs_done;
    TRY(const Comparison found, compare_with(original, changed, work, {}, watch));
    table.rows.push_back(sweep_row(axes, values, found));
  }
  return table;
}

std::string heading(const Scenario& scenario, const Work& work, const Comparison& found) {
  std::array<std::uint64_t, 2> bytes{};
  for (const NodeOutcome& node : found.changed.nodes)
    for (std::size_t i = 0; i < 2; ++i) bytes[i] += node.bytes[i];
  return fmt::format("{} I/O node{}, {} job{}, {} requests ({} read, {} written); {}\n\n", human_count(work.nodes.size()),
                     work.nodes.size() == 1 ? "" : "s", human_count(found.jobs.size()), found.jobs.size() == 1 ? "" : "s",
                     human_count(found.changed.requests), human_bytes(static_cast<double>(bytes[0])),
                     human_bytes(static_cast<double>(bytes[1])),
                     scenario.original ? "`original` is the architecture that the scenario names"
                                       : "no `original` to compare with: it is compared with itself");
}

Result<void> run(Options& given, const OutputOptions& output) {
  if (!given.preset.empty()) {
    if (!given.scenario.empty() || !given.store.store.empty())
      return Error{ErrorKind::usage, "printing a preset: --preset stands alone; write it to a file, then `fathom simulate FILE.toml`"};
    return print_preset(given, output);
  }
  if (given.scenario.empty())
    return Error{ErrorKind::usage, "simulating: SCENARIO.toml is missing; `fathom simulate --preset jugene -o jugene.toml` makes one"};
  TRY(const Scenario scenario, Scenario::load(given.scenario));
  TRY(const Work work, work_for(scenario, given));
  if (given.verify) {
    Progress progress("simulating", Progress::Unit::share);
    TRY(const auto errors,
        verify(scenario.architecture, work, [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }));
    return write_table(verification_table(errors), output);
  }
  if (!given.sweep.empty()) {
    TRY(const Table table, swept(scenario, work, given.sweep));
    return write_table(table, output);
  }
  TRY(const Comparison found, simulated(scenario, work, given.completions));
  const bool for_people = output.format == "table";
  const Table table = given.summary ? simulated_summary(found)
                      : given.nodes ? simulated_nodes(work, found, for_people)
                                    : simulated_jobs(work, found, for_people);
  if (for_people) return write_text(heading(scenario, work, found) + as_aligned_text(table), output);
  return write_table(table, output);
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto given = std::make_shared<Options>();
  app.add_option("SCENARIO", given->scenario, "the architecture and its work (TOML)")->type_name("FILE.toml");
  app.add_option("--preset", given->preset, "print a scenario to begin with: jugene, jugene-burst-buffer, spider, or template, which has every key")
      ->type_name("NAME");
  app.add_option("--store", given->store.store, "the work: increments and jobs of this store")->type_name("STORE");
  app.add_option("--from", given->from, "only increments that begin at this time or later")->type_name("TIME");
  app.add_option("--to", given->to, "only increments that begin before this time")->type_name("TIME");
  app.add_option("--server", given->store.servers, "only this server of the store; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* const nodes = app.add_flag("--nodes", given->nodes, "one row for each I/O node in place of each job");
  auto* const summary = app.add_flag("--summary", given->summary, "statistics of the ratios over all jobs")->excludes(nodes);
  auto* const completions =
      app.add_option("--completions", given->completions, "write every request to this file (CSV)")->type_name("FILE");
  auto* const sweep =
      app.add_option(
             "--sweep", given->sweep,
             "the statistics for each value of a parameter, COMPONENT.PARAMETER=V1,V2,...; may be repeated, then for every combination")
          ->type_name("KEY=V1,V2...")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->excludes(nodes)
          ->excludes(summary)
          ->excludes(completions);
  app.add_flag("--verify", given->verify, "simulated counters against the real ones: how many increments differ, and by how much")
      ->excludes(nodes)
      ->excludes(summary)
      ->excludes(completions)
      ->excludes(sweep);
  auto output = add_output_options(app);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command simulate;
constinit const Command simulate{
    .name = "simulate",
    .summary = "What the same I/O would take on another I/O architecture, request by request",
    .details =
        R"(Simulates compute nodes, tree links, I/O nodes with page pools (and burst buffers), external links, a server and a disk link shared by all, in whole
picoseconds. The work is described in the scenario, or comes from a store: every increment becomes requests of average size at the start of its interval.
The scenario names the architecture to compare with (original = "jugene"); computation between I/O takes as long on both, and a job starts when all its I/O
nodes are ready. The model and what it leaves out: docs/simulation.md.

One row per job, in csv, json and parquet with the columns job_id, io_time, io_time_original, io_ratio, run_time, run_time_original, run_ratio; times are seconds.
I/O time is the time in which a request has no acknowledgement yet, of a job that of its slowest I/O node. A ratio is empty where the original is 0. With --nodes: node,
compute_nodes, read_requests, write_requests, read_bytes, write_bytes, io_time, io_time_original, io_ratio, end (its last acknowledgement, since the start). With --summary: ratio (io_ratio or
run_ratio), jobs, average, standard_deviation, maximum, median, share_above_1.1. With --sweep one row for each combination: the parameters, then those columns for both ratios
(io_ratio_jobs, io_ratio_average, ...), all against the same original: that of the scenario, or without one the scenario itself.

--verify runs the work on the scenario's architecture at its own times and compares what is counted until the end of every increment with what really was (Table 5.1 of the
dissertation): counter, increments, with_error, unexpected (really nothing, something in the simulation), average_error. Increments differ where the model is slower than the machine was, and
in operations where requests had to be split.

--completions writes node, index, kind, bytes, issued_ps, acked_ps, stored_ps of the changed architecture: when the request left its compute node, when the answer was back there, and
when it was counted on the I/O node (write: the disks' acknowledgement is there; read: the data is).)",
    .examples = R"(  fathom simulate --preset template
  fathom simulate --preset jugene-burst-buffer -o slow-links.toml
  fathom simulate slow-links.toml
  fathom simulate slow-links.toml --store store --from 2010-05-03 --to 2010-05-04 --summary
  fathom simulate slow-links.toml --store store --sweep external_link.bandwidth=1Gbit/s,4Gbit/s
  fathom simulate jugene.toml --store store --verify
  fathom simulate slow-links.toml --nodes --format csv --completions requests.csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
