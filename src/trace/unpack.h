// SPDX-License-Identifier: Apache-2.0
/// Packed columns of a stretch (trace_format/stretch.h) back into values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "trace_format/stretch.h"

namespace fathom::trace {

using ColumnValues = std::array<std::uint64_t, stretch_records>;

/// Where packed columns stand: from `at` to `end`, behind which there is padding.
struct PackedColumns {
  const std::uint8_t *at = nullptr, *end = nullptr;

  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  /// The next column, of `count` values; negative ones in two's complement. False if there is none. `bound` is not less than any value.
  bool take(std::size_t count, ColumnValues& values, std::uint64_t& bound);

 private:
  bool take_bits(std::size_t count, ColumnValues& values, std::uint64_t base, ColumnForm form);
};

}  // namespace fathom::trace
