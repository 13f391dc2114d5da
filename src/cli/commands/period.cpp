// SPDX-License-Identifier: Apache-2.0
#include "mine/period.h"

#include <fmt/format.h>

#include "base/talk.h"
#include "base/terminal.h"
#include "cli/burst_plot.h"
#include "cli/command.h"
#include "cli/output.h"
#include "mine/series_file.h"

namespace fathom {
namespace {

struct Arguments {
  std::string input;
  SeriesFileOptions file;
  double window = 0;
  PeriodOptions period;
};

/// Series of anything may have negative values; bursts stand on the lowest.
void lift(TrafficSeries& series) {
  double lowest = 0;
  for (const double each : series.amounts)
    if (each < lowest) lowest = each;
  for (double& each : series.amounts) each -= lowest;
}

Table as_rows(const PeriodClaim& claim, Time start) {
  Table table{{{"periodic"},
               {"period", Quantity::real},
               {"confidence", Quantity::fraction},
               {"p_value", Quantity::real},
               {"standard_error", Quantity::real},
               {"seen", Quantity::fraction},
               {"span", Quantity::fraction},
               {"phase", Quantity::time},
               {"bursts", Quantity::count},
               {"in_pattern", Quantity::count},
               {"by_correlation", Quantity::real},
               {"by_spectrum", Quantity::real},
               {"agreeing", Quantity::count},
               {"evidence"}},
              {}};
  const bool any = claim.period > 0;
  const auto maybe = [](const std::optional<double>& value) { return value ? cell(*value) : Cell{}; };
  table.rows.push_back({cell(std::string_view(claim.periodic ? "true" : "false")), claim.periodic ? cell(claim.period) : Cell{},
                        cell(claim.confidence()), cell(claim.p_value), claim.periodic ? cell(claim.standard_error) : Cell{},
                        any ? cell(claim.seen) : Cell{}, any ? cell(claim.span) : Cell{},
                        claim.periodic ? cell(start + Duration{static_cast<std::int64_t>(claim.phase * 1e6)}) : Cell{},
                        cell(std::uint64_t{claim.bursts}), cell(std::uint64_t{claim.in_chain}), maybe(claim.by_correlation),
                        maybe(claim.by_spectrum), cell(std::uint64_t{claim.agreeing}), cell(claim.evidence)});
  return table;
}

/// {"periodic": true, "period": 600.2, "confidence": 0.995, "evidence": {...}}
std::string as_json_text(const PeriodClaim& claim) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : std::string("null"); };
  const bool any = claim.period > 0;
  return fmt::format(
      "{{\"periodic\": {}, \"period\": {}, \"confidence\": {}, \"evidence\": {{\"text\": \"{}\", \"p_value\": {}, \"standard_error\": {}, "
      "\"seen\": {}, \"span\": {}, \"phase\": {}, \"bursts\": {}, "
      "\"in_pattern\": {}, \"by_correlation\": {}, \"by_spectrum\": {}, \"agreeing\": {}}}}}\n",
      claim.periodic, claim.periodic ? number(claim.period) : "null", claim.confidence(), claim.evidence, claim.p_value,
      claim.periodic ? number(claim.standard_error) : "null", any ? number(claim.seen) : "null", any ? number(claim.span) : "null",
      claim.periodic ? number(claim.phase) : "null", claim.bursts, claim.in_chain, number(claim.by_correlation), number(claim.by_spectrum),
      claim.agreeing);
}

std::string in_text(const PeriodClaim& claim) {
  std::string out = claim.periodic ? fmt::format("periodic: every {} {} {} (standard error), confidence {:.3f}\n", in_seconds(claim.period),
                                                 glyphs().plus_minus, in_seconds(claim.standard_error, 2), claim.confidence())
                                   : std::string("not periodic\n");
  return out + claim.evidence + "\n";
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  TRY(SeriesFile file, read_series_file(given.input, given.file));
  if (file.left_out > 0) tell("{} of {} rows left out: their slots had a value already\n", file.left_out, file.rows);
  lift(file.series);
  BurstOptions options;
  // Of a series of anything nothing is known but its length: the background is that of all of it, unless told otherwise.
  options.window = given.window > 0 ? given.window : std::max(options.window, seconds(file.series.end() - file.series.start) / 4);
  TRY(const PeriodClaim claim, find_period(file.series, options, given.period));
  if (output.format == "json") return write_text(as_json_text(claim), output);
  if (output.format != "table") return write_table(as_rows(claim, file.series.start), output);
  TRY(const std::vector<Burst> bursts, find_bursts(file.series, options));
  std::vector<Burst> pattern;
  for (const std::uint32_t each : claim.chain) pattern.push_back(bursts[each]);
  return write_text(burst_plot(file.series, claim.periodic ? pattern : bursts) + "\n" + in_text(claim), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("FILE", given->input, "a CSV file: columns t and value, or that of `fathom timeline`, or numbers alone with --step")
      .required();
  line.add_option("--column", given->file.column, "the column with the values (default: value, or read_bytes and write_bytes together)")
      .type_name("NAME");
  line.add_option("--step", given->file.step, "length of a slot in seconds (default: the usual distance of the times)")
      .between(1e-3, 1e7)
      .type_name("S");
  line.add_option("--window", given->window, "seconds around a slot that make its background (default: a quarter of all, an hour at least)")
      .between(1e-2, 1e9)
      .type_name("S");
  line.add_option("--significance", given->period.significance, "largest p-value of a claim (default 0.01)")
      .between(0.005, 0.5)
      .type_name("P");
  line.add_option("--shortest", given->period.shortest, "shortest period in seconds (default: two slots)")
      .between(1e-3, 1e9)
      .type_name("S");
  line.add_option("--longest", given->period.longest, "longest period in seconds (default: a third of the time)")
      .between(1e-3, 1e9)
      .type_name("S");
  auto output = add_output_options(line);
  return [given, output] { return run(*given, *output); };
}

}  // namespace

namespace commands {
extern const Command period;
constinit const Command period{
    .name = "period",
    .summary = "Whether a time series repeats, and how often, with evidence",
    .details =
        R"(Finds the bursts of a series and among them the chain that is most regular; bursts of others and missing ones are allowed, and the
period may drift. The claim is held against random series with the same gaps between bursts, shuffled and stretched: the p-value is the chance that
these do as well. Autocorrelation and spectrum are asked too; the evidence says what they see. "Not periodic" is an answer. No period
below two slots is claimed, nor one that fits less than three times.)",
    .examples = R"(  fathom period traffic.csv
  fathom timeline store --job 1782577 --step 10 --format csv -o job.csv
  fathom period job.csv --column write_bytes
  fathom period numbers.txt --step 60 --format json)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
