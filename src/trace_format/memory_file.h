// SPDX-License-Identifier: Apache-2.0
/// The memory a traced process writes to: a file of node-local memory, so that it outlives the process, however that ends.
#pragma once

#include <atomic>
#include <cstdint>

#include "trace_format/record.h"

namespace fathom::trace {

inline constexpr std::uint32_t memory_magic = 0x4d4d5446;  // "FTMM"
inline constexpr std::uint32_t chunk_magic = 0x4b435446;   // "FTCK"
inline constexpr std::uint32_t format_version = 1;

/// A reading of three clocks at one moment.
struct ClockPair {
  std::uint64_t ticks;     // what records hold
  std::int64_t monotonic;  // nanoseconds
  std::int64_t realtime;   // nanoseconds since the Unix epoch
};

enum class ClockKind : std::uint32_t { tsc = 1, monotonic_ns = 2 };

/// The first page; then the process's description as text lines "key=value", then chunks.
struct ProcessHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t process;  // unique in the run
  std::uint32_t pid;
  ClockKind clock;
  ClockPair start;           // when the tracer came to life in the process
  ClockPair end;             // when it ended well; ticks 0: not yet
  std::uint64_t zero_ticks;  // after MPI_Init's barrier; 0: none
  std::uint64_t last_ticks;  // after MPI_Finalize's barrier; 0: none
  std::int32_t rank;         // -1: none
  std::int32_t ranks;
  std::atomic<std::uint32_t> chunks;        // that exist
  std::atomic<std::uint32_t> wake;          // changes when the drainer has work, or has made room
  std::atomic<std::uint64_t> waits;         // times a thread found no room and waited
  std::atomic<std::uint64_t> lost;          // records that could not be kept
  std::atomic<std::uint64_t> written;       // bytes that went to the trace
  std::atomic<std::uint64_t> drainer_ns;    // processor time of the background thread
  std::atomic<std::uint32_t> text_bytes;    // of the description
  std::atomic<std::uint32_t> text_changes;  // counts up when the description or the clocks changed
  std::atomic<std::uint32_t> finished;      // 1: it ended well; 2: the tracer stepped aside, what is left is not wanted
  char output[512];                         // the file that blocks are added to; empty: not yet decided
};

inline constexpr std::size_t text_at = 1024;
inline constexpr std::size_t text_capacity = 16384 - text_at;
inline constexpr std::size_t first_chunk_at = 16384;
inline constexpr std::size_t chunk_bytes = 256 << 10;
inline constexpr std::uint32_t most_chunks = 4096;
static_assert(sizeof(ProcessHeader) <= text_at);

enum class ChunkState : std::uint32_t { free = 0, filling = 1, full = 2, draining = 3, slices = 4 };  // slices: it holds a SliceBoard

struct ChunkHeader {
  std::uint32_t magic;
  std::atomic<ChunkState> state;
  std::uint32_t thread;   // number in the process
  std::uint32_t used;     // slots taken when it became full
  std::uint64_t first;    // running number of its first slot in the thread
  std::uint64_t drained;  // slots that are in the trace already
  std::uint64_t reserved[4];
};
static_assert(sizeof(ChunkHeader) == 64);

inline constexpr std::uint32_t chunk_slots = (chunk_bytes - sizeof(ChunkHeader)) / sizeof(Record);

inline Record* slots_of(ChunkHeader* chunk) { return reinterpret_cast<Record*>(chunk + 1); }
inline const Record* slots_of(const ChunkHeader* chunk) { return reinterpret_cast<const Record*>(chunk + 1); }

}  // namespace fathom::trace
