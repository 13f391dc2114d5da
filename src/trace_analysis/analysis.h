// SPDX-License-Identifier: Apache-2.0
/// What every analysis of a trace is: a listener to its events, in order of time, each with its place among the calls around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "timeline/stretch.h"
#include "trace/trace.h"

namespace fathom::trace {

/// What the names of calls say.
enum CallTraits : std::uint8_t {
  collective = 1,    // every rank of the file takes part: _all, _ordered
  non_blocking = 2,  // returns before the data has moved: MPI_File_i..., ..._begin
  completes = 4,     // waits for one that did
  buffered = 8,      // of C's streams: what reaches the file system is another call
  mpi_setup = 16,    // MPI_Init, MPI_Finalize: calls inside are MPI's own affairs, and no total counts them
};
std::uint8_t traits_of(const Call& call);

/// An event and what analyses ask about it.
struct Seen {
  const Event& event;
  const Call& call;
  std::uint8_t traits = 0;
  bool counts = false;  // of a rank, on a file that holds data
  bool names = false;  // of a rank, on a file, a folder or a name of which the kind is not known: what a metadata server may be asked about
  bool top = false;    // in no other call on a file: what the program itself asked for; of MPI-IO and above only what moves or syncs data
  bool outermost = false;           // in no other call of the same interface: sums of time take each moment of a thread once
  std::uint64_t mpi_call = no_row;  // row of the MPI-IO call around it

  /// Read or write; waits of non-blocking calls have the direction of what they complete.
  std::optional<Direction> direction;
  /// Inside a POSIX call that does not move data this way: what copy_file_range writes, what was queued and is now waited for.
  bool other_data = false;
  bool moves() const { return call.operation == Operation::read || call.operation == Operation::write; }
  bool is(Interface interface) const { return call.interface == interface; }
  /// Stands for itself: in no other call of the same interface, or one that moves what that one does not.
  bool told() const { return outermost || other_data; }
  /// Every layer's calls return what they moved.
  std::uint64_t bytes_moved() const { return moves() ? event.moved() : 0; }
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual void take(const Seen& seen) = 0;
  /// After the last event.
  virtual void finish() {}

 protected:
  Analysis() = default;
  Analysis(const Analysis&) = default;
  Analysis& operator=(const Analysis&) = default;
};

inline double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

}  // namespace fathom::trace
