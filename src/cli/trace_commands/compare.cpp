// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "trace_analysis/comparison.h"

namespace fathom {
namespace {

using namespace trace;

Table compared_table(const std::vector<ComparedRow>& rows, bool brief) {
  const Quantity value = brief ? Quantity::text : Quantity::real;
  Table table{{{"section"}, {"what"}, {"a", value}, {"b", value}, {"ratio", Quantity::real}, {"note"}}, {}};
  // Small times in seconds: what is rounded to nothing cannot be compared.
  const auto shown = [&](const ComparedRow& row, double number) -> Cell {
    Cell plain = number_cell(number);
    if (!brief || std::isnan(number)) return plain;
    if (row.quantity == Quantity::duration) return cell(human(plain, Quantity::real) + " s");
    return cell(human(row.quantity == Quantity::count ? Cell{static_cast<std::int64_t>(number)} : plain, row.quantity));
  };
  for (const ComparedRow& row : rows)
    table.rows.push_back({cell(std::string_view(row.section)), cell(std::string_view(row.what)), shown(row, row.a), shown(row, row.b),
                          number_cell(row.ratio()), row.note.empty() && !brief ? Cell{} : cell(std::string_view(row.note))});
  return table;
}

Result<void> run(const std::vector<std::string>& directories, const OutputOptions& output) {
  TRY(const Trace first, open_and_tell(directories[0]));
  TRY(const Trace second, open_and_tell(directories[1]));
  RunNumbers a(first), b(second);
  TRY_VOID(walk_with_progress(first, a.analyses()));
  TRY_VOID(walk_with_progress(second, b.analyses()));
  return write_table(compared_table(compare(a, b), output.format == "table"), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto directories = std::make_shared<std::vector<std::string>>();
  line.add_option("DIR", *directories, "two directories that fathom run wrote: before and after").required().values(2);
  auto output = add_output_options(line);
  return [=] { return run(*directories, *output); };
}

}  // namespace

namespace trace_commands {
extern const Command compare;
constinit const Command compare{
    .name = "compare",
    .summary = "Two traced runs side by side",
    .details =
        R"(Bandwidths, bytes, calls, times and request sizes of reads and writes, where the time of MPI-IO calls goes, the mean time of each MPI-IO
call, and the findings that are gone, new, or in both (their share of the I/O time): say with and without a hint or a layer of the file
system. ratio: b / a. csv and json have plain units: bytes, seconds, bytes per second, fractions.)",
    .examples = "  fathom trace compare before after\n  fathom trace compare before after --format csv",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
