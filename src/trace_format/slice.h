// SPDX-License-Identifier: Apache-2.0
/// Time slices: what a process did to files in each stretch of wall-clock time (LWM2). How they lie in memory and in a trace file.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "trace_format/memory_file.h"

namespace fathom::trace {

/// Regular files and block devices only. Bytes and calls are those of the POSIX layer, which all the others end in.
enum class SliceCounter : std::uint8_t {
  read_bytes, write_bytes,          // moved
  read_calls, write_calls,          // finished in the slice
  opens,                            // that worked
  other_calls,                      // close, seek, stat, sync, lock, ... and opens that failed
  io_time,                          // inside calls of any layer, each moment of a thread once; ticks in memory, nanoseconds in a trace
  read_time, write_time,            // inside reading and writing POSIX calls
  mpi_read_bytes, mpi_write_bytes,  // moved by MPI-IO calls
  mpi_time,                         // inside MPI-IO calls
};
inline constexpr std::size_t slice_counters = 12;
inline constexpr std::array<std::string_view, slice_counters> slice_counter_names = {
    "read_bytes", "write_bytes", "read_calls", "write_calls", "opens", "other_calls",
    "io_time", "read_time", "write_time", "mpi_read_bytes", "mpi_write_bytes", "mpi_time"};

using SliceValues = std::array<std::uint64_t, slice_counters>;

}  // namespace fathom::trace
