// SPDX-License-Identifier: Apache-2.0
/// The columns of a stretch into as few bits as most of their values need. Runs inside traced programs, like all of the writing half.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

/// All bits that any of the values has.
std::uint64_t any_bits(const std::uint64_t* values, std::size_t count);

/// Writes a column of 1 to 64 values, whose bits are `any`, not 0, to `out`: at most 4 + 8 x 64 bytes and 8 more that do not count. Gives
/// its end. The values are used up by that.
std::uint8_t* pack_column(std::uint64_t* values, std::size_t count, std::uint64_t any, std::uint8_t* out);

}  // namespace fathom::trace
