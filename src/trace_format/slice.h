// SPDX-License-Identifier: Apache-2.0
/// Time slices: what a process did to files in each stretch of wall-clock time (LWM2). How they lie in memory and in a trace file.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "trace_format/block.h"
#include "trace_format/memory_file.h"

namespace fathom::trace {

/// Regular files and block devices only. Bytes and calls are those of the POSIX layer, which all the others end in.
enum class SliceCounter : std::uint8_t {
  read_bytes,
  write_bytes,  // moved
  read_calls,
  write_calls,  // finished in the slice
  opens,        // that worked
  other_calls,  // close, seek, stat, sync, lock, ... and opens that failed
  io_time,      // inside calls of any layer, each moment of a thread once; ticks in memory, nanoseconds in a trace
  read_time,
  write_time,  // inside reading and writing POSIX calls
  mpi_read_bytes,
  mpi_write_bytes,  // moved by MPI-IO calls
  mpi_time,         // inside MPI-IO calls
};
inline constexpr std::size_t slice_counters = 12;
inline constexpr std::array<std::string_view, slice_counters> slice_counter_names = {
    "read_bytes", "write_bytes", "read_calls", "write_calls",    "opens",           "other_calls",
    "io_time",    "read_time",   "write_time", "mpi_read_bytes", "mpi_write_bytes", "mpi_time"};

__extension__ typedef unsigned __int128 Wide;

using SliceValues = std::array<std::uint64_t, slice_counters>;

/// True of the counters that a call which takes long shares out over the slices it ran in; the others count it where it ended.
inline constexpr bool shared_out(std::size_t counter) {
  const auto c = static_cast<SliceCounter>(counter);
  return c != SliceCounter::read_calls && c != SliceCounter::write_calls && c != SliceCounter::opens && c != SliceCounter::other_calls;
}
inline constexpr bool is_time(std::size_t counter) {
  const auto c = static_cast<SliceCounter>(counter);
  return c == SliceCounter::io_time || c == SliceCounter::read_time || c == SliceCounter::write_time || c == SliceCounter::mpi_time;
}

/// What was done in slice `number`: the wall-clock time [number * length, (number + 1) * length).
struct SliceRow {
  std::int64_t number = 0;
  SliceValues values{};
};

/// The wall clock was set: `at` in Unix nanoseconds by the clock as it was, `by` nanoseconds forward.
struct ClockStep {
  std::int64_t at = 0;
  std::int64_t by = 0;
};

/// Where one thread counts. Only that thread changes `values` and `number`, and never while they hold what is not yet `moved`
/// without the board's lock; whoever has the lock may take `values - moved` to the ring and note it in `moved`.
struct alignas(64) SliceLane {
  std::atomic<std::uint32_t> taken;
  std::uint32_t reserved;
  std::int64_t number;
  SliceValues values;
  SliceValues moved;
};
static_assert(sizeof(SliceLane) == 256);

inline constexpr std::int64_t shortest_slice = 100'000'000;  // nanoseconds
inline constexpr std::uint32_t ring_slices = 256;
inline constexpr std::uint32_t most_steps = 16;
inline constexpr std::uint32_t slice_lanes = 896;

/// All slices of a process that are not in its trace file yet. Lies behind the header of a chunk in state `slices`.
struct SliceBoard {
  std::int64_t length;   // of a slice, nanoseconds
  std::uint64_t scale;   // nanoseconds per tick, times 2^32
  std::uint64_t blocks;  // written so far: the ring's content is to become the one with this number
  std::uint64_t steps;   // clock steps since the last block
  ClockStep step[most_steps];
  std::uint64_t used[ring_slices / 64];  // bits: places of the ring that hold something
  SliceRow ring[ring_slices];            // by number % ring_slices; times in ticks
  SliceLane lanes[slice_lanes];
};
static_assert(sizeof(ChunkHeader) + sizeof(SliceBoard) <= chunk_bytes);

/// Blocks of the ring are numbered from 0; one of what lanes still hold, left by a process that was killed, has this bit in its number.
inline constexpr std::uint64_t block_of_lanes = 1ull << 63;

/// What the ring holds, and what lanes hold that is not in it. `rows` has room for `ring_slices` or `slice_lanes`; gives their number.
std::uint32_t ring_rows(const SliceBoard& board, SliceRow* rows);
std::uint32_t lane_rows(const SliceBoard& board, SliceRow* rows);

/// Room that a block of so many rows needs.
inline constexpr std::size_t slice_block_bound(std::size_t rows) { return 1024 + rows * 160; }

/// Payload: varint length of a slice; varint number of steps, each zigzag at, zigzag by; then rows: zigzag distance of the slice's number
/// to the one before, varint of bits for the counters that are not 0, and those as varints. Rows of several blocks add up. Gives the bytes
/// of the whole block at `out`. Times of `rows` are ticks. The caller has set process and first.
std::size_t encode_slice_block(BlockHeader header, const SliceBoard& board, const SliceRow* rows, std::uint32_t count, std::uint8_t* out);

}  // namespace fathom::trace
