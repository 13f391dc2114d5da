// SPDX-License-Identifier: Apache-2.0
/// What this process itself has used, for programs that measure: on a busy machine the time on the wall says little.
#pragma once

#include <sys/resource.h>

#include <ctime>

namespace fathom {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Memory, at most so far.
inline long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace fathom
