// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "cli/analysis_map_text.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "trace_analysis/trace_criteria.h"

namespace fathom {
namespace {

using namespace trace;

struct Arguments {
  std::string directory, threshold = "1M", small = "4K,8K,64K,128K,512K,1M,4M";
  std::vector<std::string> others;
};

/// Bands and maxima of whole increments: a trace knows what belongs to the run, so these equal the plain values.
bool of_counters_only(std::string_view name) { return name.ends_with("_lower") || name.ends_with("_upper") || name.ends_with("_inner"); }

std::vector<MapRow> map_rows(const std::vector<CriterionAnswer>& answers) {
  std::vector<MapRow> rows;
  for (const CriterionAnswer& answer : answers) {
    const std::string id(answer.criterion->id), title(answer.criterion->title);
    if (!answer.reason.empty()) {
      rows.push_back({id, title, "", "", "", "", answer.reason, MapRow::Kind::unavailable});
      continue;
    }
    bool first = true;
    for (const CriterionValue& value : answer.values) {
      if (of_counters_only(value.name)) continue;
      MapRow row{id, title, value.detail, "", "", "", first ? answer.note : "", MapRow::Kind::measured};
      first = false;
      row.total = !value.text.empty()                                  ? value.text
                  : value.per_direction && std::isnan(value.values[2]) ? ""
                                                                       : shown(value.values[2], value.unit);
      if (value.per_direction) row.read = shown(value.values[0], value.unit), row.write = shown(value.values[1], value.unit);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string heading(const TraceMeasurement& run, const std::string& directory) {
  const Measured& m = run.measured();
  return fmt::format("{}: {}, {:.3f} s from {}, calls of {}\n\n", directory, counted(m.units, "rank"), m.duration(),
                     format_iso8601(time_from_micros(m.start / 1'000'000 * 1'000'000)),
                     interface_names[static_cast<std::size_t>(run.options().layer)]);
}

}  // namespace

std::string trace_map(const TraceMeasurement& measurement, const std::string& title) {
  return heading(measurement, title) + map_table(map_rows(answers(measurement, std::nullopt, 1)));
}

namespace {

/// One row for each value, for csv and parquet.
Table value_rows(const std::vector<CriterionAnswer>& answers) {
  Table table{{{"id"}, {"criterion"}, {"value"}, {"number", Quantity::real}, {"text"}, {"reason"}}, {}};
  for (const CriterionAnswer& answer : answers) {
    const auto add = [&](std::string name, double number, const std::string& text) {
      table.rows.push_back({cell(answer.criterion->id), cell(answer.criterion->name), cell(std::move(name)), number_cell(number),
                            text.empty() ? Cell{} : cell(std::string_view(text)), Cell{}});
    };
    if (!answer.reason.empty())
      table.rows.push_back(
          {cell(answer.criterion->id), cell(answer.criterion->name), Cell{}, Cell{}, Cell{}, cell(std::string_view(answer.reason))});
    for (const CriterionValue& value : answer.values) {
      if (!value.per_direction) add(value.name, value.values[2], value.text);
      for (std::size_t d = 0; value.per_direction && d < direction_count; ++d)
        add(fmt::format("{}_{}", direction_names[d], value.name), value.values[d], "");
    }
  }
  return table;
}

Result<std::optional<FixedSizes>> compare_runs(const SizeSequenceAnalysis& first, const std::vector<std::string>& others, Interface layer) {
  if (others.empty()) return std::optional<FixedSizes>{};
  std::vector<std::unique_ptr<SizeSequenceAnalysis>> made;
  std::vector<const SizeSequenceAnalysis*> runs{&first};
  for (const std::string& directory : others) {
    TRY(const Trace trace, open_and_tell(directory));
    made.push_back(std::make_unique<SizeSequenceAnalysis>(trace, layer));
    TRY_VOID(walk_with_progress(trace, {made.back().get()}));
    runs.push_back(made.back().get());
  }
  return std::optional(compare_sizes(runs));
}

Result<void> run(const Arguments& given, Interface layer, const OutputOptions& output) {
  TraceCriteriaOptions options{.layer = layer, .size_sequences = !given.others.empty()};
  TRY(options.thresholds, parse_sizes(given.threshold, "--threshold"));
  TRY(options.small, parse_sizes(given.small, "--small"));
  TRY(const Trace trace, open_and_tell(given.directory));
  TraceMeasurement measurement(trace, options);
  TRY_VOID(walk_with_progress(trace, measurement.analyses()));
  measurement.measure();
  TRY(const auto fixed, compare_runs(measurement.sizes(), given.others, layer));
  const auto found = answers(measurement, fixed, 1 + given.others.size());
  if (output.format == "table") return write_text(heading(measurement, given.directory) + map_table(map_rows(found)), output);
  if (output.format == "json")
    return write_text(criteria_json(measurement, found).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", output);
  return write_table(value_rows(found), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("DIR", given->directory, "the directory that fathom run wrote").required();
  auto layer = add_layer_option(line);
  line.add_option("--threshold", given->threshold, "bytes per second above which a rank is active (default 1M); several: 0,128K,1M")
      .type_name("BYTES");
  line.add_option("--small", given->small, "requests of at most this size are small (default 4K and six more); several: 4K,1M")
      .type_name("BYTES");
  line.add_option("--with", given->others, "other traced runs of the same program with the same input, for criterion 2.3").type_name("DIR");
  auto output = add_output_options(line);
  return [=] { return run(*given, layer_named(*layer), *output); };
}

}  // namespace

namespace trace_commands {
extern const Command criteria;
constinit const Command criteria{
    .name = "criteria",
    .summary = "All I/O criteria of a traced run",
    .details =
        R"(The analysis map of a run: the criteria of docs/criteria.md by the same code as for counters, with ranks as units, and what only a trace
can tell: files created, exact request sizes, shared files, patterns in space and their repetition, processes on one file at a
time, the interfaces used. One layer at a time. A call's bytes are spread evenly over its duration. json has every criterion by its id with
its values, lists and series, or the reason why there is none; csv and parquet have one row for each value.)",
    .examples =
        "  fathom trace criteria traced\n  fathom trace criteria traced --layer mpiio --threshold 0,1M\n  fathom trace criteria traced "
        "--with traced-again --format json",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
