// SPDX-License-Identifier: Apache-2.0
// The one list of the words after `fathom trace`: a new one is its own file in this folder and its name here.
#include "cli/trace_commands/trace_commands.h"

#include <fmt/format.h>

#include "base/talk.h"

namespace fathom {
namespace trace_commands {
extern const Command summary, bandwidth, decompose, locks, concurrency, findings, criteria, compare, files, events,
    export_;  // export_ is in export.cpp: the word itself belongs to the language
}

std::span<const Command* const> all_trace_commands() {
  using namespace trace_commands;
  static const Command* const all[] = {&summary,  &bandwidth, &decompose, &locks,  &concurrency, &findings,
                                       &criteria, &compare,   &files,     &events, &export_};
  return all;
}

std::shared_ptr<std::string> add_trace_argument(CommandLine& line) {
  auto directory = std::make_shared<std::string>();
  line.add_option("DIR", *directory, "the directory that fathom run wrote").required();
  return directory;
}

std::function<Result<void>()> declare_list(CommandLine& line,
                                           Result<void> (*run)(const std::string& directory, const OutputOptions& output)) {
  auto directory = add_trace_argument(line);
  auto output = add_output_options(line);
  return [=] { return run(*directory, *output); };
}

Result<trace::Trace> open_and_tell(const std::string& directory) {
  TRY(trace::Trace opened, trace::open_trace(directory));
  for (const trace::Trouble& trouble : opened.troubles) {
    const std::string times = trouble.count > 1 ? fmt::format(" ({} times)", trouble.count) : "";
    tell("fathom: {}: {}{}\n", trouble.where, trouble.what, times);
  }
  return opened;
}

}  // namespace fathom
