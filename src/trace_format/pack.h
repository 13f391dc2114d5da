// SPDX-License-Identifier: Apache-2.0
/// The columns of a stretch into as few bits as most of their values need. Runs inside traced programs, like all of the writing half.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

/// Writes a column of 1 to 64 values, not all 0, to `out`: at most 4 + 8 x 64 bytes and 8 more that do not count. Gives its end. The values are used up by that.
std::uint8_t* pack_column(bool is_signed, std::uint64_t* values, std::size_t count, std::uint8_t* out);

}  // namespace fathom::trace
