// SPDX-License-Identifier: Apache-2.0
/// Traffic on a regular grid of time slots; what was not measured is marked, not zero.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "base/time.h"

namespace fathom {

/// The amount of a slot that nobody measured: a gap of the log, servers that vanished, a jump of the clock.
inline constexpr double unknown_amount = std::numeric_limits<double>::quiet_NaN();

/// Slot i is [start + i * step, start + (i + 1) * step) and holds the bytes moved in it, of one direction or both.
struct TrafficSeries {
  Time start{};
  Duration step{};
  std::vector<double> amounts;

  std::size_t size() const { return amounts.size(); }
  bool known(std::size_t slot) const { return !std::isnan(amounts[slot]); }
  Time begin_of(std::size_t slot) const { return start + static_cast<std::int64_t>(slot) * step; }
  Time end() const { return begin_of(size()); }
};

}  // namespace fathom
