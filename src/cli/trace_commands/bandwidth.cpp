// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/bandwidth.h"

#include "cli/output.h"
#include "cli/trace_commands/trace_commands.h"
#include "cli/trace_walk.h"

namespace fathom {
namespace {

using namespace trace;

Result<void> run(const std::string& directory, const OutputOptions& output) {
  TRY(const Trace trace, open_and_tell(directory));
  BandwidthAnalysis analysis(trace);
  TRY_VOID(walk_with_progress(trace, {&analysis}));
  return write_table(bandwidth_table(trace, analysis, output.format == "table"), output);
}

}  // namespace

namespace trace_commands {
extern const Command bandwidth;
constinit const Command bandwidth{
    .name = "bandwidth",
    .summary = "Bandwidths as the program, MPI and the file system see them",
    .details =
        R"(Two rows, read and write, for all files together and for each file. perceived: bytes / mean over ranks of the time inside MPI-IO
calls (POSIX calls where there is no MPI-IO), over all ranks of an MPI program, or over those that used the file (without MPI: over the
processes that made such calls). effective: bytes / sum over ranks of
the time inside the calls, as if they were made one after the other. span: bytes / (last end - first start), computation included.
Time of a non-blocking call is its own and that of the waits that complete it. lower_bound: perceived <= bytes per second while POSIX calls
were under way; upper_bound: that <= effective_posix x ranks. Data sieving, threads and non-blocking calls can break them.)",
    .examples = "  fathom trace bandwidth traced\n  fathom trace bandwidth traced --format json",
    .declare = [](CommandLine& line) { return declare_list(line, run); }};
}  // namespace trace_commands
}  // namespace fathom
