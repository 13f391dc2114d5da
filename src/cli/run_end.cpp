// SPDX-License-Identifier: Apache-2.0
#include "cli/run_end.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/talk.h"
#include "base/units.h"
#include "slices/profile.h"
#include "trace_analysis/summary.h"
#include "trace_analysis/walk.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string read_and_written(std::uint64_t read, std::uint64_t reads, std::uint64_t written, std::uint64_t writes) {
  return fmt::format("{} read in {}, {} written in {}", human_bytes(static_cast<double>(read)), counted(reads, "call"),
                     human_bytes(static_cast<double>(written)), human_count(writes));
}

/// The second line: what moved. Traces of very long runs are not read for it.
std::string moved_line(const fs::path& directory) {
  constexpr std::uint64_t most_records = 20'000'000;
  const auto trace = trace::open_trace(directory);
  if (!trace) return "no calls were recorded";
  if (trace->records > most_records)
    return fmt::format("{} of {}", counted(trace->records, "call"), counted(trace->processes.size(), "process"));
  trace::SummaryAnalysis analysis(*trace);
  if (const auto walked = trace::walk_trace(*trace, {&analysis}); !walked) return "the trace cannot be read: " + walked.error().message;
  const trace::Summary& summary = analysis.summary();
  std::string line =
      fmt::format("{} of {} on {}", counted(summary.events, "call"), counted(summary.processes, "process"), counted(summary.files, "file"));
  for (const auto interface : {trace::Interface::mpiio, trace::Interface::posix}) {
    const trace::LayerTotals& layer = summary.layers[static_cast<std::size_t>(interface)];
    if (!layer.moved_data()) continue;
    line += fmt::format("; {}: {}", trace::interface_names[static_cast<std::size_t>(interface)],
                        read_and_written(layer.bytes[0], layer.transfers[0], layer.bytes[1], layer.transfers[1]));
  }
  return line;
}

/// The same from slices alone.
std::string sliced_line(const fs::path& directory) {
  const auto profile = slices::read_profile(directory);
  if (!profile) return "nothing was recorded";
  slices::Values sum{};
  std::uint64_t slices = 0;
  for (const slices::Process& process : profile->processes) {
    slices += process.slices.size();
    for (const slices::Slice& slice : process.slices)
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += slice.values[c];
  }
  using slices::Counter, slices::value_of;
  return fmt::format("{} of {:g} s by {}; {}", counted(slices, "slice"), static_cast<double>(profile->length) / 1e9,
                     counted(profile->processes.size(), "process"),
                     read_and_written(value_of(sum, Counter::read_bytes), value_of(sum, Counter::read_calls),
                                      value_of(sum, Counter::write_bytes), value_of(sum, Counter::write_calls)));
}

}  // namespace

void print_run_end(const TracedCommand& command, const TracedOutcome& outcome) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(command.directory, problem))
    if (entry.path().extension() == ".fathom") bytes += entry.file_size(problem);
  const std::string shown = fs::relative(command.directory, problem).string();
  const std::string& name = shown.starts_with("..") ? command.directory.string() : shown;
  std::string how =
      outcome.exit_code > 128 ? fmt::format("ended by signal {}", outcome.exit_code - 128) : fmt::format("exit code {}", outcome.exit_code);
  if (!outcome.incomplete.empty()) how += "; the trace is not complete";
  tell("fathom: ran {:.3f} s, {}; {} of {} in {}\n", static_cast<double>(outcome.end - outcome.start) / 1e9, how,
       human_bytes(static_cast<double>(bytes)), command.trace ? "trace" : "slices", name);
  tell("fathom: {}{}\n", command.alone ? "" : "so far ",
       command.trace ? moved_line(command.directory) : sliced_line(command.directory));  // other ranks may still run
  if (command.trace)
    tell("fathom: next: fathom trace summary {0}, fathom trace findings {0}{1}\n", name,
         command.slices ? fmt::format(", fathom slices {}", name) : "");
  else
    tell("fathom: next: fathom slices {}\n", name);
}

}  // namespace fathom
