// SPDX-License-Identifier: Apache-2.0
/// The bursts that a store keeps, block by block, so that old counters are never read again.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "mine/burst_log.h"
#include "store/store.h"

namespace fathom::mine {

struct BlockName {
  std::string filesystem;
  std::int32_t day = 0;
  auto operator<=>(const BlockName&) const = default;
};

struct Block {
  BlockName name;
  std::string inputs;  // see inputs_of
  Duration step{};     // 0: nothing was measured
  BlockBursts found;
};

/// File systems whose servers are mined: all of them, or servers' totals where there is nothing else.
Result<std::vector<std::string>> mined_filesystems(const Snapshot& snapshot, Database& database);
/// The blocks that the store's counters make, in order: one for each day that has some, and what the last day's evening has of the next.
std::vector<BlockName> blocks_of(const Snapshot& snapshot, const std::vector<std::string>& filesystems);
/// What a block is made from, as a hash of the segments.
std::string inputs_of(const Snapshot& snapshot, const BlockName& name);

/// Reads the counters of a day's block and looks for bursts, in each of the file systems.
Result<std::vector<Block>> find_blocks(const Snapshot& snapshot, Database& database, const std::vector<std::string>& filesystems,
                                       std::int32_t day);

/// All blocks that the store has, in order.
Result<std::vector<Block>> read_blocks(const Snapshot& snapshot, Database& database);
/// Replaces what the store has of the blocks' days; `blocks` has all that these days keep.
Result<void> write_blocks(Transaction& transaction, const std::vector<Block>& blocks, const std::vector<std::int32_t>& days);

/// One log for each file system and direction, in order. The step is the one that most of the blocks have.
std::vector<BurstLog> logs_of(const std::vector<Block>& blocks);
/// Hash of what was found in a block, whatever it was found from.
std::uint64_t content_of(const Block& block);

std::string pack_blocks(const std::vector<Block>& blocks);
Result<std::vector<Block>> unpack_blocks(std::string_view bytes);

inline constexpr std::string_view direction_names[] = {"read", "write"};

}  // namespace fathom::mine
