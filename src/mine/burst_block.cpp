// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mine/burst_log.h"
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

TrafficSeries part_of(const TrafficSeries& all, std::size_t first, std::size_t end) {
  return {all.begin_of(first),
          all.step,
          {all.amounts.begin() + static_cast<std::ptrdiff_t>(first), all.amounts.begin() + static_cast<std::ptrdiff_t>(end)}};
}

}  // namespace

Result<BlockBursts> bursts_of_block(const TrafficMatrix& matrix, Time from, Time to) {
  BlockBursts block;
  const auto slot_of = [&](Time t) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>((t - matrix.start) / matrix.step, 0, static_cast<std::int64_t>(matrix.slots)));
  };
  if (matrix.step.count() <= 0) return Error{ErrorKind::usage, "looking for bursts: the traffic has no step"};
  const std::size_t first = slot_of(from - block_context), end = slot_of(to + block_context);
  if (first >= end) return block;
  for (std::size_t direction = 0; direction < 2; ++direction) {
    const TrafficSeries total = part_of(matrix.total(direction), first, end);
    block.seen[direction] = seen_stretches(total, from, to);
    if (block.seen[direction].empty()) continue;
    TRY(const std::vector<Burst> bursts, find_bursts(total));
    FootprintSearch search(matrix, direction, first, end);
    for (const Burst& burst : bursts) {
      if (burst.start < from || burst.start >= to) continue;
      const Footprint own = search.of(burst);
      const Time over = own.servers > 0 ? burst.start + Duration{static_cast<std::int64_t>(own.length * 1e6)} : burst.end;
      block.bursts[direction].push_back({burst.start, over, burst.height, burst.area, burst.background, own.servers, own.height, own.area});
    }
  }
  return block;
}

}  // namespace fathom::mine
