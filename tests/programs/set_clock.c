/* SPDX-License-Identifier: Apache-2.0 */
/* A clock that is set while a program runs: preloaded, it moves CLOCK_REALTIME by SET_CLOCK_BY seconds from SET_CLOCK_AFTER seconds after
 * the first look at it. The monotonic clock goes on as it was, as it does when an administrator sets the time. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  static double first, by, after;
  const long result = syscall(SYS_clock_gettime, clock, now);
  if (result != 0 || clock != CLOCK_REALTIME) return (int)result;
  struct timespec steady;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &steady);
  const double at = (double)steady.tv_sec + (double)steady.tv_nsec / 1e9;
  if (first == 0) {
    first = at;
    by = getenv("SET_CLOCK_BY") ? atof(getenv("SET_CLOCK_BY")) : 0;
    after = getenv("SET_CLOCK_AFTER") ? atof(getenv("SET_CLOCK_AFTER")) : 0;
  }
  if (at - first >= after) now->tv_sec += (time_t)by;
  return 0;
}
