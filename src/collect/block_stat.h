// SPDX-License-Identifier: Apache-2.0
/// The statistics of one block device, as the kernel writes them below /sys/block.
#pragma once

#include <optional>
#include <string_view>

#include "model/counters.h"

namespace fathom {

struct BlockStat {
  static constexpr CounterMask has = byte_counters | mask(Counter::read_ops) | mask(Counter::write_ops);
  Counters values{};
};

/// The one line of a `stat` file; nothing where it is not one.
std::optional<BlockStat> parse_block_stat(std::string_view text);

}  // namespace fathom
