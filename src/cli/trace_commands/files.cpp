// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"
#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "trace_analysis/tables.h"

namespace fathom {
namespace {

using namespace trace;

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto all = std::make_shared<bool>(false);
  line.add_flag("--all", *all, "also pipes, sockets, terminals, directories and what was only asked about");
  auto output = add_output_options(line);
  return [=]() -> Result<void> {
    TRY(const Trace trace, open_and_tell(*directory));
    const auto found = [&] {
      Progress progress("going through the events", Progress::Unit::share);
      return file_totals(trace, [&](std::uint64_t seen) { progress.update(seen, std::max(seen, trace.records)); });
    }();
    TRY(const auto totals, found);
    return write_table(file_table(trace, totals, *all), *output);
  };
}

}  // namespace

namespace trace_commands {
extern const Command files;
constinit const Command files{
    .name = "files",
    .summary = "The files of a traced run",
    .details =
        R"(One row for each file. Calls are those of the layer nearest to the file system (POSIX), so that bytes count once; a file that was used
only through a higher layer shows that layer's calls. `ranks`: how many used it. A launcher's calls are left out.)",
    .examples = "  fathom trace files traced\n  fathom trace files traced --all --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
