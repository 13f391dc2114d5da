// SPDX-License-Identifier: Apache-2.0
/// Simulated time: whole picoseconds since the scenario's start, and how long bytes take on a link.
#pragma once

#include <cstdint>

#include "base/wide.h"

namespace fathom::simulate {

using Picoseconds = std::int64_t;

inline constexpr Picoseconds picoseconds_per_second = 1'000'000'000'000;
inline constexpr Picoseconds picoseconds_per_microsecond = 1'000'000;

/// 53 days. No time and no service is longer: the sum of two still fits, so that passing the limit is seen after the addition.
inline constexpr Picoseconds time_limit = (Picoseconds{1} << 62) - 2;

/// Half a picosecond counts as a whole one; what is longer than the limit is cut to just above it.
constexpr Picoseconds service_time(std::uint64_t bytes, std::uint64_t bytes_per_second) {
  const Uint128 scaled = Uint128{bytes} * static_cast<Uint128>(picoseconds_per_second) * 2 + bytes_per_second;
  const Uint128 rounded = scaled / (Uint128{bytes_per_second} * 2);
  return rounded > static_cast<Uint128>(time_limit) ? time_limit + 1 : static_cast<Picoseconds>(rounded);
}

constexpr double in_seconds(Picoseconds time) { return static_cast<double>(time) / 1e12; }

}  // namespace fathom::simulate
