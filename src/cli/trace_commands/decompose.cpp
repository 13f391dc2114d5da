// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/decompose.h"

#include <fmt/format.h>

#include <optional>

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "trace_analysis/call_picture.h"

namespace fathom {
namespace {

using namespace trace;

struct Arguments {
  std::string directory;
  std::optional<std::uint64_t> call;
  std::size_t worst = 0, width = 72, ranks = 32;
};

Table picture_rows(const std::vector<CallPicture>& pictures, const Trace& trace) {
  Table table{{{"picture", Quantity::count},
               {"call"},
               {"rank", Quantity::count},
               {"row", Quantity::count},
               {"part"},
               {"start", Quantity::real},
               {"end", Quantity::real}},
              {}};
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    for (const PicturedRank& rank : pictures[p].ranks) {
      const auto add = [&](std::string_view part, std::int64_t start, std::int64_t end) {
        table.rows.push_back({cell(std::uint64_t{p}), cell(std::string_view(pictures[p].call)),
                              Cell{std::int64_t{trace.units[rank.unit].rank}}, cell(rank.row), cell(part),
                              seconds_cell(start - pictures[p].start), seconds_cell(end - pictures[p].start)});
      };
      add("call", rank.start, rank.end);
      for (const PicturedPart& part : rank.parts) add(part_names[static_cast<std::size_t>(part.part)], part.start, part.end);
    }
  }
  return table;
}

Result<void> draw(const Trace& trace, const Arguments& given, const OutputOptions& output) {
  FindCalls find = given.call ? FindCalls::with_row(*given.call) : FindCalls::worst(given.worst);
  TRY_VOID(walk_with_progress(trace, {&find}));
  if (given.call && find.found().empty())
    return Error{
        ErrorKind::usage,
        fmt::format("drawing call {}: no MPI-IO read, write or wait on a file has this row (see `fathom trace events`)", *given.call)};
  PictureAnalysis pictures(find.found());
  TRY_VOID(walk_with_progress(trace, {&pictures}));
  if (output.format != "table") return write_table(picture_rows(pictures.pictures(), trace), output);
  std::string text;
  for (const CallPicture& picture : pictures.pictures())
    text += (text.empty() ? "" : "\n") + picture_text(picture, trace, given.width, given.ranks);
  return write_text(text.empty() ? "no MPI-IO calls\n" : text, output);
}

Result<void> run(const Arguments& given, const OutputOptions& output) {
  TRY(const Trace trace, open_and_tell(given.directory));
  if (given.call || given.worst > 0) return draw(trace, given, output);
  DecomposeAnalysis analysis;
  TRY_VOID(walk_with_progress(trace, {&analysis}));
  return write_table(decomposition_table(analysis, output.format == "table"), output);
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto given = std::make_shared<Arguments>();
  line.add_option("DIR", given->directory, "the directory that fathom run wrote").required();
  const auto call = line.add_option("--call", given->call, "draw the MPI-IO call with this row of `fathom trace events`").type_name("ROW");
  line.add_option("--worst", given->worst, "draw the N longest MPI-IO calls").type_name("N").excludes(call);
  line.add_option("--width", given->width, "letters of a drawn bar (default 72)").between(10, 1000).type_name("N");
  line.add_option("--ranks", given->ranks, "draw at most so many ranks (default 32)").type_name("N");
  auto output = add_output_options(line);
  return [=] { return run(*given, *output); };
}

}  // namespace

namespace trace_commands {
extern const Command decompose;
constinit const Command decompose{
    .name = "decompose",
    .summary = "Where the time of MPI-IO calls goes",
    .details =
        R"(The share of the time inside MPI-IO calls that was spent in POSIX reads, writes, locks, unlocks and other calls made by them, and in
waiting (the rest: exchange with other ranks, copying, waiting for them). First the totals of reads, of writes, of both, and of all MPI-IO
calls on files, then one row for each call by its name. Shares of a row add up to 1.

--call and --worst draw single calls, one row of letters for each rank: R read, W write, L lock, U unlock, o other POSIX calls, . waiting.
Of a collective call all ranks are shown: the n-th collective call of each on the file.)",
    .examples = "  fathom trace decompose traced\n  fathom trace decompose traced --worst 3",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
