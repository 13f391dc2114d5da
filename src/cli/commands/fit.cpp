// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/progress.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/text_output.h"
#include "fit/bench_runs.h"
#include "fit/fit_counters.h"
#include "fit/fit_runs.h"
#include "fit/fitted_scenario.h"
#include "store_work/store_work.h"

namespace fathom {
namespace {

using namespace fit;

struct Options {
  std::string scenario, from, to, save, link = "disk_link";
  std::vector<std::string> runs, bench;
  StoreWorkOptions store;
  CounterFitOptions counters;
  RunFitOptions regression;
  double confidence = 0.95;
};

Result<std::vector<Fitted>> from_counters(const simulate::Scenario& scenario, Options& given) {
  if (!given.from.empty()) {
    TRY(given.store.from, parse_time_argument(given.from, "--from"));
  }
  if (!given.to.empty()) {
    TRY(given.store.to, parse_time_argument(given.to, "--to"));
  }
  given.store.jobs = false;
  TRY(const simulate::Work work, work_of_store(scenario, given.store));
  Progress progress("simulating intervals", Progress::Unit::share);
  given.counters.confidence = given.confidence;
  given.counters.watch = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  return fit_counters(scenario.architecture, work, given.counters);
}

Result<std::vector<Fitted>> from_runs(const Options& given) {
  std::vector<RunTime> all;
  const auto take = [&](Result<std::vector<RunTime>> found) -> Result<void> {
    TRY(std::vector<RunTime> runs, std::move(found));
    all.insert(all.end(), std::make_move_iterator(runs.begin()), std::make_move_iterator(runs.end()));
    return {};
  };
  for (const std::string& path : given.runs) TRY_VOID(take(read_run_times(path)));
  for (const std::string& path : given.bench) TRY_VOID(take(run_times_of_bench(path)));
  RunFitOptions options = given.regression;
  options.link = given.link == "external_link" ? external_link_bandwidth : disk_link_bandwidth;
  options.confidence = given.confidence;
  return fit_runs(all, options);
}

/// Bandwidths and latencies stand in one column: people get each with its unit.
Cell value_cell(const std::optional<double>& value, const Fitted& row, bool for_people) {
  if (!value) return {};
  if (!for_people) return cell(*value);
  if (row.unit == bytes_per_second) return cell(human(cell(*value), Quantity::bandwidth));
  return cell(fmt::format("{:.6f} s", *value));
}

Table fitted_table(const std::vector<Fitted>& rows, bool for_people) {
  const Quantity number = for_people ? Quantity::count : Quantity::real;
  Table table{{{"parameter"},
               {"kind"},
               {"server"},
               {"value", number},
               {"unit"},
               {"lower", number},
               {"upper", number},
               {"observations", Quantity::count},
               {"method"},
               {"r_squared", Quantity::real},
               {"residual_seconds", Quantity::real},
               {"notes"}},
              {}};
  for (const Fitted& row : rows)
    table.rows.push_back({cell(row.parameter), cell(std::string_view(simulate::kind_names[static_cast<std::size_t>(row.kind)])),
                          cell(row.server), value_cell(row.value, row, for_people), cell(row.unit), value_cell(row.lower, row, for_people),
                          value_cell(row.upper, row, for_people), cell(row.observations), cell(row.method),
                          row.r_squared ? cell(*row.r_squared) : Cell{}, row.deviation ? cell(*row.deviation) : Cell{}, cell(row.notes)});
  return table;
}

Result<void> check(const Options& given) {
  const bool with_runs = !given.runs.empty() || !given.bench.empty(), with_store = !given.store.store.empty();
  if (!with_runs && !with_store)
    return Error{ErrorKind::usage, "fitting: nothing to fit to: give a STORE with counters, --runs FILE.csv or --bench TRUTH.csv"};
  if (!with_store && (!given.from.empty() || !given.to.empty() || !given.store.servers.empty() || given.counters.by_server))
    return Error{ErrorKind::usage, "fitting: --from, --to, --server and --by-server go with a STORE"};
  if (!(given.confidence > 0 && given.confidence < 1)) return Error{ErrorKind::usage, "fitting: --confidence must be between 0 and 1"};
  if (!(given.counters.tolerance > 0 && given.counters.tolerance < 0.5))
    return Error{ErrorKind::usage, "fitting: --tolerance must be between 0 and 0.5"};
  if (given.counters.by_server && !given.save.empty())
    return Error{ErrorKind::usage, "fitting: a scenario has one bandwidth for all servers; --save-scenario does not go with --by-server"};
  return {};
}

Result<void> run(Options& given, const OutputOptions& output) {
  TRY_VOID(check(given));
  simulate::Scenario scenario;
  if (!given.scenario.empty()) {
    TRY(scenario, simulate::Scenario::load(given.scenario));
  }
  std::vector<Fitted> rows;
  if (!given.store.store.empty()) {
    TRY(rows, from_counters(scenario, given));
  }
  if (!given.runs.empty() || !given.bench.empty()) {
    TRY(const std::vector<Fitted> more, from_runs(given));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (!given.save.empty()) {
    TRY(TextOutput out, TextOutput::open(given.save));
    out << std::string_view(fitted_scenario(scenario, rows));
    TRY_VOID(out.finish());
  }
  return write_table(fitted_table(rows, output.format == "table"), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Options>();
  line.add_option("STORE", given->store.store, "fit the bandwidths of the links to the counters of this store");
  line.add_option("--scenario", given->scenario, "the rest of the machine: compute nodes, tree, buffers (default: as on JUGENE)")
      .type_name("FILE.toml");
  line.add_option("--from", given->from, "only increments that begin at this time or later").type_name("TIME");
  line.add_option("--to", given->to, "only increments that begin before this time").type_name("TIME");
  line.add_option("--server", given->store.servers, "only this server of the store; may be repeated").type_name("NAME").repeated();
  line.add_flag("--by-server", given->counters.by_server, "external links of each server apart");
  line.add_option("--tolerance", given->counters.tolerance, "rates that differ by less than this share are the same (default 0.05)")
      .type_name("SHARE");
  line.add_option("--runs", given->runs,
                  "fit to runs: CSV with bytes, seconds, kind (read or write), perhaps nodes and tasks; may be repeated")
      .type_name("FILE.csv")
      .repeated();
  line.add_option("--bench", given->bench, "fit to a run of `fathom bench`: its truth file; may be repeated").type_name("FILE").repeated();
  line.add_option("--link", given->link,
                  "which link the runs measured: disk_link (default), or external_link, which carries the bytes of one node")
      .one_of({"disk_link", "external_link"})
      .type_name("LINK");
  line.add_flag("--by-tasks", given->regression.by_tasks, "runs with different numbers of tasks apart");
  line.add_option("--confidence", given->confidence, "of the intervals (default 0.95)").type_name("SHARE");
  line.add_option("--save-scenario", given->save, "write a scenario with the fitted bandwidths, for `fathom simulate`")
      .type_name("FILE.toml");
  auto output = add_output_options(line);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command fit;
constinit const Command fit{
    .name = "fit",
    .summary = "Find the bandwidths of a simulated machine in its counters or in runs of a benchmark",
    .details =
        R"(With a STORE: the bandwidths of the external links and of the disk link, reads and writes apart. Intervals of continuous I/O are looked for: three or more in a row at
the same rate, the highest that was kept up. For each, the bandwidth is changed until the simulated counters match the real ones; the smallest that does is what the interval says. Where
there is continuous I/O, and no interval was faster, the result is an estimate: their mean and its interval (Student's t). Otherwise it is only a lower bound: value and upper are empty.

With --runs or --bench: time = latency + bytes / bandwidth by least squares, reads and writes apart. One run far from all others is left out and named. The runs need at least two sizes.

Columns: parameter (external_link.bandwidth, disk_link.bandwidth, latency), kind (read or write), server (with --by-server), value, unit (bytes/s or s), lower, upper, observations (intervals or runs), method
(continuous intervals, lower bound, regression, or none), r_squared, residual_seconds (standard deviation of the residuals), notes. What cannot be told is empty.

What the data can tell and what not: docs/fitting.md.)",
    .examples = R"(  fathom fit store
  fathom fit store --scenario cluster.toml --save-scenario fitted.toml
  fathom fit store --by-server --format csv
  fathom fit --runs ior.csv
  fathom fit --bench run1.csv --bench run2.csv --bench run3.csv --link external_link)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
