// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/decompose.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

std::int64_t part(const Decomposition& d, Part p) { return d.parts[static_cast<std::size_t>(p)]; }

// One MPI write of 100 us on rank 0 with a data sieving cycle inside: lock 10, read 30, write 20, unlock 5, lseek 1; the rest, 34 us, is
// waiting. Rank 1's call of 100 us does nothing itself: all waiting. Together 200 us: read 15 %, write 10 %, lock 5 %, unlock 2.5 %, other
// 0.5 %, waiting 67 %.
TEST(Decompose, PartsOfACollectiveWrite) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  const auto call = run.call(0, "MPI_File_write_at_all", f, 0, 100, {0, 4096});
  run.call(1, "MPI_File_write_at_all", f, 0, 100, {0, 0});
  run.call(0, "fcntl.lock", f, 0, 10, {0, 524288, 0}, call);
  run.call(0, "lseek", f, 10, 11, {0}, call);
  run.call(0, "read", f, 11, 41, {0, 524288}, call);
  run.call(0, "write", f, 45, 65, {0, 524288}, call);
  run.call(0, "fcntl.unlock", f, 65, 70, {0, 524288, 0}, call);
  run.call(0, "write", f, 200, 300, {0, 10});  // not in MPI-IO
  DecomposeAnalysis analysis;
  run.feed(analysis);
  const Decomposition& write = *analysis.total("write");
  EXPECT_EQ(write.time, 200'000);
  EXPECT_EQ(write.calls, 2u);
  EXPECT_EQ(part(write, Part::read), 30'000);
  EXPECT_EQ(part(write, Part::write), 20'000);
  EXPECT_EQ(part(write, Part::lock), 10'000);
  EXPECT_EQ(part(write, Part::unlock), 5'000);
  EXPECT_EQ(part(write, Part::other), 1'000);
  EXPECT_EQ(part(write, Part::waiting), 134'000);
  EXPECT_DOUBLE_EQ(write.share(Part::waiting), 0.67);
  EXPECT_EQ(analysis.total("read")->time, 0);
  ASSERT_EQ(analysis.calls().size(), 1u);
  EXPECT_EQ(analysis.calls()[0].name, "MPI_File_write_at_all");
}

// Opens are in `all` only; waits are with what they complete.
TEST(Decompose, TotalsByDirection) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  const auto open = run.call(0, "MPI_File_open", f, 0, 50);
  run.call(0, "open", f, 10, 30, {}, open);
  run.call(0, "MPI_File_iread_at", f, 60, 61, {0, 100});
  run.call(0, "MPI_Wait", f, 70, 79);
  DecomposeAnalysis analysis;
  run.feed(analysis);
  EXPECT_EQ(analysis.total("read")->time, 10'000);
  EXPECT_EQ(analysis.total("read+write")->time, 10'000);
  EXPECT_EQ(analysis.total("all")->time, 60'000);
  EXPECT_EQ(part(*analysis.total("all"), Part::other), 20'000);
}

// Whatever overlaps whatever: parts add up to the time, none is negative, shares add up to 1.
TEST(Decompose, SharesAddUpToOne) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> at(0, 90), length(0, 40), kind(0, 4);
  const char* names[] = {"pread", "pwrite", "fcntl.lock", "fcntl.unlock", "lseek"};
  for (int round = 0; round < 50; ++round) {
    MadeRun run(2);
    const auto f = run.file("/data/a");
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      const auto call = run.call(rank, "MPI_File_write", f, 0, 100, {0, 1});
      for (int i = 0; i < 12; ++i) {
        const int start = at(random);
        run.call(rank, names[kind(random)], f, start, start + length(random), {0, 1}, call);
      }
    }
    DecomposeAnalysis analysis;
    run.feed(analysis);
    const Decomposition& write = *analysis.total("write");
    EXPECT_EQ(std::accumulate(write.parts.begin(), write.parts.end(), std::int64_t{0}), write.time);
    double shares = 0;
    for (std::size_t p = 0; p < part_count; ++p) {
      EXPECT_GE(write.parts[p], 0);
      shares += write.share(static_cast<Part>(p));
    }
    EXPECT_NEAR(shares, 1, 1e-12);
  }
}

}  // namespace
}  // namespace fathom::trace
