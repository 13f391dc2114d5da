// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "advise/weights.h"
#include "base/talk.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/output.h"
#include "store_advice/store_load.h"

namespace fathom {
namespace {

struct Arguments {
  std::string store, at, filesystem, weights;
};

/// `91 % 0-30, 9 % 60-90 MB/s`
std::string in_bands(std::span<const double> fractions, const advise::Bands& bands) {
  std::string text;
  for (std::size_t band = 0; band < fractions.size(); ++band) {
    if (fractions[band] <= 0) continue;
    const double from = static_cast<double>(band) * bands.width / 1e6;
    text += fmt::format("{}{} {:g}-{:g}", text.empty() ? "" : ", ", human_percent(fractions[band]), from, from + bands.width / 1e6);
  }
  return text.empty() ? "" : text + " MB/s";
}

Table as_rows(const StoreLoad& load, const advise::LoadTable& table, const advise::Trained& trained, bool for_people) {
  Table rows{
      {{"server"}, {"filesystem"}, {"coverage", Quantity::fraction}, {"mean_throughput", Quantity::bandwidth}, {"score", Quantity::real}},
      {}};
  const std::size_t bands = table.settings().bands.count();
  if (for_people) rows.columns.push_back({"time_in_bands", Quantity::text});
  for (std::size_t band = 0; band < bands && !for_people; ++band)
    rows.columns.push_back({fmt::format("band_{}", band), Quantity::fraction});
  std::vector<double> fractions(bands);
  for (std::size_t server = 0; server < load.servers.size(); ++server) {
    table.fractions(server, fractions);
    const bool known = table.coverage(server) > 0;
    auto& row = rows.rows.emplace_back();
    row = {cell(load.servers[server]), cell(load.filesystems[server]), cell(table.coverage(server)),
           known ? cell(table.mean_throughput(server)) : Cell{}, known ? cell(trained.score(fractions)) : Cell{}};
    if (for_people) {
      row.push_back(cell(in_bands(fractions, table.settings().bands)));
    } else {
      for (const double fraction : fractions) row.push_back(known ? cell(fraction) : Cell{});
    }
  }
  return rows;
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  Time at = no_time;
  if (!given.at.empty()) {
    TRY(at, parse_time_argument(given.at, "--at"));
  }
  TRY(const advise::Trained trained, advise::weights_of(given.weights));
  TRY(const Store store, Store::open(given.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const StoreLoad load, store_load(snapshot, at, given.filesystem, trained.load));
  advise::LoadSettings settings = trained.load;
  settings.slot_seconds = load.slot_seconds;
  TRY(advise::LoadTable table, advise::LoadTable::make(load.servers.size(), settings));
  for (const auto& slot : load.slots) table.add_slot(slot);
  tell("{}, the {:g} minutes before {}, slots of {:g} s; weights: {}\n", counted(load.servers.size(), "server"), settings.seconds() / 60,
       format_iso8601(load.at), load.slot_seconds, advise::origin_of(trained, given.weights));
  return write_table(as_rows(load, table, trained, output.format == "table"), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("STORE", given->store, "the store").required();
  line.add_option("--at", given->at, "as it was at this time (ISO 8601 or Unix seconds; default: the end of the counters)").type_name("T");
  line.add_option("--filesystem", given->filesystem, "only this file system").type_name("NAME");
  line.add_option("--weights", given->weights, "weights of `fathom train` (default: those learned on the replayed machine)")
      .type_name("FILE.toml");
  auto output = add_output_options(line);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command load;
constinit const Command load{
    .name = "load",
    .summary = "How busy each server has been in the last 20 minutes, and its score",
    .details =
        R"(The load table of AID: for each server the share of time in bands of throughput (30 MB/s wide) over the last four windows of five minutes, reads and writes
together, and the score that follows from it: about how many times as long I/O would take there as on an idle machine. Shares are of the time that was measured; coverage says how
much of the 20 minutes that is. A server of which nothing was measured has no score. Only what had been measured at the time given counts.

With --format csv, json or parquet: server, filesystem, coverage, mean_throughput, score, band_0, band_1, ... as fractions. docs/advice.md says how scores come about.)",
    .examples = R"(  fathom load store
  fathom load store --at 2015-03-01T12:00 --filesystem atlas1
  fathom load store --weights weights.toml --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
