// SPDX-License-Identifier: Apache-2.0
/// Increments of one series, by column, as the store's scan delivers them.
#pragma once

#include <array>
#include <cstdint>

#include "model/counters.h"
#include "model/sample.h"

namespace fathom {

/// Rows [0, size) of one series in order of their ends. Times are microseconds since the Unix epoch.
struct IncrementRun {
  SeriesId series = 0;
  std::size_t size = 0;
  const std::int64_t* start = nullptr;
  const std::int64_t* end = nullptr;
  const std::int64_t* flags = nullptr;
  std::array<const std::int64_t*, counter_count> amounts{};
  /// Bit masks of the rows that have a value; null: all have. Row 0 of this run is bit `first_bit`.
  std::array<const std::uint64_t*, counter_count> valid{};
  std::size_t first_bit = 0;

  bool has(std::size_t counter, std::size_t row) const {
    if (amounts[counter] == nullptr) return false;
    if (valid[counter] == nullptr) return true;
    const std::size_t bit = first_bit + row;
    return (valid[counter][bit / 64] >> (bit % 64) & 1u) != 0;
  }
};

}  // namespace fathom
