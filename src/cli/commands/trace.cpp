// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/trace_commands/trace_commands.h"

namespace fathom::commands {
extern const Command trace;
constinit const Command trace{
    .name = "trace",
    .summary = "What a traced run did, call by call",
    .details =
        R"(Reads the directory that `fathom run --trace -o DIR` wrote: every call of every process in one order of time, with the call that
encloses it, on one clock and with one table of files. A run that was killed, is still going on or filled its disk can be read as well:
what is missing is said on standard error.)",
    .examples = R"(  fathom trace summary traced
  fathom trace events traced --format csv
  fathom trace export traced --to perfetto -o traced.json)",
    .parts = all_trace_commands};
}  // namespace fathom::commands
