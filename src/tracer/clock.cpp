// SPDX-License-Identifier: Apache-2.0
#include "tracer/clock.h"

#include <cpuid.h>
#include <time.h>

#include "tracer/syscalls.h"

namespace fathom::trace {

bool steady_counter = false;

namespace {

/// The counter must run at one speed in every state of the processor (CPUID 80000007H, EDX bit 8), and the kernel must trust it:
/// then it is what CLOCK_MONOTONIC is made of. Virtual machines without a steady counter have kvm-clock or hpet there.
bool counter_is_trusted() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0x80000007u, &a, &b, &c, &d) || (d & (1u << 8)) == 0) return false;
  const int fd = raw::open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);
  if (fd < 0) return true;  // a container without /sys: the processor's word has to do
  char name[8] = {};
  const long got = raw::read(fd, name, sizeof name - 1);
  raw::close(fd);
  return got >= 3 && name[0] == 't' && name[1] == 's' && name[2] == 'c';
}

}  // namespace

std::int64_t clock_ns(int clock) {
  struct timespec now;
  clock_gettime(clock, &now);  // from the vDSO: no errno, no system call
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

ClockPair clock_pair() {
  // The reading whose two ends lie closest together says best what time it was.
  ClockPair best{};
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ticks();
    const std::int64_t monotonic = clock_ns(CLOCK_MONOTONIC);
    const std::uint64_t after = ticks();
    if (after - before >= least) continue;
    least = after - before;
    best = {before + least / 2, monotonic, 0};
  }
  const std::int64_t monotonic = clock_ns(CLOCK_MONOTONIC);
  best.realtime = clock_ns(CLOCK_REALTIME) - (monotonic - best.monotonic);
  return best;
}

namespace {
bool chosen = false;
}

void choose_clock() {
  steady_counter = counter_is_trusted();
  chosen = true;
}

std::uint64_t slow_ticks() {
  // Libraries may do I/O before this one is set up: their calls must not be timed with another clock than the rest.
  if (!chosen) choose_clock();
  return steady_counter ? __rdtsc() : static_cast<std::uint64_t>(clock_ns(CLOCK_MONOTONIC));
}

}  // namespace fathom::trace
