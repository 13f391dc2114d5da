// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/concurrency.h"

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"

namespace fathom {
namespace {

using namespace trace;

Result<void> run(const std::string& directory, Interface layer, const OutputOptions& output) {
  TRY(const Trace trace, open_and_tell(directory));
  ConcurrencyAnalysis analysis(layer);
  TRY_VOID(walk_with_progress(trace, {&analysis}));
  return write_table(concurrency_table(trace, analysis, output.format == "table"), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto layer = add_layer_option(line);
  auto output = add_output_options(line);
  return [=] { return run(*directory, layer_named(*layer), *output); };
}

}  // namespace

namespace trace_commands {
extern const Command concurrency;
constinit const Command concurrency{
    .name = "concurrency",
    .summary = "How many calls are under way at once, and whether they queue",
    .details =
        R"(Reads, writes and both together (total), for all files and for each. most_at_once and mean_at_once: calls under way, the mean while any
is. serialisation: what calls of different ranks that overlap took longer than the quickest of about their size, as a share of what they
would have waited were they served strictly one after the other: 1 is a queue (they begin together and end in steps), 0 is all side
by side; empty if no calls of different ranks overlapped. served_at_once: how many seem to be served at a time: 1 in a queue.
waited: the time lost to others. Times in seconds.)",
    .examples = "  fathom trace concurrency traced\n  fathom trace concurrency traced --layer mpiio --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
