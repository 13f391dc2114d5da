// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/concurrency.h"

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"

namespace fathom {
namespace {

using namespace trace;

struct Row {
  const Trace* trace;
  std::uint32_t file;
  std::size_t direction;
  const InFlight* flight;
  bool brief;
};

std::vector<ShownColumn<Row>> columns() {
  return {{{"file"}, [](const Row& r) { return file_cell(*r.trace, r.file, r.brief); }},
          {{"direction"}, [](const Row& r) { return cell(std::string_view(direction_names[r.direction])); }},
          {{"calls", Quantity::count}, [](const Row& r) { return cell(r.flight->calls); }},
          {{"most_at_once", Quantity::count}, [](const Row& r) { return cell(std::uint64_t{r.flight->most}); }},
          {{"mean_at_once", Quantity::real}, [](const Row& r) { return r.flight->busy > 0 ? cell(r.flight->mean()) : Cell{}; }},
          {{"time", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->time); }},
          {{"busy", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->busy); }},
          {{"serialisation", Quantity::real}, [](const Row& r) { return number_cell(r.flight->serialisation.index()); }},
          {{"served_at_once", Quantity::real}, [](const Row& r) { return number_cell(r.flight->serialisation.served_at_once()); }},
          {{"overlapping_calls", Quantity::count}, [](const Row& r) { return cell(r.flight->serialisation.calls); }},
          {{"groups", Quantity::count}, [](const Row& r) { return cell(r.flight->serialisation.groups); }, false},
          {{"waited", Quantity::real}, [](const Row& r) { return seconds_cell(r.flight->serialisation.lost); }}};
}

Result<void> run(const std::string& directory, Interface layer, const OutputOptions& output) {
  TRY(const Trace trace, open_and_tell(directory));
  ConcurrencyAnalysis analysis(layer);
  TRY_VOID(walk_with_progress(trace, {&analysis}));
  const bool brief = output.format == "table";
  std::vector<Row> rows;
  const auto add = [&](std::uint32_t file, const InFlightByDirection& flights) {
    for (std::size_t d = 0; d < direction_count; ++d)
      if (flights[d].calls > 0 && (!brief || d < 2 || (flights[0].calls > 0 && flights[1].calls > 0))) rows.push_back({&trace, file, d, &flights[d], brief});
  };
  add(no_file, analysis.all());
  for (const auto& file : analysis.files()) add(file.file, file.flights);
  return write_table(table_of(rows, columns(), brief), output);
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto directory = add_trace_argument(app);
  auto layer = add_layer_option(app);
  auto output = add_output_options(app);
  return [=] { return run(*directory, layer_named(*layer), *output); };
}

}  // namespace

namespace trace_commands {
extern const Command concurrency;
constinit const Command concurrency{
    .name = "concurrency",
    .summary = "How many calls are under way at once, and whether they queue",
    .details = R"(Reads, writes and both together (total), for all files and for each. most_at_once and mean_at_once: calls under way, the mean while any
is. serialisation: what calls of different ranks that overlap took longer than the quickest of about their size, as a share of what they
would have waited were they served strictly one after the other: 1 is a queue (they begin together and end in steps), 0 is all side
by side; empty if no calls of different ranks overlapped. served_at_once: how many seem to be served at a time: 1 in a queue.
waited: the time lost to others. Times in seconds.)",
    .examples = "  fathom trace concurrency traced\n  fathom trace concurrency traced --layer mpiio --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
