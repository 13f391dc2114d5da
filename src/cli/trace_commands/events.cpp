// SPDX-License-Identifier: Apache-2.0
#include "cli/event_rows.h"
#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"

namespace fathom {
namespace {

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto selection = add_event_selection(line);
  auto output = add_output_options(line);
  return [=]() -> Result<void> {
    TRY(const trace::Trace trace, open_and_tell(*directory));
    return write_events(trace, *selection, output->format, output->file);
  };
}

}  // namespace

namespace trace_commands {
extern const Command events;
constinit const Command events{
    .name = "events",
    .summary = "Every call of a traced run, in order of time",
    .details =
        R"(One row for each call, in order of its start; of two that start together the enclosing one is first. `start` and `end` are Unix time in
seconds with nine digits behind the point. `bytes` is what the call asked for, `result` what it returned, or -errno. `parent` is the row
number (the first row is 0) of the call that encloses it: a POSIX call inside an MPI-IO call names that one. Row numbers are those of the
whole trace, also where only some rows were chosen. `rank` is empty for the launcher's processes. Parquet has the times in nanoseconds as
well (`start_ns`, `end_ns`) and the row's number.)",
    .examples = R"(  fathom trace events traced --limit 50
  fathom trace events traced --rank 0 --interface mpiio --format csv
  fathom trace events traced --file '*.h5' --call 'pwrite*' --format json
  fathom trace events traced --format parquet -o events.parquet)",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
