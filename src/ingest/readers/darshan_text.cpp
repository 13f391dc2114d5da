// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "base/text.h"
#include "ingest/darshan_run.h"
#include "ingest/reader.h"

namespace fathom {
namespace {

using slices::Counter;

struct Module {
  std::string_view name, prefix;
  bool mpi;
};
constexpr Module modules[] = {{"POSIX", "POSIX_", false}, {"STDIO", "STDIO_", false}, {"MPI-IO", "MPIIO_", true}};

enum Fact : std::size_t {
  bytes_read,
  bytes_written,
  reads,
  writes,
  opens,
  seeks,
  stats,
  fsyncs,
  fdsyncs,
  flushes,  // amounts
  read_start,
  read_end,
  write_start,
  write_end,
  open_start,
  close_end,  // seconds since the run's start
  read_time,
  write_time,
  meta_time,  // seconds
  fact_count
};
constexpr std::array<std::string_view, fact_count> fact_names = {"BYTES_READ",
                                                                 "BYTES_WRITTEN",
                                                                 "READS",
                                                                 "WRITES",
                                                                 "OPENS",
                                                                 "SEEKS",
                                                                 "STATS",
                                                                 "FSYNCS",
                                                                 "FDSYNCS",
                                                                 "FLUSHES",
                                                                 "F_READ_START_TIMESTAMP",
                                                                 "F_READ_END_TIMESTAMP",
                                                                 "F_WRITE_START_TIMESTAMP",
                                                                 "F_WRITE_END_TIMESTAMP",
                                                                 "F_OPEN_START_TIMESTAMP",
                                                                 "F_CLOSE_END_TIMESTAMP",
                                                                 "F_READ_TIME",
                                                                 "F_WRITE_TIME",
                                                                 "F_META_TIME"};

std::optional<Fact> fact_named(std::string_view name) {
  // Before Darshan 3.1.
  if (name == "F_OPEN_TIMESTAMP") return open_start;
  if (name == "F_CLOSE_TIMESTAMP") return close_end;
  const auto* const found = std::find(fact_names.begin(), fact_names.end(), name);
  if (found == fact_names.end()) return std::nullopt;
  return static_cast<Fact>(found - fact_names.begin());
}

/// What a module counted of one file and rank: some seventy lines that follow each other.
class RecordReader {
 public:
  RecordReader(DarshanRun& run, Harvest& harvest) : run_(run), harvest_(harvest) {}

  /// `POSIX	0	12998263815182938503	POSIX_READS	16	/scratch/in	/scratch	lustre`
  void line(std::string_view text, std::uint64_t number) {
    std::string_view rest = text;
    const std::string_view module = take_until(rest, '\t'), rank = take_until(rest, '\t'), record = take_until(rest, '\t');
    const std::string_view name = take_until(rest, '\t'), value = take_until(rest, '\t'), file = take_until(rest, '\t');
    const auto* const known = std::find_if(std::begin(modules), std::end(modules), [&](const Module& m) { return m.name == module; });
    if (known == std::end(modules)) return harvest_.leave_out("line of a module that is not used");
    if (value.empty() || !name.starts_with(known->prefix)) return harvest_.reject(number, text, "a line without counter and value");
    if (file == "<STDIN>" || file == "<STDOUT>" || file == "<STDERR>") return harvest_.leave_out("line of a standard stream");
    const auto unit = darshan_rank(rank);
    if (!unit) return harvest_.reject(number, text, "a rank that is no number");
    if (known != module_ || *unit != rank_ || record != record_) {
      end();
      module_ = known;
      rank_ = *unit;
      record_ = record;
      line_ = number;
    }
    const auto fact = fact_named(name.substr(known->prefix.size()));
    if (!fact || value == "-1") return;  // a counter that is not needed, or that Darshan could not watch
    const auto parsed = parse_double(value);
    if (!parsed || !(*parsed >= 0)) return harvest_.reject(number, text, "a value that is no number");
    values_[*fact] = *parsed;
    if (*fact < read_start) amounts_[*fact] = parse_u64(value).value_or(UINT64_MAX);
  }

  /// The record is complete.
  void end() {
    if (module_ == nullptr) return;
    if (!run_.has_start())
      harvest_.reject(line_, "", "a record before the line '# start_time:'");
    else if (!add())
      harvest_.reject(line_, "", "a record with more than a run may have");
    module_ = nullptr;
    values_ = {};
    amounts_ = {};
  }

