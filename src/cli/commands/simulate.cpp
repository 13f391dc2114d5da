// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/talk.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/simulate_modes.h"
#include "cli/simulate_page.h"
#include "cli/simulate_requests.h"
#include "ranks/on_ranks.h"
#include "simulate/preset.h"

namespace fathom {
namespace {

using namespace simulate;

Result<void> print_preset(const SimulateOptions& given, const OutputOptions& output) {
  if (const Preset* preset = find_preset(given.preset)) return write_text(preset->text(), output);
  std::vector<std::string_view> names;
  for (const Preset* each : all_presets()) names.push_back(each->name);
  const std::string_view close = closest_word(given.preset, names);
  return Error{ErrorKind::usage,
               fmt::format("looking for a preset: there is none named '{}'; {}", excerpt(given.preset, 40),
                           close.empty() ? fmt::format("known are {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", close))};
}

Result<Work> work_for(const Scenario& scenario, SimulateOptions& given) {
  const bool of_store = !given.store.store.empty();
  if (!of_store && (!given.from.empty() || !given.to.empty() || !given.store.servers.empty()))
    return Error{ErrorKind::usage, "simulating: --from, --to and --server go with --store"};
  if (!of_store && given.trace.empty() && given.bench.empty()) return described_work(scenario);
  if (given.store.tell && (!scenario.increments.empty() || !scenario.jobs.empty()))
    tell("notice: the work comes from the {}; [[increment]] and [[job]] of {} are not used\n",
         of_store              ? "store"
         : given.trace.empty() ? "benchmark"
                               : "trace",
         scenario.path);
  if (!given.trace.empty()) return work_of_trace(scenario, given.trace);
  if (!given.bench.empty()) return work_of_bench(scenario, given.bench);
  if (!given.from.empty()) {
    TRY(given.store.from, parse_time_argument(given.from, "--from"));
  }
  if (!given.to.empty()) {
    TRY(given.store.to, parse_time_argument(given.to, "--to"));
  }
  return work_of_store(scenario, given.store);
}

Result<void> run(SimulateOptions& given, const OutputOptions& output, Ranks& ranks) {
  if (!given.preset.empty()) {
    if (!given.scenario.empty() || !given.store.store.empty() || !given.trace.empty() || !given.bench.empty())
      return Error{ErrorKind::usage, "printing a preset: --preset stands alone; write it to a file, then `fathom simulate FILE.toml`"};
    return ranks.rank() == 0 ? print_preset(given, output) : Result<void>{};
  }
  if (given.scenario.empty())
    return Error{ErrorKind::usage, "simulating: SCENARIO.toml is missing; `fathom simulate --preset jugene -o jugene.toml` makes one"};
  if (ranks.size() > 1 && given.sweep.empty())
    return Error{ErrorKind::usage, "simulating: ranks share the combinations of --sweep; one simulation runs on one"};
  if (is_page(output) && (given.nodes || given.summary || output.format != "table"))
    return Error{ErrorKind::usage, fmt::format("writing {}: a page goes with neither --nodes, --summary nor --format", output.file)};
  if (given.perfetto.empty() && (!given.perfetto_window.empty() || !given.perfetto_nodes.empty()))
    return Error{ErrorKind::usage, "simulating: --perfetto-window and --perfetto-nodes go with --perfetto FILE"};
  if (ranks.rank() == 0) given.store.tell = [](const std::string& what) { tell("notice: {}\n", what); };
  TRY(const Scenario scenario, Scenario::load(given.scenario));
  TRY(const Work work, work_for(scenario, given));
  if (!given.sweep.empty()) return simulate_sweep(scenario, work, given, output, ranks);
  if (given.verify) return simulate_verification(scenario, work, output);
  return simulate_comparison(scenario, work, given, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<SimulateOptions>();
  line.add_option("SCENARIO", given->scenario, "the architecture and its work (TOML)").type_name("FILE.toml");
  line.add_option("--preset", given->preset,
                  "print a scenario to begin with: jugene, jugene-burst-buffer, spider, harbour, harbour-burst-buffer, or template, which "
                  "has every key")
      .type_name("NAME");
  const auto store = line.add_option("--store", given->store.store, "the work: increments and jobs of this store").type_name("STORE");
  const auto trace =
      line.add_option("--trace", given->trace, "the work: every read and write of a run traced by `fathom run`, at its own time")
          .type_name("DIR")
          .excludes(store);
  const auto bench =
      line.add_option("--bench", given->bench, "the work: every read and write of a run of `fathom bench`, from its truth file")
          .type_name("FILE")
          .excludes(store)
          .excludes(trace);
  line.add_option("--from", given->from, "only increments that begin at this time or later").type_name("TIME");
  line.add_option("--to", given->to, "only increments that begin before this time").type_name("TIME");
  line.add_option("--server", given->store.servers, "only this server of the store; may be repeated").type_name("NAME").repeated();
  const auto nodes = line.add_flag("--nodes", given->nodes, "one row for each I/O node in place of each job");
  const auto summary = line.add_flag("--summary", given->summary, "statistics of the ratios over all jobs").excludes(nodes);
  const auto completions = line.add_option("--completions", given->completions, "write every request to this file (CSV)").type_name("FILE");
  const auto perfetto = line.add_option("--perfetto", given->perfetto,
                                        "write requests over time to this file, for ui.perfetto.dev and chrome://tracing (JSON)")
                            .type_name("FILE");
  line.add_option("--perfetto-window", given->perfetto_window,
                  "only requests that are under way in this part of simulated time, like 90,2min (default: all)")
      .type_name("FROM,TO");
  line.add_option("--perfetto-nodes", given->perfetto_nodes, "only of these I/O nodes, by their names (default: all)")
      .type_name("NAME,NAME...")
      .delimiter(',');
  const auto sweep = line.add_option("--sweep", given->sweep,
                                     "the statistics for each value of a parameter, COMPONENT.PARAMETER=V1,V2,... or its short name; may "
                                     "be repeated, then for every "
                                     "combination")
                         .type_name("KEY=V1,V2...")
                         .repeated()
                         .excludes(nodes)
                         .excludes(summary)
                         .excludes(completions)
                         .excludes(perfetto);
  line.add_option("--threads", given->threads, "how many combinations of a sweep at a time (default: one per core)").type_name("N");
  line.add_flag("--verify", given->verify, "simulated counters against the real ones: how many increments differ, and by how much")
      .excludes(nodes)
      .excludes(summary)
      .excludes(completions)
      .excludes(perfetto)
      .excludes(sweep)
      .excludes(trace)
      .excludes(bench);
  auto output = add_output_options(line);
  line.option("--output").description("write to this file instead of standard output; FILE.html: a page with pictures; parquet needs it");
  return [given, output] { return on_ranks([&](Ranks& ranks) { return run(*given, *output, ranks); }); };
}

}  // namespace

namespace commands {
extern const Command simulate;
constinit const Command simulate{
    .name = "simulate",
    .summary = "What the same I/O would take on another I/O architecture, request by request",
    .details =
        R"(Simulates compute nodes, tree links, I/O nodes with page pools (and burst buffers), external links, a server and a disk link shared by all, in whole
picoseconds. The work is described in the scenario, or comes from a store: every increment becomes requests of average size at the start of its interval. From a trace (--trace) or a
benchmark (--bench) come the requests as they were made, with their own times and sizes: every thread or task that made some is a compute node, which makes its next request at its time or when
the last one is done, and computes as long in between on both architectures.
The scenario names the architecture to compare with (original = "jugene"); computation between I/O takes as long on both, and a job starts when all its I/O
nodes are ready. The model and what it leaves out: docs/simulation.md.

One row per job, in csv, json and parquet with the columns job_id, io_time, io_time_original, io_ratio, run_time, run_time_original, run_ratio; times are seconds.
I/O time is the time in which a request has no acknowledgement yet, of a job that of its slowest I/O node. A ratio is empty where the original is 0. With --nodes: node,
compute_nodes, read_requests, write_requests, read_bytes, write_bytes, io_time, io_time_original, io_ratio, end (its last acknowledgement, since the start), buffered_bytes (written into its
burst buffer). With --summary: ratio (io_ratio or run_ratio), jobs, average, standard_deviation, maximum, median, share_above_1.1.

--sweep KEY=V1,V2,... has one row for each combination, all against the same original: that of the scenario, or without one the scenario itself. KEY is COMPONENT.PARAMETER of the scenario, or
a short name: external_bandwidth, burst_buffer, page_pool, disk_bandwidth, in_flight, targets, ... (a wrong one lists all). Columns: the parameters; the columns
of --summary for both ratios (io_ratio_jobs, io_ratio_average, ...); buffer_bytes_per_day into all burst buffers, full_writes_per_day of one on average, most_full_writes_per_day of the busiest,
years_until_worn_out of that one; cost; pareto (1: no other combination is cheaper and no slower on average in run time, or faster and no dearer). Cost and endurance come from the table [cost] of the
scenario (--preset template); without it these columns are empty. Combinations run on --threads threads, and under mpiexec on all ranks; the table is the same.

--verify runs the work on the scenario's architecture at its own times and compares what is counted until the end of every increment with what really was (Table 5.1 of the
dissertation): counter, increments, with_error, unexpected (really nothing, something in the simulation), average_error. Increments differ where the model is slower than the machine was, and
in operations where requests had to be split.

--completions writes node, index, kind, bytes, issued_ps, acked_ps, stored_ps of the changed architecture: when the request left its compute node, when the answer was back there, and
when it was counted on the I/O node (write: the disks' acknowledgement is there; read: the data is). --perfetto draws them: a process for each I/O node, a thread for each compute
node with its requests from issue to answer and what they wait for in between, what its links send, and how many requests wait and how full page pool and burst buffer are.

-o FILE.html writes a page, data included: I/O time of every I/O node and how much jobs change; with --sweep all combinations by cost and slowdown, with --verify real and simulated
counters over time.

Ctrl-C ends a simulation with what is done: jobs (or rows of a sweep) that ended; the others are empty. The exit code is then 130.)",
    .examples = R"(  fathom simulate --preset template
  fathom simulate --preset jugene-burst-buffer -o slow-links.toml
  fathom simulate slow-links.toml
  fathom simulate slow-links.toml --store store --from 2010-05-03 --to 2010-05-04 --summary
  fathom simulate slow-links.toml --store store -o what-if.html
  fathom simulate slow-links.toml --store store \
      --sweep external_bandwidth=1Gbit/s,4Gbit/s --sweep burst_buffer=16GiB,64GiB
  mpiexec -n 4 fathom simulate slow-links.toml --store store \
      --sweep external_link.bandwidth=1Gbit/s,4Gbit/s,10Gbit/s
  fathom simulate jugene.toml --store store --verify
  fathom simulate slow-links.toml --trace app.trace
  fathom simulate slow-links.toml --perfetto requests.json \
      --perfetto-window 0,5 --perfetto-nodes 0,3
  fathom simulate slow-links.toml --nodes --format csv --completions requests.csv)",
    .declare = declare,
    .ranks = true};
}  // namespace commands
}  // namespace fathom
