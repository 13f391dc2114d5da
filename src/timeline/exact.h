// SPDX-License-Identifier: Apache-2.0
/// Whether a unit moved more than a threshold in a window, without rounding.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/stretch.h"

namespace fathom {

/// True if the amounts `flow` of the lanes within [from, to) exceed threshold * (to - from) / 1 s, strictly.
bool exceeds_exactly(std::span<const Lane> lanes, std::size_t flow, std::int64_t from, std::int64_t to, std::uint64_t threshold);

/// The same for an amount that is known to rounding: exact arithmetic only where rounding could decide.
inline bool exceeds(std::span<const Lane> lanes, std::size_t flow, double amount, std::int64_t from, std::int64_t to,
                    std::uint64_t threshold) {
  const double limit = static_cast<double>(threshold) * static_cast<double>(to - from) / 1e6;
  if (threshold == 0 || amount < limit * (1 - 1e-9) || amount > limit * (1 + 1e-9)) return amount > limit;
  return exceeds_exactly(lanes, flow, from, to, threshold);
}

}  // namespace fathom
