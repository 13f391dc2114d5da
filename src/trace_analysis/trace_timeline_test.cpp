// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/trace_timeline.h"

#include <gtest/gtest.h>

#include "timeline/slots.h"
#include "timeline/sweep.h"
#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

constexpr std::int64_t second = 1'000'000;

std::vector<Slot> slots_of(const TimelineAnalysis& analysis) {
  std::vector<Slot> slots;
  walk_slots(analysis.timeline(), second, 0, [&](const Slot& slot) { slots.push_back(slot); });
  return slots;
}

// The run begins at a whole second and ends at 3.5 s. Rank 0 writes 100 bytes in slot 0 (three calls: 50 + 30 + 20, the last without
// length), then 2000 bytes from 0.5 s to 2.5 s: 500, 1000, 500 in slots 0, 1, 2. Rank 1 reads 70 bytes at 3.2 s: slot 3, half a second
// long.
TEST(TraceTimeline, SlotsHoldTheirPartsOfCalls) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  run.call(0, "pwrite", f, 100, 200, {0, 50});
  run.call(0, "pwrite", f, 200.5, 200.7, {50, 30});
  run.call(0, "pwrite", f, 300, 300, {80, 20});
  run.call(0, "pwrite", f, 500'000, 2'500'000, {100, 2000});
  run.call(1, "pread", f, 3'200'000, 3'200'010, {0, 70});
  run.trace.end = MadeRun::epoch + 3'500'000'000;
  TimelineAnalysis analysis(run.trace, Interface::posix, second, {50, 4096});
  run.feed(analysis);
  const auto slots = slots_of(analysis);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_NEAR(slots[0].amounts[1], 600, 1e-9);
  EXPECT_NEAR(slots[1].amounts[1], 1000, 1e-9);
  EXPECT_NEAR(slots[2].amounts[1], 500, 1e-9);
  EXPECT_NEAR(slots[3].amounts[0], 70, 1e-9);
  EXPECT_EQ(slots[3].length, second / 2);
  EXPECT_NEAR(slots[0].amounts[3], 3.25, 1e-9);  // three operations, and a quarter of one
  // By the engine of counters: volumes; bandwidth of the last slot 70 / 0.5 s; sizes: 30 and 20 and 50 of 4 writes are <= 50.
  Sweeper sweeper({second, {0}, {50, 4096}, false});
  const Swept swept = sweeper.sweep(analysis.timeline());
  EXPECT_NEAR(swept.totals[1], 2100, 1e-9);
  EXPECT_NEAR(swept.peaks.bytes[0], 140, 1e-9);
  EXPECT_NEAR(swept.peaks.bytes[1], 1000, 1e-9);
  EXPECT_EQ(swept.activity[0][1].busy, 3 * second);
  EXPECT_EQ(swept.activity[0][2].busy, 3 * second + second / 2);
  EXPECT_EQ(analysis.sizes().small[1], (std::vector<double>{3, 4}));
  EXPECT_EQ(analysis.exact_sizes()[1], (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{20, 1}, {30, 1}, {50, 1}, {2000, 1}}));
}

// Two threads over the same second boundary: both are spread, in lanes of their own. Below a microsecond is no trouble either.
TEST(TraceTimeline, OverlappingCallsOfOneRank) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  run.call(0, "pwrite", f, 900'000, 1'100'000, {0, 1000});
  run.call(0, "pwrite", f, 950'000, 1'050'000, {0, 600});
  run.call(0, "pwrite", f, 999'999.9, 1'000'000.1, {0, 8});
  TimelineAnalysis analysis(run.trace, Interface::posix, second, {});
  run.feed(analysis);
  const auto slots = slots_of(analysis);
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_NEAR(slots[0].amounts[1], 500 + 300 + 4, 1e-9);
  EXPECT_NEAR(slots[1].amounts[1], 500 + 300 + 4, 1e-9);
}

// One layer at a time, each call once; failed calls are no operations; opens and closes per unit.
TEST(TraceTimeline, OneLayer) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  run.call(0, "open", f, 0, 1);
  const auto call = run.call(0, "MPI_File_write", f, 1, 10, {0, 100});
  run.call(0, "pwrite", f, 2, 9, {0, 512}, call);
  run.call(0, "pwrite", f, 11, 12, {0, 5, -5});
  run.call(0, "close", f, 13, 14);
  TimelineAnalysis posix(run.trace, Interface::posix, second, {}), mpi(run.trace, Interface::mpiio, second, {});
  run.feed(posix, mpi);
  EXPECT_EQ(posix.units()[0].flows, (std::array<std::uint64_t, 4>{0, 512, 0, 1}));
  EXPECT_EQ(mpi.units()[0].flows, (std::array<std::uint64_t, 4>{0, 100, 0, 1}));
  EXPECT_EQ(posix.units()[0].opens, 1u);
  EXPECT_EQ(posix.units()[0].closes, 1u);
}

}  // namespace
}  // namespace fathom::trace
