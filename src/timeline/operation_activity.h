// SPDX-License-Identifier: Apache-2.0
/// When operations happened, at c = 0: a slot is active if the interpolated count passes a whole number in it (criterion 1.6).
#pragma once

#include <array>
#include <cstdint>

#include "timeline/stretch.h"
#include "timeline/sweep.h"

namespace fathom {

/// By direction. Five writes in 120 s make five active slots, not 120. Looks at every slot: for a few jobs, not for all.
std::array<Activity, direction_count> operation_activity(const JobTimeline& job, std::int64_t slot);

}  // namespace fathom
