// SPDX-License-Identifier: Apache-2.0
/// Finds the whole blocks of a trace file, whatever stands between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace_format/block.h"

namespace fathom::trace {

inline constexpr std::uint32_t most_records = 1 << 16;  // of one block; tracers write fewer

/// One whole block: its checksum is right.
struct Block {
  BlockHeader header;
  const std::uint8_t* payload;
};

struct BlockScan {
  std::vector<Block> blocks;
  std::uint64_t torn_bytes = 0;    // that belong to no whole block
  std::uint64_t torn_places = 0;   // stretches of them
  std::uint64_t strange = 0;       // whole blocks of another version or an unknown kind: left out
  std::uint8_t other_version = 0;  // of the last of them; 0: all have this program's
};

/// Payloads stay where they are in `bytes`.
BlockScan scan_blocks(std::span<const std::uint8_t> bytes);

}  // namespace fathom::trace
