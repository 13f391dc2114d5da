// SPDX-License-Identifier: Apache-2.0
#include "timeline/operation_activity.h"

#include <algorithm>
#include <vector>

#include "base/wide.h"

namespace fathom {
namespace {

using Bits = std::vector<bool>;

/// Marks the slots in which count(t) = operations * (t - from) / spread passes a whole number, i.e. floor grows over (begin, end].
void mark(const Stretch& s, std::int64_t operations, std::int64_t base, std::int64_t slot, Bits& active) {
  if (operations <= 0) return;
  const auto whole = [&](std::int64_t t) { return static_cast<Int128>(operations) * (t - s.from) / s.spread; };
  Int128 before = 0;
  for (std::int64_t at = (s.from - base) / slot; base + at * slot < s.to; ++at) {
    const Int128 after = whole(std::min(base + (at + 1) * slot, s.to));
    if (after > before) active[static_cast<std::size_t>(at)] = true;
    before = after;
  }
}

void count(const std::vector<std::uint32_t>& units, const JobTimeline& job, std::int64_t base, std::int64_t slot, Activity& activity) {
  for (std::size_t at = 0; at < units.size(); ++at) {
    const std::int64_t begin = std::max(base + static_cast<std::int64_t>(at) * slot, job.start);
    const std::int64_t length = std::min(base + static_cast<std::int64_t>(at + 1) * slot, job.end) - begin;
    const bool busy = units[at] > 0;
    (busy ? activity.busy : activity.idle) += length;
    activity.unit_busy += length * units[at];
    if (at == 0 || busy != (units[at - 1] > 0)) ++(busy ? activity.busy_runs : activity.idle_runs);
  }
}

}  // namespace

std::array<Activity, direction_count> operation_activity(const JobTimeline& job, std::int64_t slot) {
  std::array<Activity, direction_count> result{};
  if (job.end <= job.start) return result;
  std::int64_t base = job.start / slot * slot;
  if (base > job.start) base -= slot;
  const auto slots = static_cast<std::size_t>((job.end - base + slot - 1) / slot);
  std::array<std::vector<std::uint32_t>, direction_count> units;
  for (auto& of_direction : units) of_direction.assign(slots, 0);
  for (std::size_t l = 0; l < job.lanes.size();) {
    const std::uint32_t unit = job.lanes[l].unit;
    std::array<Bits, 2> active{Bits(slots), Bits(slots)};
    for (; l < job.lanes.size() && job.lanes[l].unit == unit; ++l)
      for (const auto part : job.lanes[l].parts)
        for (const Stretch& s : part)
          for (std::size_t d = 0; d < 2; ++d) mark(s, s.amounts[2 + d], base, slot, active[d]);
    for (std::size_t at = 0; at < slots; ++at) {
      units[0][at] += active[0][at];
      units[1][at] += active[1][at];
      units[2][at] += active[0][at] || active[1][at];
    }
  }
  for (std::size_t d = 0; d < direction_count; ++d) count(units[d], job, base, slot, result[d]);
  return result;
}

}  // namespace fathom
