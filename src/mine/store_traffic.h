// SPDX-License-Identifier: Apache-2.0
/// The traffic of a file system's servers in one block of time, as a store has it.
#pragma once

#include <string>
#include <vector>

#include "mine/burst_log.h"
#include "mine/traffic_matrix.h"
#include "store/store.h"

namespace fathom::mine {

/// A block is named by the UTC day that most of it lies in. It begins `block_context` before that day and ends as long before the day's
/// end: what follows it is then in the same day's counters, and a day that is complete makes its block complete.
constexpr Time block_begin(std::int32_t day) { return Time{std::chrono::days{day}} - block_context; }
constexpr Time block_end(std::int32_t day) { return block_begin(day) + block_length; }

/// The block of a day with its surroundings, from the counters of that day and of the day before and from nothing else: for each of the
/// file systems, in one pass. Servers are those that were counted in it, in order of their names. The step is the usual interval of the
/// counters, in whole seconds from two seconds on. No slots: nothing was measured.
Result<std::vector<TrafficMatrix>> block_traffic(const Snapshot& snapshot, Database& database, const std::vector<std::string>& filesystems,
                                                 std::int32_t day);

}  // namespace fathom::mine
