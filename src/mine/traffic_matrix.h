// SPDX-License-Identifier: Apache-2.0
/// The traffic of each server of a file system on a regular grid: what a day of counters becomes before bursts are looked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "mine/series.h"

namespace fathom::mine {

/// Slot i is [start + i * step, start + (i + 1) * step). Amounts stand slot by slot, all servers of a slot side by side; bytes in single
/// precision are enough for one server and one slot. What nobody measured is NaN.
struct TrafficMatrix {
  Time start{};
  Duration step{};
  std::size_t slots = 0, servers = 0;
  std::array<std::vector<float>, 2> amounts;  // read, written

  float at(std::size_t direction, std::size_t slot, std::size_t server) const { return amounts[direction][slot * servers + server]; }
  Time end() const { return start + static_cast<std::int64_t>(slots) * step; }
  /// All servers together; a slot is known if at least `coverage` of the servers are. Servers that are not known count as the others' mean.
  TrafficSeries total(std::size_t direction, double coverage = 0.5) const;
};

}  // namespace fathom::mine
