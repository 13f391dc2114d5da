// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/concurrency.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

const InFlight& writes(const ConcurrencyAnalysis& analysis) { return analysis.files().at(0).flights[1]; }

ConcurrencyAnalysis analysed(const MadeRun& run) {
  ConcurrencyAnalysis analysis(Interface::posix);
  run.feed(analysis);
  return analysis;
}

// 8 ranks begin at once; a server serves one after the other, 10 us each: ends at 10, 20 ... 80. Sum of lengths 360 us, busy 80 us:
// mean 4.5. Waited: 0 + 10 + ... + 70 = 280; longer than the quickest: the same. 1. Served at once: 8 x 10 / 80 = 1.
TEST(Concurrency, APerfectQueueIsOne) {
  MadeRun run(8);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 8; ++rank) run.call(rank, "pwrite", f, 0, 10.0 * (rank + 1), {0, 4096});
  const auto analysis = analysed(run);
  EXPECT_EQ(writes(analysis).most, 8u);
  EXPECT_DOUBLE_EQ(writes(analysis).mean(), 4.5);
  EXPECT_DOUBLE_EQ(writes(analysis).serialisation.index(), 1);
  EXPECT_DOUBLE_EQ(writes(analysis).serialisation.served_at_once(), 1);
  EXPECT_EQ(analysis.all()[1].most, 8u);
  EXPECT_EQ(analysis.all()[0].calls, 0u);
}

// Also if they do not begin at once: rank i comes at 3 i us, ends at 10 (i + 1).
TEST(Concurrency, AQueueWithLateComersIsOne) {
  MadeRun run(8);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 8; ++rank) run.call(rank, "pwrite", f, 3.0 * rank, 10.0 * (rank + 1), {0, 4096});
  EXPECT_DOUBLE_EQ(writes(analysed(run)).serialisation.index(), 1);
}

// All served side by side in 10 us: nobody takes longer than the quickest. 0, and 8 at once. The same if they begin one after the other.
TEST(Concurrency, PerfectlyParallelIsZero) {
  for (const double step : {0.0, 3.0}) {
    MadeRun run(8);
    const auto f = run.file("/data/a");
    for (std::uint32_t rank = 0; rank < 8; ++rank) run.call(rank, "pwrite", f, step * rank, step * rank + 10, {0, 4096});
    const auto analysis = analysed(run);
    EXPECT_DOUBLE_EQ(writes(analysis).serialisation.index(), 0) << step;
    if (step == 0) {
      EXPECT_DOUBLE_EQ(writes(analysis).serialisation.served_at_once(), 8);
    }
  }
}

// 16 calls at once, 4 servers: 4 rounds of 10 us. Lost: 4 x (0 + 10 + 20 + 30) = 240. Could wait: each for the end of the one before it:
// 0 10 10 10 | 10 20 20 20 | 20 30 30 30 | 30 40 40 40 = 360. 240 / 360 = 2/3 = 4 (4 - 1) / (4 (4 + 1) - 2). Served at once: 160 / 40 = 4.
TEST(Concurrency, FourServersAreBetween) {
  MadeRun run(16);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 16; ++rank) run.call(rank, "pwrite", f, 0, 10.0 * (rank / 4 + 1), {0, 4096});
  const auto analysis = analysed(run);
  EXPECT_NEAR(writes(analysis).serialisation.index(), 2.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(writes(analysis).serialisation.served_at_once(), 4);
}

// A large call beside small ones takes longer because it is large: sizes are compared with their like.
TEST(Concurrency, LargeCallsAreNotQueued) {
  MadeRun run(4);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 3; ++rank) run.call(rank, "pwrite", f, 0, 10, {0, 4096});
  run.call(3, "pwrite", f, 0, 1000, {0, 1 << 20});
  EXPECT_DOUBLE_EQ(writes(analysed(run)).serialisation.index(), 0);
}

// One call is slow for another reason, among three quick ones that begin with it: it can have waited for them no longer than they took. Sum
// of w: 0 + 10 + 10 + 10; e: 0, 0, 0 and min(990, 10): 1/3. Served at once: (10 + 10 + 10 + 990) / 1000 = 1.02, never below 1.
TEST(Concurrency, OneSlowCallIsNoQueue) {
  MadeRun run(4);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 3; ++rank) run.call(rank, "pwrite", f, 0, 10, {0, 4096});
  run.call(3, "pwrite", f, 0, 1000, {0, 4096});
  const auto analysis = analysed(run);
  EXPECT_NEAR(writes(analysis).serialisation.index(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(writes(analysis).serialisation.served_at_once(), 1.02, 1e-12);
}

// Threads of one rank, and calls that do not overlap, say nothing about ranks in each other's way.
TEST(Concurrency, OnlyOverlappingRanksCount) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  run.call(0, "pwrite", f, 0, 10, {0, 4096});
  run.call(0, "pwrite", f, 0, 20, {0, 4096});
  run.call(1, "pwrite", f, 30, 40, {0, 4096});
  run.call(0, "pread", f, 35, 45, {0, 4096});
  const auto analysis = analysed(run);
  EXPECT_TRUE(std::isnan(writes(analysis).serialisation.index()));
  EXPECT_EQ(writes(analysis).most, 2u);
  EXPECT_EQ(writes(analysis).busy, 30'000);
  EXPECT_EQ(analysis.files()[0].flights[2].most, 2u);
  EXPECT_EQ(analysis.files()[0].flights[2].busy, 35'000);
}

}  // namespace
}  // namespace fathom::trace
