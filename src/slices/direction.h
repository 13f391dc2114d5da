// SPDX-License-Identifier: Apache-2.0
/// Which bytes of a slice count: those read, those written, or both.
#pragma once

#include <array>
#include <string_view>

#include "slices/profile.h"

namespace fathom::slices {

enum class Direction : std::uint8_t { read, write, both };
inline constexpr std::array<std::string_view, 3> direction_names = {"read", "write", "both"};

inline std::uint64_t moved(const Values& values, Direction direction) {
  const std::uint64_t read = value_of(values, Counter::read_bytes), written = value_of(values, Counter::write_bytes);
  return direction == Direction::read ? read : direction == Direction::write ? written : read + written;
}

}  // namespace fathom::slices
