// SPDX-License-Identifier: Apache-2.0
/// Bursts: phases of elevated traffic, found against the local background (AID section IV-A, after IOSI).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "mine/background.h"

namespace fathom {

struct Burst {
  Time start{};  // within a slot where the filling of the first and the last slot tells
  Time end{};
  double height = 0;      // bytes per second: the highest slot over the background
  double area = 0;        // bytes over the background
  double background = 0;  // bytes per second under the highest slot
  std::size_t first_slot = 0, last_slot = 0;
};

struct BurstOptions {
  /// Seconds of the background's window; longer than the bursts, shorter than the time in which the machine's work changes.
  double window = 3600;
  /// A burst must stand out by so many standard deviations of the background ...
  double significance = 4;
  /// ... and lasts as long as it does by so many.
  double edge = 2;
  bool boxes = true;  // false: what is not apart in time is one burst
  bool weak = true;   // also what stands out over many slots only
};

/// All bursts in order of time. Slots that were not measured end a burst. Constant traffic has none. Fails on negative, infinite or absurd
/// amounts.
Result<std::vector<Burst>> find_bursts(const TrafficSeries& series, const BurstOptions& options = {});

/// The slots that the background's window has on this grid: at least 64, or quantiles mean nothing.
std::size_t window_slots(const TrafficSeries& series, const BurstOptions& options);

}  // namespace fathom
