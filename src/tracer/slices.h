// SPDX-License-Identifier: Apache-2.0
/// Counting calls into time slices: a few additions per call, in memory that only the thread itself writes to.
#pragma once

#include <cstdint>

#include "trace_format/call.h"
#include "trace_format/slice.h"
#include "tracer/clock.h"

namespace fathom::trace {

/// Of an object's number: a pipe, a terminal, a folder, /proc; no file of a file system. Not part of what is recorded.
inline constexpr std::uint32_t no_data = 1u << 31;

/// A thread's part; plain data, zero to begin with.
struct SliceState {
  std::uint64_t start, end;  // ticks between which `values` are the right ones; both 0: ask
  std::uint64_t* values;     // of its lane
  SliceLane* lane;
  bool uncounted;  // in MPI_Init or MPI_Finalize: what MPI does for itself is not the program's I/O
  bool ended;      // the thread's end was seen: it gets no lane any more
};

/// What a finished call adds to which counters.
template <class Add>
inline void each_count(CallId call, Span time, std::int64_t result, bool outermost, Add&& add) {
  const CallInfo& info = all_calls[static_cast<std::size_t>(call) - first_call];
  const std::uint64_t ticks = time.end - time.start, moved = result > 0 ? static_cast<std::uint64_t>(result) : 0;
  const bool moves = info.operation == Operation::read || info.operation == Operation::write;
  const auto directed = [&](SliceCounter reading) {
    return static_cast<SliceCounter>(static_cast<int>(reading) + (info.operation == Operation::write));
  };
  if (info.interface == Interface::posix) {
    if (moves) {
      add(directed(SliceCounter::read_bytes), moved);
      add(directed(SliceCounter::read_calls), 1);
      add(directed(SliceCounter::read_time), ticks);
    } else {
      add(info.operation == Operation::open && result >= 0 ? SliceCounter::opens : SliceCounter::other_calls, 1);
    }
  } else if (info.interface == Interface::mpiio) {
    if (moves) add(directed(SliceCounter::mpi_read_bytes), moved);
    add(SliceCounter::mpi_time, ticks);
  }
  if (outermost) add(SliceCounter::io_time, ticks);
}

/// When the slice is not the one before, or the call began in an earlier one, or nothing is known yet.
void count_slowly(CallId call, Span time, std::int64_t result, bool outermost);

/// `alive`: the process is set up, so that the lane is there.
inline void count(const SliceState& state, bool alive, CallId call, Span time, std::int64_t result, bool outermost) {
  if (__builtin_expect(time.end >= state.end || time.start < state.start || !alive, 0)) return count_slowly(call, time, result, outermost);
  // One instruction each, which a signal handler cannot split.
  each_count(call, time, result, outermost, [&](SliceCounter counter, std::uint64_t more) {
    __asm__("addq %1, %0" : "+m"(state.values[static_cast<std::size_t>(counter)]) : "er"(more) : "cc");
  });
}

/// Makes the board in the process's memory file. False if there is no room.
bool start_slices();
/// In a forked child: the parent's board is not there.
void forget_slices();
/// This thread ends: what it counted goes to the ring, its lane to the next one.
void leave_lane();
/// Writes all slices to the trace.
void flush_slices();

}  // namespace fathom::trace
