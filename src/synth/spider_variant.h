// SPDX-License-Identifier: Apache-2.0
/// What may differ from the preset `spider` as it is described: how much else goes on, and applications that are hard to mine.
#pragma once

#include <cstddef>

#include "synth/spider_machine.h"

namespace fathom::titan {

struct SpiderVariant {
  /// How much traffic belongs to no periodic application, 1 being that of `spider`: so many times as many copies by hand and
  /// backups, so many times the bytes of small requests, and bursts of irregular applications at gaps so many times
  /// shorter. Pseudo and periodic applications move what they always move, only in more company.
  double background = 1;
  /// Adds the applications of spider_cases.h.
  bool cases = false;
  /// The batch system runs no more jobs than this at a time, and users submit the less, the fewer may run.
  std::size_t most_running = most_running_jobs;
};

}  // namespace fathom::titan
