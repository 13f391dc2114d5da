// SPDX-License-Identifier: Apache-2.0
/// Planes of bytes back into values: the first plane holds the lowest byte of every value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fathom::trace {

/// Values are joined sixteen at a time: that much must be readable behind the last byte of a plane, and writable up to a multiple of it.
inline constexpr std::size_t joined_at_once = 16;

/// One column of a block. A plane that is nullptr is all zero.
struct Planes {
  unsigned number = 0;
  std::array<const std::uint8_t*, 8> bytes{};
};

/// Values `from` to `from + count` of a column.
void join_planes(const Planes& planes, std::size_t from, std::size_t count, std::uint64_t* out);

/// Whether all of them are zero.
bool all_zero(const Planes& planes, std::size_t from, std::size_t count);

}  // namespace fathom::trace
