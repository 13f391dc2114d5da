// SPDX-License-Identifier: Apache-2.0
/// Small machines made by chance, full of what is difficult: ties with thresholds, jobs that share increments, holes, gaps, resets, tags.
#pragma once

#include "base/random.h"
#include "characterise/reference_test.h"

namespace fathom {

struct MadeMachine {
  reference::Machine machine;
  reference::Settings settings;  // its link is to be set
};

struct MadeKind {
  /// Only what counters_csv can tell: no tags, nothing unmeasured, no holes; a reset shows as a fall. Slots of one second.
  bool plain_samples = false;
  std::string prefix;      // of the names of servers and jobs
  std::int64_t begin = 0;  // microseconds; 0: by chance
};

/// The same machine for the same seed.
MadeMachine make_machine(std::uint64_t seed, const MadeKind& kind = {});

}  // namespace fathom
