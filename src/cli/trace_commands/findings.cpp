// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"
#include "trace_analysis/finding.h"

namespace fathom {
namespace {

using namespace trace;

std::string finding_text(const Trace& trace, const std::vector<Finding>& findings) {
  if (findings.empty()) return "nothing found that is worth a change\n";
  std::string text;
  for (const Finding& f : findings) {
    text += fmt::format("{}{} [{}] {}: {} of the I/O time\n", text.empty() ? "" : "\n", f.kind->name,
                        severity_names[static_cast<std::size_t>(f.severity)], f.file == no_file ? "all files" : trace.files[f.file].path,
                        human_percent(f.share_of_time));
    text += fmt::format("  {}\n  seen:   {}\n  advice: {}\n", f.kind->what, f.evidence, f.kind->advice);
    if (!f.kind->hint.empty()) text += fmt::format("  hint:   {}\n", f.kind->hint);
    text += fmt::format("  where:  {}\n", f.kind->where);
  }
  return text;
}

Result<void> run(const std::string& directory, const OutputOptions& output) {
  TRY(const Trace trace, open_and_tell(directory));
  FactsAnalysis facts(trace);
  ConcurrencyAnalysis concurrency(Interface::posix);
  TRY_VOID(walk_with_progress(trace, {&facts, &concurrency}));
  const std::vector<Finding> findings = find_all({trace, facts.facts(), concurrency.files()});
  return output.format == "table" ? write_text(finding_text(trace, findings), output) : write_table(finding_table(trace, findings), output);
}

}  // namespace

namespace trace_commands {
extern const Command findings;
constinit const Command findings{
    .name = "findings",
    .summary = "What should be changed, with evidence and the hint to set",
    .details =
        R"(Looks for data sieving in writes, small strided writes to shared files, queues for a shared file, uneven ranks, tiny requests, repeated and
many opens, re-reads, unaligned requests and storms of fsync. Each finding says what was seen, how much of it and what to do. Told
is only what takes at least 5 % of the I/O time of all ranks, 1 ms in all, and 0.01 % of the run; each kind has its own threshold
beside that (docs/tracing-analyses.md).)",
    .examples = "  fathom trace findings traced\n  fathom trace findings traced --format json",
    .declare = [](CommandLine& line) { return declare_list(line, run); }};
}  // namespace trace_commands
}  // namespace fathom
