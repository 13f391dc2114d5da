// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "ingest/darshan_run.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

using slices::Counter;

constexpr std::uint64_t longest_call = std::uint64_t{1} << 50;  // bytes
constexpr std::size_t longest_host = 255;

/// Reads segments: ` X_POSIX       0  write        0               0              30      0.0018      0.0018`.
class SegmentReader {
 public:
  SegmentReader(DarshanRun& run, Harvest& harvest) : run_(run), harvest_(harvest) {}

  /// `# DXT, rank: 1, hostname: node7`: of the segments that follow.
  void comment(std::string_view line) {
    constexpr std::string_view mark = ", hostname: ";
    const std::size_t at = line.find(mark);
    if (line.starts_with("# DXT, rank: ") && at != std::string_view::npos)
      host_ = as_utf8(trim(line.substr(at + mark.size())).substr(0, longest_host));
    run_.comment(line);
  }

  void line(std::string_view text, std::uint64_t number) {
    std::string_view rest = text;
    const std::string_view module = take_word(rest);
    const bool posix = module == "X_POSIX";
    if (!posix && module != "X_MPIIO") return harvest_.leave_out("line that is no segment");
    const auto rank = darshan_rank(take_word(rest));
    const std::string_view direction = take_word(rest);
    take_word(rest);  // number of the segment
    take_word(rest);  // offset
    const auto bytes = parse_u64(take_word(rest));
    const auto begin = parse_double(take_word(rest)), end = parse_double(take_word(rest));
    const bool writes = direction == "write";
    if (!rank || (!writes && direction != "read")) return harvest_.reject(number, text, "a segment without rank and direction");
    if (!bytes || *bytes > longest_call) return harvest_.reject(number, text, "a length that is no number of bytes");
    const auto stretch = run_.stretch(begin, end);
    if (!stretch)
      return harvest_.reject(number, text,
                             run_.has_start() ? "start and end are no times of the run" : "a segment before the line '# start_time:'");
    if (!add(*rank, *stretch, posix, writes, *bytes)) harvest_.reject(number, text, "more bytes than a run may have");
  }

 private:
  bool add(std::int32_t rank, RunStretch stretch, bool posix, bool writes, std::uint64_t bytes) {
    const Counter moved =
        posix ? (writes ? Counter::write_bytes : Counter::read_bytes) : (writes ? Counter::mpi_write_bytes : Counter::mpi_read_bytes);
    if (!run_.add(rank, host_, stretch, moved, bytes)) return false;
    run_.add_time(rank, host_, stretch,
                  !posix   ? Counter::mpi_time
                  : writes ? Counter::write_time
                           : Counter::read_time,
                  static_cast<double>(stretch.end - stretch.begin) / 1e9);
    // A call counts in the slice in which it ended.
    const std::int64_t ended = std::max(stretch.begin, stretch.end - 1);
    return !posix || run_.add(rank, host_, {ended, ended}, writes ? Counter::write_calls : Counter::read_calls, 1);
  }

  DarshanRun& run_;
  Harvest& harvest_;
  std::string host_;
};

Result<void> read_segments(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  DarshanRun run(options, harvest);
  SegmentReader segments(run, harvest);
  TRY_VOID(for_each_darshan_line(
      input, options, harvest, run, [&](std::string_view line) { segments.comment(line); },
      [&](std::string_view line, std::uint64_t number) { segments.line(line, number); }));
  return run.deliver(input.path());
}

/// The header is that of darshan-parser too, which goes on with a description of its columns.
bool recognises(std::string_view text, std::string_view) {
  return begins_as_darshan_log(text) &&
         (text.find("\n# DXT, ") != std::string_view::npos || text.find("\n# DXT_") != std::string_view::npos) &&
         text.find("\n# description of columns:") == std::string_view::npos;
}

}  // namespace

extern const Reader darshan_dxt;
constinit const Reader darshan_dxt{
    .name = "darshan_dxt",
    .summary = "Darshan: single reads and writes of a job, as darshan-dxt-parser prints them",
    .details =
        "What `darshan-dxt-parser LOG.darshan` prints of a log with Darshan's extended tracing (DXT): every read and write of every rank, "
        "with its "
        "length, begin and end. It becomes time slices of the job, as those of `fathom run`, in the store's tables `slices` and `traces`: "
        "`fathom criteria STORE --sliced`. A call's bytes and time are spread evenly over the slices that it ran in; the call itself "
        "counts in the slice in "
        "which it ended. X_POSIX gives bytes and calls, X_MPIIO the columns of MPI-IO. Slices are 4 s long, or `--step`.\n\n"
        "DXT knows nothing of opens, closes and other calls: those columns are 0, and `fathom criteria` leaves the opens empty. The time "
        "inside calls is that of reads and writes alone, "
        "or of MPI-IO calls if that is more. "
        "Times are printed to 0.1 ms, and count from the line `# start_time:`, which has whole seconds: slices of several jobs may be "
        "shifted against each other by up to a second.\n\n"
        "The job is the one of `# jobid:` (`--job` names another). If the store, or another file of the same ingest, knows a job of that "
        "id that ran at the time, the slices are linked to it; else the "
        "job is added as the log tells it: user, program, hosts, begin and end. So give the batch system's log first, or together with "
        "these.",
    .example =
        "# darshan log version: 3.41\n"
        "# exe: /home/ana/solver --steps 10\n"
        "# uid: 1001\n"
        "# jobid: 4711\n"
        "# start_time: 1700000000\n"
        "# end_time: 1700000020\n"
        "# nprocs: 2\n"
        "# run time: 20.0000\n"
        "\n"
        "# DXT, file_id: 12998263815182938503, file_name: /scratch/ana/out\n"
        "# DXT, rank: 0, hostname: node7\n"
        "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)\n"
        " X_POSIX       0  write        0               0         8388608      2.0000     10.0000\n"
        " X_POSIX       0   read        0               0         1048576     11.5000     11.6000  [12]\n",
    .recognises = recognises,
    .read = read_segments};

}  // namespace fathom
