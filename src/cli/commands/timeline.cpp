// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/talk.h"
#include "characterise/job_view.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/study_options.h"
#include "cli/timeline_plot.h"

namespace fathom {
namespace {

Table slot_rows(const std::vector<Slot>& slots) {
  Table table{{{"t", Quantity::time}, {"length", Quantity::duration}, {"read_bytes", Quantity::bytes}, {"write_bytes", Quantity::bytes}, {"read_ops", Quantity::real},
               {"write_ops", Quantity::real}, {"read_share_bytes", Quantity::fraction}, {"read_share_ops", Quantity::fraction}, {"dominating"}, {"units_active", Quantity::count},
               {"unit_read_bytes_min", Quantity::bytes}, {"unit_read_bytes_mean", Quantity::bytes}, {"unit_read_bytes_max", Quantity::bytes},
               {"unit_write_bytes_min", Quantity::bytes}, {"unit_write_bytes_mean", Quantity::bytes}, {"unit_write_bytes_max", Quantity::bytes}},
              {}};
  for (const Slot& slot : slots) {
    auto& row = table.rows.emplace_back();
    row = {cell(time_from_micros(slot.begin)), cell(Duration{slot.length})};
    if (slot.measured == 0) {  // missing is not zero
      row.resize(table.columns.size());
      continue;
    }
    for (const double amount : slot.amounts) row.push_back(cell(amount));
    for (const std::size_t first : {0u, 2u}) {
      const double all = slot.amounts[first] + slot.amounts[first + 1];
      row.push_back(all > 0 ? cell(slot.amounts[first] / all) : Cell{});
    }
    row.push_back(cell(std::string_view(dominating_names[static_cast<std::size_t>(dominating(slot.amounts[2], slot.amounts[3]))])));
    row.push_back(cell(std::uint64_t{slot.active[2]}));
    for (const Spread& spread : slot.units) {
      row.push_back(cell(spread.min));
      row.push_back(cell(spread.mean));
      row.push_back(cell(spread.max));
    }
  }
  return table;
}

Result<void> run(const StudyArguments& given, double step, const OutputOptions& output) {
  if (given.jobs.size() != 1) return Error{ErrorKind::usage, "showing a timeline: needs one job, --job ID"};
  TRY(const StudyOptions options, study_options(given));
  TRY(const Study study, run_study(given, options));
  const bool plot = output.format == "table";
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    TRY(const JobView view, look_at(study, i));
    const std::uint64_t threshold = options.thresholds.front();
    if (plot) {
      TRY_VOID(write_text(timeline_plot(study, view, step), output));
      continue;
    }
    if (study.analysis.jobs.size() > 1 && i == 0) tell("{} runs have this id; the last one is shown\n", study.analysis.jobs.size());
    if (i + 1 < study.analysis.jobs.size()) continue;
    const auto length = static_cast<std::int64_t>((step > 0 ? step : 1) * 1e6);
    return write_table(slot_rows(slots_of(view, length, threshold)), output);
  }
  return {};
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto options = add_study_options(app);
  auto step = std::make_shared<double>(0);
  app.add_option("--step", *step, "length of a slot in seconds (default 1; in the plot: what fits)")->check(CLI::Range(1e-3, 1e7))->type_name("S");
  auto output = add_output_options(app);
  return [options, step, output] { return run(*options, *step, *output); };
}

}  // namespace

namespace commands {
extern const Command timeline;
constinit const Command timeline{
    .name = "timeline",
    .summary = "One job over time",
    .details = R"(On a terminal a plot: bytes over time (criterion 2.8), the dominating type (2.5), how even its servers are (3.3) and how many of
them are active (3.2). With --format csv, json or parquet one row for each slot, slots starting at whole multiples of the step since
1970; where nothing was measured the cells are empty. Minimum, mean and maximum are over the servers that were measured.)",
    .examples = R"(  fathom timeline store --job 1782577
  fathom timeline store --job 1782577 --step 60 --format csv)",
    .declare = declare};
}  // namespace commands
}  // namespace fathom
