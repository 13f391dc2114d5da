// SPDX-License-Identifier: Apache-2.0
/// The bursts of a file system in one direction, day by day, with what each server says of them: all that mining ever reads again.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "mine/traffic_matrix.h"

namespace fathom::mine {

struct KnownBurst {
  Time start{}, end{};
  double height = 0;      // bytes per second of all servers over their common background, as `fathom bursts` says it
  double area = 0;        // bytes, likewise
  double background = 0;  // bytes per second
  // Of the servers that take part, each over its own background:
  std::uint32_t servers = 0;  // how many; 0: none could be told
  double own_height = 0;      // bytes per second of the highest slot
  double own_area = 0;        // bytes
};

/// A stretch of time in which bursts can be seen.
struct Stretch {
  Time from{}, to{};
};

struct BurstLog {
  std::string filesystem;
  std::size_t direction = 0;  // 0: read, 1: written
  Duration step{};
  std::vector<KnownBurst> bursts;  // by their start
  std::vector<Stretch> seen;       // measured time, in order, apart
};

/// Bursts of one block of time [from, to) of a matrix that reaches `block_context` beyond it on both sides where there are data. The block
/// and its surroundings decide alone: whoever comes to a block, in whatever order, finds the same.
struct BlockBursts {
  std::array<std::vector<KnownBurst>, 2> bursts;  // read, written; those that start in the block
  std::array<std::vector<Stretch>, 2> seen;       // within the block
};
inline constexpr Duration block_length{std::int64_t{86'400} * 1'000'000};
inline constexpr Duration block_context{std::int64_t{2} * 3600 * 1'000'000};

Result<BlockBursts> bursts_of_block(const TrafficMatrix& matrix, Time from, Time to);

}  // namespace fathom::mine
