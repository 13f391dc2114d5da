// SPDX-License-Identifier: Apache-2.0
/// What a picture asks about a call, in 32 bits: its unit above, and below what it is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "dashboard/kept_calls.h"

namespace fathom::dashboard::call_bits {

inline constexpr std::uint32_t counts_bit = 1u << 7, told_bit = 1u << 6, moves_bit = 1u << 3;
inline constexpr unsigned unit_shift = 8, interface_shift = 4;
inline constexpr std::uint32_t drawn = counts_bit | told_bit;

inline std::uint32_t who_of(const trace::Seen& seen) {
  const CallKind kind = kind_of(seen.call.operation, seen.direction);
  std::uint32_t who = std::min<std::uint32_t>(seen.event.unit, (1u << (32 - unit_shift)) - 1) << unit_shift;
  who |= static_cast<std::uint32_t>(seen.call.interface) << interface_shift | static_cast<std::uint32_t>(kind);
  return who | (seen.counts ? counts_bit : 0) | (seen.told() ? told_bit : 0) | (seen.moves() ? moves_bit : 0);
}

inline std::uint32_t unit_of(std::uint32_t who) { return who >> unit_shift; }
inline trace::Interface interface_of(std::uint32_t who) { return static_cast<trace::Interface>(who >> interface_shift & 3); }
inline CallKind kind_of(std::uint32_t who) { return static_cast<CallKind>(who & 7); }
inline bool is_drawn(std::uint32_t who) { return (who & drawn) == drawn; }
inline bool moves_data(std::uint32_t who, trace::Interface interface) {
  return is_drawn(who) && (who & moves_bit) != 0 && interface_of(who) == interface;
}
inline Direction direction_of(std::uint32_t who) { return kind_of(who) == CallKind::read ? Direction::read : Direction::write; }

}  // namespace fathom::dashboard::call_bits
