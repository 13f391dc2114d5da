// SPDX-License-Identifier: Apache-2.0
/// The clock of records: the processor's time stamp counter where it runs steadily, else the kernel's monotonic clock.
#pragma once

#include <x86intrin.h>

#include <cstdint>

#include "trace_format/memory_file.h"

namespace fathom::trace {

/// From when to when, in ticks.
struct Span {
  std::uint64_t start;
  std::uint64_t end;
};

extern bool steady_counter;  // set once, before the first record

std::int64_t clock_ns(int clock);
ClockPair clock_pair();
/// Finds out which clock can be used.
void choose_clock();
/// The kernel's clock; or the counter, if this is the first call of all and nobody has chosen yet.
std::uint64_t slow_ticks();

inline std::uint64_t ticks() {
  if (__builtin_expect(steady_counter, 1)) return __rdtsc();
  return slow_ticks();
}

}  // namespace fathom::trace
