// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/locks.h"

#include <gtest/gtest.h>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

constexpr std::uint8_t ex = lock_exclusive | lock_waits;

// Rank 0 locks [0, 100) from 0 to 2 us and unlocks at 10-11: held 8 us. Rank 1 asks for [50, 150) at 3 and gets it at 12: 9 us in the call,
// a conflict; it unlocks at 20: held 8 us. Rank 1 then locks [500, 600) in 1 us, no conflict, and unlocks at 30: held 4 us.
TEST(Locks, CyclesAndConflicts) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  run.call(0, "fcntl.lock", f, 0, 2, {0, 100, 0}, SIZE_MAX, ex);
  run.call(1, "fcntl.lock", f, 3, 12, {50, 100, 0}, SIZE_MAX, ex);
  run.call(0, "fcntl.unlock", f, 10, 11, {0, 100, 0});
  run.call(1, "fcntl.unlock", f, 20, 21, {50, 100, 0});
  run.call(1, "fcntl.lock", f, 25, 26, {500, 100, 0}, SIZE_MAX, ex);
  run.call(1, "fcntl.unlock", f, 30, 31, {500, 100, 0});
  LocksAnalysis analysis;
  run.feed(analysis);
  ASSERT_EQ(analysis.files().size(), 1u);
  const FileLocks& locks = analysis.files()[0];
  EXPECT_EQ(locks.lock_calls, 3u);
  EXPECT_EQ(locks.unlock_calls, 3u);
  EXPECT_EQ(locks.lock_time, 12'000);
  EXPECT_EQ(locks.unlock_time, 3'000);
  EXPECT_EQ(locks.cycles, 3u);
  EXPECT_EQ(locks.held.sum(), 20'000);
  EXPECT_EQ(locks.held.min(), 4'000);
  EXPECT_EQ(locks.held.max(), 8'000);
  EXPECT_EQ(locks.conflicts, 1u);
  EXPECT_EQ(locks.conflict_wait, 9'000);
  EXPECT_EQ(locks.bytes.min(), 100);
  EXPECT_EQ(locks.first_byte, 0);
  EXPECT_EQ(locks.last_byte, 599);
  EXPECT_EQ(locks.ranks, 2u);
  EXPECT_EQ(locks.left, 0u);
}

// Two readers share; a rank does not conflict with itself; an empty length is up to the end of the file and conflicts with all behind it.
TEST(Locks, SharedOwnAndWholeFile) {
  MadeRun run(3);
  const auto f = run.file("/data/a");
  run.call(0, "fcntl.lock", f, 0, 1, {0, 100, 0});
  run.call(1, "fcntl.lock", f, 2, 3, {0, 100, 0});
  run.call(0, "fcntl.lock", f, 4, 5, {50, 10, 0});
  run.call(2, "fcntl.lock", f, 6, 9, {90, 0, -11}, SIZE_MAX, lock_exclusive);  // F_SETLK: refused
  LocksAnalysis analysis;
  run.feed(analysis);
  const FileLocks& locks = analysis.files()[0];
  EXPECT_EQ(locks.conflicts, 1u);
  EXPECT_EQ(locks.failed, 1u);
  EXPECT_EQ(locks.left, 3u);
}

// Unlocking a part splits the lock; closing drops the rest.
TEST(Locks, PartsAndClose) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  run.call(0, "fcntl.lock", f, 0, 1, {0, 100, 0}, SIZE_MAX, ex);
  run.call(0, "fcntl.unlock", f, 2, 3, {40, 20, 0});  // [0, 40) and [60, 100) stay
  run.call(0, "fcntl.unlock", f, 4, 5, {0, 40, 0});
  run.call(0, "close", f, 6, 7);
  LocksAnalysis analysis;
  run.feed(analysis);
  EXPECT_EQ(analysis.files()[0].cycles, 1u);
  EXPECT_EQ(analysis.files()[0].left, 1u);
}

// Of 1 ... 1000 the median is 500: the class [448, 512) holds it, so its upper end is given; the extremes are exact.
TEST(Locks, Quantiles) {
  Lengths lengths;
  for (std::int64_t i = 1; i <= 1000; ++i) lengths.add(i);
  EXPECT_DOUBLE_EQ(lengths.quantile(0.5), 512);
  EXPECT_DOUBLE_EQ(lengths.quantile(1), 1000);
  EXPECT_DOUBLE_EQ(lengths.mean(), 500.5);
}

}  // namespace
}  // namespace fathom::trace
