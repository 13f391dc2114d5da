// SPDX-License-Identifier: Apache-2.0
#include "mine/burst_log.h"

#include <algorithm>

#include "mine/bursts.h"
#include "mine/footprint.h"

namespace fathom::mine {
namespace {

/// Where the total is known, within [from, to).
std::vector<Stretch> seen_stretches(const TrafficSeries& total, Time from, Time to) {
  std::vector<Stretch> seen;
  for (std::size_t slot = 0; slot < total.size(); ++slot) {
    const Time begin = std::max(total.begin_of(slot), from), end = std::min(total.begin_of(slot + 1), to);
    if (begin >= end || !total.known(slot)) continue;
    if (!seen.empty() && seen.back().to == begin) {
      seen.back().to = end;
    } else {
      seen.push_back({begin, end});
    }
  }
  return seen;
}

}  // namespace

Result<BlockBursts> bursts_of_block(const TrafficMatrix& matrix, Time from, Time to) {
  BlockBursts block;
  for (std::size_t direction = 0; direction < 2; ++direction) {
    const TrafficSeries total = matrix.total(direction);
    block.seen[direction] = seen_stretches(total, from, to);
    if (block.seen[direction].empty()) continue;
    TRY(const std::vector<Burst> bursts, find_bursts(total));
    FootprintSearch search(matrix, direction);
    for (const Burst& burst : bursts) {
      if (burst.start < from || burst.start >= to) continue;
      const Footprint own = search.of(burst);
      block.bursts[direction].push_back({burst.start, burst.end, burst.height, burst.area, burst.background, own.servers, own.height, own.area});
    }
  }
  return block;
}

}  // namespace fathom::mine
