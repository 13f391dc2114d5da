// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "trace_analysis/bandwidth.h"

namespace fathom {
namespace {

using namespace trace;
using Json = nlohmann::ordered_json;

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }
Interface interface_at(std::size_t i) { return static_cast<Interface>(i); }
std::string_view top_name(const Summary& summary) { return interface_names[static_cast<std::size_t>(top_layer(summary))]; }

std::string bandwidth(double value) { return std::isnan(value) ? "-" : human_bytes(value) + "/s"; }

std::string who(const Trace& trace, const Summary& summary) {
  const bool mpi = std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process& process) { return process.rank >= 0; });
  const std::string killed = summary.killed > 0 ? fmt::format(", {} killed or still running", summary.killed) : "";
  return fmt::format("{} on {}{}", counted(summary.ranks, mpi ? "rank" : "process"), counted(summary.hosts, "host"), killed);
}

/// Whose command says what ran: the first rank's, or the first process's.
std::string command_of(const Trace& trace) {
  for (const Process& process : trace.processes)
    if (process.rank == 0) return process.command;
  return trace.processes.empty() ? "" : trace.processes.front().command;
}

Table layer_rows(const Summary& summary, const Bandwidth& moved) {
  Table table{{{"interface"},
               {"direction"},
               {"calls", Quantity::count},
               {"bytes", Quantity::bytes},
               {"mean request", Quantity::bytes},
               {"time inside", Quantity::duration},
               {"effective", Quantity::text}},
              {}};
  for (std::size_t i = 0; i < summary.layers.size(); ++i) {
    const LayerTotals& t = summary.layers[i];
    for (std::size_t d = 0; d < 2; ++d) {
      if (t.transfers[d] == 0) continue;
      table.rows.push_back({cell(interface_names[i]), cell(std::string_view(d == 0 ? "read" : "write")), cell(t.transfers[d]),
                            cell(t.bytes[d]), cell(static_cast<double>(t.bytes[d]) / static_cast<double>(t.transfers[d])),
                            cell(Duration{t.time[d] / 1000}),
                            cell(bandwidth(moved.of(interface_at(i), static_cast<Direction>(d)).effective()))});
    }
  }
  return table;
}

std::string as_page(const Trace& trace, const Summary& summary, const Bandwidth& moved) {
  std::string page;
  const auto line = [&](std::string_view name, const std::string& value) { page += fmt::format("{:<12}{}\n", name, value); };
  line("command", command_of(trace));
  line("run by", who(trace, summary));
  line("start", human(cell(time_from_micros(trace.start / 1000)), Quantity::time));
  line("duration", fmt::format("{:.3f} s", seconds(trace.end - trace.start)));
  line("events", fmt::format("{} on {}", human_count(summary.events), counted(summary.files, "data file")));
  line("perceived", fmt::format("read {}, write {} ({}, bytes / mean time of a rank inside the calls)",
                                bandwidth(perceived(summary, moved, Direction::read)),
                                bandwidth(perceived(summary, moved, Direction::write)), top_name(summary)));
  if (trace.clock_drift > 0) line("clocks", fmt::format("hosts disagreed by {:.6f} s at the last barrier; corrected", trace.clock_drift));
  page += '\n' + as_aligned_text(layer_rows(summary, moved)) + '\n';
  for (std::size_t i = 0; i < summary.layers.size(); ++i) {
    const LayerTotals& t = summary.layers[i];
    if (t.calls == 0) continue;
    line(interface_names[i], fmt::format("{}: {}, {}, {}, {}, {}, {}; {} failed", counted(t.calls, "call"), counted(t.opens, "open"),
                                         counted(t.closes, "close"), counted(t.lock_calls, "lock"), counted(t.unlock_calls, "unlock"),
                                         counted(t.seeks, "seek"), counted(t.syncs, "sync"), human_count(t.failed)));
  }
  for (const std::string& note : trace.notes) line("note", note);
  return page;
}

/// One row for each layer, for csv and parquet.
Table as_rows(const Summary& summary, const Bandwidth& moved) {
  Table table{{{"interface"},
               {"calls", Quantity::count},
               {"read_calls", Quantity::count},
               {"read_bytes", Quantity::bytes},
               {"write_calls", Quantity::count},
               {"write_bytes", Quantity::bytes},
               {"opens", Quantity::count},
               {"closes", Quantity::count},
               {"lock_calls", Quantity::count},
               {"unlock_calls", Quantity::count},
               {"read_effective_bw", Quantity::real},
               {"write_effective_bw", Quantity::real}},
              {}};
  for (std::size_t i = 0; i < summary.layers.size(); ++i) {
    if (!is_told(summary, i)) continue;
    const LayerTotals& t = summary.layers[i];
    auto& row = table.rows.emplace_back();
    row.push_back(cell(interface_names[i]));
    for (const std::uint64_t n :
         {t.calls, t.transfers[0], t.bytes[0], t.transfers[1], t.bytes[1], t.opens, t.closes, t.lock_calls, t.unlock_calls})
      row.push_back(cell(n));
    for (const Direction direction : {Direction::read, Direction::write}) {
      row.push_back(number_cell(moved.of(interface_at(i), direction).effective()));
    }
  }
  return table;
}

std::function<Result<void>()> declare(CommandLine& line) {
  auto directory = add_trace_argument(line);
  auto output = add_output_options(line);
  return [=]() -> Result<void> {
    TRY(const Trace trace, open_and_tell(*directory));
    SummaryAnalysis counting(trace);
    BandwidthAnalysis timing(trace);
    TRY_VOID(walk_with_progress(trace, {&counting, &timing}));
    const Summary& summary = counting.summary();
    const Bandwidth& moved = timing.all();
    if (output->format == "json")
      return write_text(summary_json(trace, summary, moved).dump(1, ' ', false, Json::error_handler_t::replace) + "\n", *output);
    if (output->format == "table") return write_text(as_page(trace, summary, moved), *output);
    return write_table(as_rows(summary, moved), *output);
  };
}

}  // namespace

namespace trace_commands {
extern const Command summary;
constinit const Command summary{
    .name = "summary",
    .summary = "A traced run in a few numbers",
    .details =
        R"(Calls and bytes of each layer, and bandwidths. Only data files count (regular files and block devices), and only ranks: what the launcher's
processes do is left out. A call inside another of its own layer is part of that one. Perceived bandwidth is bytes / mean over ranks of the
time inside the calls of the layer that the program used (MPI-IO if data went through it, else POSIX); effective bandwidth is bytes / sum over
all ranks, as if the calls had been made one after the other. What was not measured is `-` (null in JSON).)",
    .examples = "  fathom trace summary traced\n  fathom trace summary traced --format json",
    .declare = declare};
}  // namespace trace_commands
}  // namespace fathom
