// SPDX-License-Identifier: Apache-2.0
/// What flowed through the units of a job over time: piecewise constant rates. Every criterion is computed from these.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/counters.h"

namespace fathom {

/// The amounts that flow: the first four counters (read bytes, write bytes, read operations, write operations).
inline constexpr std::size_t flow_count = 4;
static_assert(index(Counter::write_ops) + 1 == flow_count);

/// What a stretch holds: these four, then metadata operations.
inline constexpr std::size_t metadata_flow = flow_count;
inline constexpr std::size_t stretch_flows = flow_count + 1;

/// x of the criteria: what is read, what is written, both.
enum class Direction : std::uint8_t { read, write, total };
inline constexpr std::size_t direction_count = 3;
inline constexpr std::array<const char*, direction_count> direction_names = {"read", "write", "total"};

/// Amounts that flow evenly through a unit from `from` to `to` (microseconds since the epoch, from < to). They take `spread`
/// microseconds to flow: the stretch holds (to - from) / spread of them. Whole numbers throughout, so that comparisons can be exact.
struct Stretch {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t spread = 1;
  std::array<std::int64_t, stretch_flows> amounts{};

  double share() const { return spread == to - from ? 1.0 : static_cast<double>(to - from) / static_cast<double>(spread); }
};

/// A sequence of stretches in order of time, none over another; given in parts that follow each other.
struct Lane {
  std::uint32_t unit = 0;
  bool inner = true;               // of increments that lie wholly inside the job (or of calls)
  CounterMask has = all_counters;  // what was counted; an amount of anything else is unknown, not 0
  std::vector<std::span<const Stretch>> parts;
};

/// One job: all lanes of all its units. A unit (server, process) without lanes did nothing that is known.
struct JobTimeline {
  std::int64_t start = 0;  // microseconds since the epoch
  std::int64_t end = 0;
  std::uint32_t units = 0;
  std::vector<Lane> lanes;  // in order of unit
};

}  // namespace fathom
