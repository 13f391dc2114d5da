// SPDX-License-Identifier: Apache-2.0
/// When applications ran at the same time, and when all of their processes moved data.
#pragma once

#include "compete/application.h"

namespace fathom::compete {

struct Stretch {
  std::int64_t begin = 0, end = 0;  // nanoseconds of Unix time
};

/// When every application had a process running, in order; with `trimmed` when all of them were in their I/O phases.
std::vector<Stretch> running_together(std::span<const Application> applications, bool trimmed);
std::int64_t length_of(std::span<const Stretch> stretches);

/// Slices in a row, none (slices 0) if there is no such slice.
struct ActiveOverlap {
  std::int64_t first = 0, slices = 0;
};

/// The longest run of slices in which every mover of every application moved data (LWM2, section 4.2); the first of several as long.
ActiveOverlap active_overlap(std::span<const Application> applications, Direction direction);

}  // namespace fathom::compete
