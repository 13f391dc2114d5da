// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "trace/file_totals.h"

namespace fathom {
namespace {

using namespace trace;

constexpr std::array<std::string_view, 9> kind_names = {"unknown", "regular", "directory", "pipe", "socket", "character", "block", "pseudo", "anonymous"};

Table file_rows(const Trace& trace, const std::vector<FileTotals>& totals, bool all) {
  Table table{{{"file"}, {"kind"}, {"ranks", Quantity::count}, {"opens", Quantity::count}, {"read_calls", Quantity::count}, {"read_bytes", Quantity::bytes},
               {"write_calls", Quantity::count}, {"write_bytes", Quantity::bytes}, {"lock_calls", Quantity::count}, {"other_calls", Quantity::count},
               {"first", Quantity::time}, {"last", Quantity::time}, {"hints"}},
              {}};
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const File& file = trace.files[i];
    const FileTotals& t = totals[i];
    if ((!file.is_data() && !all) || t.calls == 0) continue;
    std::string hints;
    for (const std::string& hint : file.hints) hints += (hints.empty() ? "" : ";") + hint;
    table.rows.push_back({cell(std::string_view(file.path)), cell(kind_names[static_cast<std::size_t>(file.kind)]), cell(t.units), cell(t.opens), cell(t.read_calls),
                          cell(t.read_bytes), cell(t.write_calls), cell(t.write_bytes), cell(t.lock_calls),
                          cell(t.calls - t.opens - t.read_calls - t.write_calls - t.lock_calls), cell(time_from_micros(t.first / 1000)),
                          cell(time_from_micros(t.last / 1000)), cell(std::move(hints))});
  }
  return table;
}

std::function<Result<void>()> declare(CLI::App& app) {
  auto directory = add_trace_argument(app);
  auto all = std::make_shared<bool>(false);
  app.add_flag("--all", *all, "also pipes, sockets, terminals, directories and what was only asked about");
  auto output = add_output_options(app);
  return [=]() -> Result<void> {
    TRY(const Trace trace, open_and_tell(*directory));
    TRY(const auto totals, file_totals(trace));
    return write_table(file_rows(trace, totals, *all), *output);
  };
}

}  // namespace

namespace trace_commands {
extern const Command files;
constinit const Command files{
    .name = "files",
    .summary = "The files of a traced run",
    .details = R"(One row for each file. Calls are those of the layer nearest to the file system (POSIX), so that bytes count once; a file that was used
only through a higher layer shows that layer's calls. `ranks`: how many used it. A launcher's calls are left out.)",
    .examples = "  fathom trace files traced\n  fathom trace files traced --all --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
