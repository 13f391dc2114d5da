// SPDX-License-Identifier: Apache-2.0
/// What goes on all the time: the local level of traffic and how much it varies, whatever bursts stand on it.
#pragma once

#include <cstdint>
#include <vector>

#include "mine/series.h"

namespace fathom {

struct Background {
  std::vector<double> level;  // of each slot, same unit as the series; NaN where nothing near was measured
  std::vector<double> noise;  // standard deviation around it, judged by the values below it: bursts are above
};

/// Other jobs come and go: the level is that of a window of `window` slots around each slot. First the lower quartile, which bursts in up
/// to three quarters of the window cannot move far; then the median of what is not far above that.
Background background(const TrafficSeries& series, std::size_t window);

}  // namespace fathom
