// SPDX-License-Identifier: Apache-2.0
/// What a trace file is made of: blocks that each stand alone, so that any whole one can be read whatever became of the others.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

inline constexpr std::uint8_t block_version = 2;          // 1 had records in compressed planes
inline constexpr std::uint32_t block_magic = 0x31425446;  // "FTB1"

enum class BlockKind : std::uint8_t {
  process = 1,  // text "key=value" lines: who, where, when, clocks; a later one of a process replaces an earlier one
  calls = 2,    // text: "number name interface operation" lines: what the numbers of calls mean
  records = 3,  // records of one thread, in columns
  slices = 4,   // time slices of a process (slice.h); `first` is the block's running number in the process
};

/// In front of each block; little-endian. The payload follows at once.
struct BlockHeader {
  std::uint32_t magic;
  BlockKind kind;
  std::uint8_t version;
  std::uint16_t header_bytes;
  std::uint32_t payload_bytes;
  std::uint32_t definition_bytes;  // of the payload, at its start: the definitions, which can be read without the records
  std::uint64_t process;
  std::uint32_t thread;
  std::uint32_t records;     // that are calls
  std::uint64_t first;       // running number of the first slot of the thread that is in here
  std::uint32_t slots;       // slots of the thread it stands for, definitions included
  std::uint32_t tick_shift;  // times are kept in units of 2^tick_shift ticks
  std::uint64_t base;        // start of the first record, in those units
  std::uint64_t earliest;    // least start, greatest end
  std::uint64_t latest;
  std::uint64_t checksum;  // XXH3 of the header with this field zero, then the payload
};
static_assert(sizeof(BlockHeader) == 80);

inline constexpr std::size_t largest_payload = 4 << 20;

/// XXH3 over header (checksum taken as 0) and payload.
std::uint64_t checksum_of(BlockHeader header, const void* payload);

/// Puts the header in front of a payload that stands at `out + sizeof header` up to `end`; gives the bytes of the whole block.
std::size_t finish_block(BlockHeader header, std::uint8_t* out, const std::uint8_t* end);

}  // namespace fathom::trace