 private:
  bool add() {
    const RunStretch there = stretch(open_start, close_end, run_.whole()), reading = stretch(read_start, read_end, there),
                     writing = stretch(write_start, write_end, there);
    const std::uint64_t first_read = amounts_[bytes_read], first_written = amounts_[bytes_written];
    if (module_->mpi) {
      add_time(reading, Counter::mpi_time, read_time);
      add_time(writing, Counter::mpi_time, write_time);
      add_time(there, Counter::mpi_time, meta_time);
      return run_.add(rank_, "", reading, Counter::mpi_read_bytes, first_read) &&
             run_.add(rank_, "", writing, Counter::mpi_write_bytes, first_written);
    }
    add_time(reading, Counter::read_time, read_time);
    add_time(writing, Counter::write_time, write_time);
    add_time(there, Counter::io_time, meta_time);
    bool fits = run_.add(rank_, "", reading, Counter::read_bytes, first_read) &&
                run_.add(rank_, "", writing, Counter::write_bytes, first_written) &&
                run_.add(rank_, "", reading, Counter::read_calls, amounts_[reads]) &&
                run_.add(rank_, "", writing, Counter::write_calls, amounts_[writes]) &&
                run_.add(rank_, "", there, Counter::opens, amounts_[opens]);
    for (const Fact other : {seeks, stats, fsyncs, fdsyncs, flushes})
      fits = fits && run_.add(rank_, "", there, Counter::other_calls, amounts_[other]);
    return fits;
  }

  /// From the first to the last moment that the record tells; `otherwise` where it tells none.
  RunStretch stretch(Fact begin, Fact end, RunStretch otherwise) const {
    const bool told = values_[end] && *values_[end] > 0;
    return told ? run_.stretch(values_[begin].value_or(0), values_[end]).value_or(otherwise) : otherwise;
  }

  void add_time(RunStretch over, Counter counter, Fact time) { run_.add_time(rank_, "", over, counter, values_[time].value_or(0)); }

  DarshanRun& run_;
  Harvest& harvest_;
  const Module* module_ = nullptr;
  std::int32_t rank_ = 0;
  std::string record_;
  std::uint64_t line_ = 0;
  std::array<std::optional<double>, fact_count> values_{};
  std::array<std::uint64_t, fact_count> amounts_{};
};

Result<void> read_records(LineInput& input, const ReadOptions& options, Harvest& harvest) {
  DarshanRun run(options, harvest);
  RecordReader records(run, harvest);
  TRY_VOID(for_each_darshan_line(
      input, options, harvest, run, [&](std::string_view line) { run.comment(line); },
      [&](std::string_view line, std::uint64_t number) { records.line(line, number); }));
  records.end();
  harvest.notice("darshan_text has totals alone: each file's bytes and calls are spread evenly from its first to its last access");
  return run.deliver(input.path());
}

bool recognises(std::string_view text, std::string_view) {
  return begins_as_darshan_log(text) && (text.find("\n# description of columns:") != std::string_view::npos ||
                                         text.find("\n#<module>\t<rank>\t") != std::string_view::npos);
}

}  // namespace

extern const Reader darshan_text;
constinit const Reader darshan_text{
    .name = "darshan_text",
    .summary = "Darshan: totals of every file of a job, as darshan-parser prints them",
    .details =
        "What `darshan-parser LOG.darshan` prints: for each file and rank how much was read and written, in how many calls, and when the "
        "first and the last of them "
        "were made. It becomes time slices of the job, as those of `fathom run`, in the store's tables `slices` and `traces`: `fathom "
        "criteria STORE --sliced`.\n\n"
        "**When things were done between the first and the last access is not in such a log.** Bytes and calls of a file are spread evenly "
        "over that time: totals, calls and mean request sizes are "
        "exact; rates, peaks and repetition are those of a program that does everything evenly, and say little. Use "
        "[darshan_dxt](darshan_dxt.md) where there is extended tracing. A file that all ranks share comes as one record (rank -1), "
        "and is one unit of its own, `all ranks`.\n\n"
        "Taken are POSIX and STDIO (bytes, reads, writes, opens; seeks, stats, syncs and flushes as other calls) and the bytes and times "
        "of MPI-IO; other modules, and the standard streams, are left out and counted. Opens and other calls are spread over the time "
        "that the file was open. A value of -1 is unknown. Slices are 4 s long, or `--step`. The job is found, or added, as with "
        "[darshan_dxt](darshan_dxt.md); such a log names no hosts.",
    .example =
        "# darshan log version: 3.41\n"
        "# exe: /home/ana/solver --steps 10\n"
        "# uid: 1001\n"
        "# jobid: 4711\n"
        "# start_time: 1700000000\n"
        "# end_time: 1700000020\n"
        "# nprocs: 2\n"
        "\n"
        "# description of columns:\n"
        "#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n"
        "POSIX\t0\t12998263815182938503\tPOSIX_WRITES\t8\t/scratch/out\t/scratch\tlustre\n"
        "POSIX\t0\t12998263815182938503\tPOSIX_BYTES_WRITTEN\t8388608\t/scratch/out\t/scratch\tlustre\n"
        "POSIX\t0\t12998263815182938503\tPOSIX_F_WRITE_START_TIMESTAMP\t2.000000\t/scratch/out\t/scratch\tlustre\n"
        "POSIX\t0\t12998263815182938503\tPOSIX_F_WRITE_END_TIMESTAMP\t10.000000\t/scratch/out\t/scratch\tlustre\n",
    .recognises = recognises,
    .read = read_records};

}  // namespace fathom
