// SPDX-License-Identifier: Apache-2.0
#include "timeline/slots.h"

#include <algorithm>

#include "timeline/exact.h"

namespace fathom {
namespace {

struct LaneChange {
  std::int64_t slot;
  std::uint32_t lane;
  FlowAmounts amounts;
};

/// A unit begins (+1) or ceases (-1) to be known.
struct KnownChange {
  std::int64_t slot;
  std::uint32_t lane;
  int by;
};

struct Unit {
  std::size_t first_lane = 0, lanes = 0;
  int known = 0;                             // lanes that say something about data
  std::array<int, counter_count> counted{};  // lanes that count this
  CounterMask has = 0;

  void turn(CounterMask lane, int by) {
    if ((lane & data_counters) != 0) known += by;  // a server of metadata alone says nothing about bytes
    for (std::size_t c = 0; c < counter_count; ++c) {
      if (!holds(lane, c)) continue;
      counted[c] += by;
      has = static_cast<CounterMask>(counted[c] > 0 ? has | 1u << c : has & ~(1u << c));
    }
  }
};

template <class Change>
void sort_by_slot(std::vector<Change>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.slot < b.slot; });
}

}  // namespace

Dominating dominating(double read_ops, double write_ops, double eps) {
  const double all = read_ops + write_ops;
  if (!(all > 0)) return Dominating::none;
  if (write_ops < eps * all) return Dominating::read;
  if (read_ops < eps * all) return Dominating::write;
  return Dominating::mixed;
}

std::optional<Dominating> dominating(const Slot& slot) {
  if (!holds(slot.has, index(Counter::read_ops)) || !holds(slot.has, index(Counter::write_ops))) return std::nullopt;
  return dominating(slot.amounts[index(Counter::read_ops)], slot.amounts[index(Counter::write_ops)]);
}

void walk_slots(const JobTimeline& job, std::int64_t slot, std::uint64_t threshold, const std::function<void(const Slot&)>& take) {
  if (job.end <= job.start) return;
  std::int64_t base = job.start / slot * slot;
  if (base > job.start) base -= slot;
  const std::int64_t slots = (job.end - base + slot - 1) / slot;

  std::vector<LaneChange> changes;
  std::vector<KnownChange> known;
  std::vector<Unit> units(job.units);
  for (std::uint32_t l = 0; l < job.lanes.size(); ++l) {
    const Lane& lane = job.lanes[l];
    Unit& unit = units[lane.unit];
    if (unit.lanes++ == 0) unit.first_lane = l;
    LaneSlots walker(lane, base, slot);
    walker.walk<0>(
        INT64_MAX,
        [&](std::int64_t at, const FlowAmounts& amounts) {
          changes.push_back({at, l, amounts});
        },
        [](const Stretch&) {});
    for (const auto part : lane.parts) {
      for (const Stretch& s : part) {
        known.push_back({(s.from - base) / slot, l, 1});
        known.push_back({(s.to - base + slot - 1) / slot, l, -1});
      }
    }
  }
  sort_by_slot(changes);
  sort_by_slot(known);

  std::vector<FlowAmounts> now(job.lanes.size());
  auto change = changes.begin();
  auto turn = known.begin();
  for (std::int64_t at = 0; at < slots; ++at) {
    for (; change != changes.end() && change->slot == at; ++change) now[change->lane] = change->amounts;
    for (; turn != known.end() && turn->slot == at; ++turn) units[job.lanes[turn->lane].unit].turn(job.lanes[turn->lane].has, turn->by);
    Slot row;
    row.begin = std::max(base + at * slot, job.start);
    const std::int64_t end = std::min(base + (at + 1) * slot, job.end);
    row.length = end - row.begin;
    std::array<std::uint32_t, 2> spread_over{};
    for (const Unit& unit : units) {
      FlowAmounts sum{};
      for (std::size_t l = unit.first_lane; l < unit.first_lane + unit.lanes; ++l)
        for (std::size_t f = 0; f < stretch_flows; ++f) sum[f] += now[l][f];
      row.amounts[metadata_flow] += sum[metadata_flow];
      row.metadata_measured += holds(unit.has, index(Counter::metadata_ops));
      row.has |= unit.has;
      if (unit.known == 0) continue;
      const std::span<const Lane> lanes(job.lanes.data() + unit.first_lane, unit.lanes);
      std::array<bool, 2> active{};
      for (std::size_t d = 0; d < 2; ++d) {
        active[d] = exceeds(lanes, d, sum[d], row.begin, end, threshold);
        row.active[d] += active[d];
        if (!holds(unit.has, d)) continue;
        Spread& spread = row.units[d];
        spread.min = spread_over[d] == 0 ? sum[d] : std::min(spread.min, sum[d]);
        spread.max = spread_over[d] == 0 ? sum[d] : std::max(spread.max, sum[d]);
        spread.mean += sum[d];
        ++spread_over[d];
      }
      row.active[2] += active[0] || active[1];
      for (std::size_t f = 0; f < flow_count; ++f) row.amounts[f] += sum[f];
      ++row.measured;
    }
    for (std::size_t d = 0; d < 2; ++d)
      if (spread_over[d] > 0) row.units[d].mean /= spread_over[d];
    take(row);
  }
}

}  // namespace fathom
