// SPDX-License-Identifier: Apache-2.0
/// A job slot by slot, for who wants to look at it: amounts, active units, and how even the units are (criteria 2.8, 3.2, 3.3).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "timeline/lane_slots.h"
#include "timeline/stretch.h"

namespace fathom {

/// Smallest, mean and largest amount of the units of which it was counted.
struct Spread {
  double min = 0, mean = 0, max = 0;
};

struct Slot {
  std::int64_t begin = 0;               // microseconds since the epoch, inside the job
  std::int64_t length = 0;              // inside the job
  std::uint32_t measured = 0;           // units about whose data something is known
  std::uint32_t metadata_measured = 0;  // about whose metadata operations
  CounterMask has = 0;                  // what was counted of at least one of them; an amount of anything else is unknown, not 0
  FlowAmounts amounts{};
  std::array<std::uint32_t, direction_count> active{};  // units above the threshold
  std::array<Spread, 2> units{};                        // bytes read, bytes written
};

/// Calls `take` for every slot of the job in order.
void walk_slots(const JobTimeline& job, std::int64_t slot, std::uint64_t threshold, const std::function<void(const Slot&)>& take);

/// What mostly happened in a slot (criterion 2.5): by operations, the other type's share below `eps`.
enum class Dominating : std::uint8_t { none, read, write, mixed };
inline constexpr std::array<const char*, 4> dominating_names = {"none", "read", "write", "mixed"};
Dominating dominating(double read_ops, double write_ops, double eps = 0.1);
/// None where operations were not counted.
std::optional<Dominating> dominating(const Slot& slot);

}  // namespace fathom
