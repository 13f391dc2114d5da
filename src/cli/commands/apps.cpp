// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/talk.h"
#include "base/units.h"
#include "cli/application_page.h"
#include "cli/application_text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "mine/burst_book.h"
#include "mine/dossier.h"
#include "mine/knowledge.h"

namespace fathom {
namespace {

struct Arguments {
  std::string store, app, state;
};

Table rows_of(const std::vector<mine::KnownApplication>& applications, const std::string& state, bool brief, std::size_t& hidden) {
  Table table{{{"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"state"},
               {"reason"},
               {"pattern", Quantity::count},
               {"period_s", Quantity::real},
               {"burst_bytes", Quantity::bytes},
               {"burst_s", Quantity::real},
               {"throughput", Quantity::bandwidth},
               {"footprint", Quantity::real},
               {"samples", Quantity::count},
               {"support", Quantity::fraction},
               {"confidence", Quantity::real}},
              {}};
  if (!brief)
    for (const auto& [name, quantity] :
         {std::pair("filesystem", Quantity::text), std::pair("direction", Quantity::text), std::pair("verdict", Quantity::text),
          std::pair("coarse_bytes", Quantity::bytes), std::pair("peak", Quantity::bandwidth), std::pair("io_share", Quantity::real),
          std::pair("runs", Quantity::count), std::pair("first_seen", Quantity::time), std::pair("last_seen", Quantity::time),
          std::pair("provisional", Quantity::count)})
      table.columns.push_back({name, quantity});
  // People see round numbers; a bare 1811.8372 says nothing more.
  const auto real = [&](double value) { return cell(brief ? std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr) : value); };
  for (const mine::KnownApplication& each : applications) {
    const mine::Finding& finding = each.finding;
    if (!state.empty() && state_name(finding.state) != state) continue;
    if (brief && state.empty() && finding.state == mine::ApplicationState::unknown) {
      ++hidden;
      continue;
    }
    for (std::size_t p = 0; p < std::max<std::size_t>(finding.patterns.size(), 1); ++p) {
      std::vector<Cell> row = {cell(finding.name.user), cell(finding.name.name), cell(std::uint64_t{finding.name.nodes}),
                               cell(state_name(finding.state)), cell(finding.reason)};
      if (finding.patterns.empty()) {
        row.resize(table.columns.size());
      } else {
        const mine::Pattern& pattern = finding.patterns[p];
        for (Cell& value : std::vector<Cell>{cell(std::uint64_t{p + 1}), real(pattern.period), cell(pattern.burst_bytes),
                                             real(pattern.burst_s), cell(pattern.throughput), real(pattern.footprint),
                                             cell(std::uint64_t{pattern.shown}), cell(pattern.support()), real(pattern.confidence)})
          row.push_back(std::move(value));
        if (!brief)
          for (Cell& value : std::vector<Cell>{cell(pattern.filesystem), cell(mine::direction_names[pattern.direction]),
                                               cell(mine::verdict_name(pattern.verdict)), cell(pattern.coarse_bytes), cell(pattern.peak),
                                               cell(pattern.io_share), cell(std::uint64_t{finding.runs}), cell(pattern.first_seen),
                                               cell(pattern.last_seen), cell(std::uint64_t{finding.provisional})})
            row.push_back(std::move(value));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  const bool page = output.file.ends_with(".html");
  if (page && given.app.empty())
    return Error{ErrorKind::usage, fmt::format("writing {}: a page shows one application; name it with --app", output.file)};
  if (page && (output.format != "table" || !given.state.empty()))
    return Error{ErrorKind::usage, fmt::format("writing {}: a page goes with neither --format nor --state", output.file)};
  TRY(const Store store, Store::open(given.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({.threads = 1}));
  const bool brief = output.format == "table";
  if (!given.app.empty() && brief) {
    TRY(const mine::ApplicationName name, mine::find_application(snapshot, database, given.app));
    TRY(const mine::Dossier dossier, mine::dossier_of(snapshot, database, name));
    return page ? write_application_page(dossier, output) : write_text(application_text(dossier), output);
  }
  TRY(std::vector<mine::KnownApplication> known, mine::read_knowledge(snapshot, database));
  if (known.empty())
    return Error{ErrorKind::not_found,
                 fmt::format("listing applications: {} was not mined yet; run fathom mine {} first", given.store, given.store)};
  if (!given.app.empty()) {
    TRY(const mine::ApplicationName name, mine::find_application(snapshot, database, given.app));
    std::erase_if(known, [&](const mine::KnownApplication& each) { return each.finding.name != name; });
  }
  std::size_t hidden = 0;
  const Table table = rows_of(known, given.state, brief, hidden);
  if (hidden > 0) tell("not shown: {} of which nothing regular is known (--state unknown)\n", counted(hidden, "application"));
  return write_table(table, output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->store, "the store").required();
  line.add_option("--app", given->app, "one application in detail: its patterns, their evidence, its bursts and runs as plots")
      .type_name("USER/NAME/NODES");
  line.add_option("--state", given->state, "only those in this state: unknown, watch list, rejected or validated")
      .one_of({"unknown", "watch list", "rejected", "validated"})
      .type_name("STATE");
  auto output = add_output_options(line);
  line.option("--output")
      .description("write to this file instead of standard output; FILE.html with --app: a page with plots; parquet needs it");
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command apps;
constinit const Command apps{
    .name = "apps",
    .summary = "What is known of applications' I/O patterns",
    .details =
        R"(One row for each pattern of an application that fathom mine found: period, bytes of a burst, its length and throughput, how many servers
take part, in how many runs it was seen, and how sure that is. States: validated; watch list (seen in too few runs so far); rejected (with
the reason); unknown. The terminal leaves out applications of which nothing is known; csv, json and parquet have all of them, with more
columns. A value that is not known is empty.

With --app and -o FILE.html: one page, data included: figures of each pattern, bursts by height and area, runs on their own clocks, the
evidence, volume and servers of bursts, all runs. Whatever the number of runs, it has at most 60 of them as lines and 10,000 in its table.)",
    .examples = R"(  fathom apps store
  fathom apps store --state validated --format csv -o apps.csv
  fathom apps store --app bob/climate.x/64
  fathom apps store --app bob/climate.x/64 -o climate.html)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
