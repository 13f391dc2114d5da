// SPDX-License-Identifier: Apache-2.0
/// A traced run: who took part, which files there were, what the numbers of calls mean; and a way through all its events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/event.h"
#include "trace/slice_rows.h"

namespace fathom::trace {

struct Call {
  std::string name;
  Interface interface = Interface::posix;
  Operation operation = Operation::control;
};

struct Process {
  std::uint64_t id = 0;
  std::uint32_t pid = 0, parent_pid = 0;
  std::int32_t rank = -1;  // -1: not part of an MPI job
  std::uint32_t unit = 0;  // place in Trace::units
  std::string host, executable, command, directory, job, job_source, user;
  std::int64_t start = 0, end = 0;  // nanoseconds since the epoch
  bool ended_well = false;          // false: killed, or still running
  std::uint64_t lost = 0, waits = 0;
  bool has_slices = false;
};

/// What criteria call a unit: an MPI rank (with what it started), or a process where there are no ranks.
/// Where there are ranks, processes without one (mpiexec, proxies) belong to the launcher: a unit with `launcher` set, which totals leave
/// out.
struct Unit {
  std::int32_t rank = 0;
  bool launcher = false;
  std::string host;
  std::int64_t start = 0, end = 0;
};

/// A file by what it is (device and inode where they are known, else its name), with the name it was first opened by.
struct File {
  std::string path;  // absolute
  FileKind kind = FileKind::unknown;
  std::int64_t size_at_open = -1;
  std::vector<std::string> hints;  // "key=value" in force after MPI_File_open
  /// Regular files and block devices are data; pipes, sockets, terminals and /proc are listed, but no total counts them.
  bool is_data() const { return kind == FileKind::regular || kind == FileKind::block; }
};

struct Trouble {  // something of the trace that could not be read; counted and shown
  std::string what, where;
  std::uint64_t count = 1;
};

struct Trace {
  std::filesystem::path directory;
  std::vector<Call> calls;
  std::vector<Process> processes;
  std::vector<Unit> units;  // ranks in order, or processes in order of their start; launchers last
  std::vector<File> files;
  std::vector<std::string> notes;  // what the tracer could not see
  std::vector<Trouble> troubles;
  std::uint64_t records = 0;
  std::int64_t start = 0, end = 0;  // earliest process start, latest exit
  double clock_drift = 0;           // largest disagreement of hosts at MPI_Finalize's barrier, seconds
  std::uint32_t ranks() const;      // units that are no launchers

  struct Blocks;  // where the records are; known to the reader only
  std::shared_ptr<const Blocks> blocks;
};

/// False: its units are processes, of which some (shells, helpers) have no part in the work.
bool has_mpi_ranks(const Trace& trace);

/// Reads all but the records.
Result<Trace> open_trace(const std::filesystem::path& directory);

/// The time slices of one of its processes, by its place in Trace::processes.
SliceRows slices_of(const Trace& trace, std::size_t process);

/// All events in order of time (start; of equal ones the enclosing call first), a piece at a time. Holds no more than what is in flight.
class EventStream {
 public:
  explicit EventStream(const Trace& trace);
  ~EventStream();
  /// The next events; empty at the end. Valid until the next call.
  Result<std::span<const Event>> next();
  /// Blocks met so far whose checksum was right and whose content was not: left out.
  std::uint64_t unreadable_blocks() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom::trace
