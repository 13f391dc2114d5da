// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "base/units.h"
#include "cli/simulate_modes.h"
#include "cli/simulate_page.h"
#include "cli/simulate_perfetto.h"
#include "cli/simulate_progress.h"
#include "cli/simulate_tables.h"
#include "cli/text_output.h"
#include "simulation_page/comparison_data.h"

namespace fathom {
namespace {

using namespace simulate;

/// Every request as a line of CSV.
class CompletionsFile {
 public:
  static Result<CompletionsFile> open(const std::string& file, const Work& work) {
    TRY(TextOutput out, TextOutput::open(file));
    CompletionsFile completions(std::move(out));
    for (const NodeWork& node : work.nodes) completions.names_.push_back(csv_field(node.name));
    completions.out_ << "node,index,kind,bytes,issued_ps,acked_ps,stored_ps\n";
    return completions;
  }

  void add(const Completion& each) {
    out_ << names_[each.node] << ',';
    out_.number(each.index) << ',' << std::string_view(kind_names[static_cast<std::size_t>(each.kind)]) << ',';
    out_.number(each.bytes) << ',';
    out_.number(each.issued) << ',';
    out_.number(each.acked) << ',';
    out_.number(each.stored) << '\n';
  }
  Result<void> finish() { return out_.finish(); }

 private:
  explicit CompletionsFile(TextOutput out) : out_(std::move(out)) {}
  TextOutput out_;
  std::vector<std::string> names_;
};

/// Runs both architectures; requests of the changed one go to the files that want them.
Result<Comparison> simulated(const Scenario& scenario, const Work& work, const SimulateOptions& given) {
  std::optional<CompletionsFile> completions;
  std::optional<RequestPicture> picture;
  if (!given.completions.empty()) {
    TRY(CompletionsFile opened, CompletionsFile::open(given.completions, work));
    completions.emplace(std::move(opened));
  }
  if (!given.perfetto.empty()) {
    TRY(RequestPicture opened, RequestPicture::of(work, given.perfetto_window, given.perfetto_nodes));
    picture.emplace(std::move(opened));
  }
  CompletionSink sink;
  if (completions || picture)
    sink = [&](const Completion& each) {
      if (completions) completions->add(each);
      if (picture) picture->add(each);
    };
  SimulationProgress progress(1);
  TRY(Comparison found, compare(scenario.architecture, scenario.original, work, sink, progress.watch()));
  if (completions) TRY_VOID(completions->finish());
  if (picture) TRY_VOID(picture->write(given.perfetto));
  return found;
}

std::string cost_text(const Scenario& scenario, const Work& work, const Comparison& found) {
  const Prices& prices = scenario.prices;
  std::string text;
  if (const auto changed = cost(prices, scenario.architecture, work.nodes.size())) {
    text += fmt::format("cost {:.6g}{}{}", *changed, prices.currency.empty() ? "" : " ", prices.currency);
    if (const auto original = scenario.original ? cost(prices, *scenario.original, work.nodes.size()) : std::nullopt)
      text += fmt::format(", originally {:.6g}", *original);
  }
  const Wear wears = wear(prices, scenario.architecture, buffered(scenario.architecture, work, found.changed));
  if (wears.full_writes_per_day)
    text += fmt::format("{}burst buffers are written full {:.3g} times a day, the busiest one {:.3g} times{}", text.empty() ? "" : "; ",
                        *wears.full_writes_per_day, *wears.most_full_writes_per_day,
                        wears.years ? fmt::format("; it lasts {:.3g} years", *wears.years) : "");
  return text.empty() ? text : text + "\n";
}

std::string heading(const Scenario& scenario, const Work& work, const Comparison& found) {
  std::array<std::uint64_t, 2> bytes{};
  for (const NodeOutcome& node : found.changed.nodes)
    for (std::size_t i = 0; i < 2; ++i) bytes[i] += node.bytes[i];
  return fmt::format("{}, {}, {} ({} read, {} written); {}\n{}\n", counted(work.nodes.size(), "I/O node"),
                     counted(found.jobs.size(), "job"), counted(found.changed.requests, "request"),
                     human_bytes(static_cast<double>(bytes[0])), human_bytes(static_cast<double>(bytes[1])),
                     scenario.original ? "`original` is the architecture that the scenario names"
                                       : "no `original` to compare with: it is compared with itself",
                     found.stopped ? "" : cost_text(scenario, work, found));
}

Result<void> write(const Scenario& scenario, const Work& work, const SimulateOptions& given, const OutputOptions& output,
                   const Comparison& found) {
  if (is_page(output))
    return write_what_if_page(
        simulation_page::comparison_data(comparing_heading(scenario, "What if:", found.stopped), scenario, work, found), output);
  const bool for_people = output.format == "table";
  const Table table = given.summary ? simulated_summary(found)
                      : given.nodes ? simulated_nodes(work, found, for_people)
                                    : simulated_jobs(work, found, for_people);
  if (for_people) return write_text(heading(scenario, work, found) + as_aligned_text(table), output);
  return write_table(table, output);
}

}  // namespace

Result<void> simulate_comparison(const Scenario& scenario, const Work& work, const SimulateOptions& given, const OutputOptions& output) {
  TRY(const Comparison found, simulated(scenario, work, given));
  TRY_VOID(write(scenario, work, given, output, found));
  if (!found.stopped) return {};
  const auto ended = std::count_if(found.jobs.begin(), found.jobs.end(), [](const JobComparison& job) { return job.finished; });
  return stopped_by_user(fmt::format("{} of {} had ended, the others are empty", ended, counted(found.jobs.size(), "job")));
}

}  // namespace fathom
