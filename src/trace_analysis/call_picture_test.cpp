// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/call_picture.h"

#include <gtest/gtest.h>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

/// Two collective writes on each of two ranks. The second: rank 0 sieves (lock, read, write, unlock), rank 1 only writes.
MadeRun two_collectives() {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 2; ++rank) run.call(rank, "MPI_File_write_all", f, 0, 10, {0, 100});
  const auto zero = run.call(0, "MPI_File_write_all", f, 100, 200, {0, 100});
  run.call(0, "fcntl.lock", f, 100, 110, {0, 1000, 0}, zero);
  run.call(0, "pread", f, 110, 150, {0, 1000}, zero);
  run.call(0, "pwrite", f, 150, 180, {0, 1000}, zero);
  run.call(0, "fcntl.unlock", f, 180, 190, {0, 1000, 0}, zero);
  const auto one = run.call(1, "MPI_File_write_all", f, 120, 180, {0, 100});
  run.call(1, "pwrite", f, 150, 180, {1000, 100}, one);
  return run;
}

// From 100 to 200 us in 10 columns, 10 us each: rank 0: L, R x 4, W x 3, U, one of waiting; rank 1 is in its call from 120 on and writes
// from 150.
TEST(CallPicture, BarsOfACollectiveCall) {
  const MadeRun run = two_collectives();
  FindCalls find = FindCalls::worst(1);
  run.feed(find);
  ASSERT_EQ(find.found().size(), 1u);
  EXPECT_EQ(find.found()[0].number, 2u);
  EXPECT_EQ(find.found()[0].duration, 100'000);
  PictureAnalysis analysis(find.found());
  run.feed(analysis);
  const CallPicture& picture = analysis.pictures().at(0);
  ASSERT_EQ(picture.ranks.size(), 2u);
  EXPECT_EQ(bar_of(picture.ranks[0], picture.start, picture.end, 10), "LRRRRWWWU.");
  EXPECT_EQ(bar_of(picture.ranks[1], picture.start, picture.end, 10), "  ...WWW  ");
  const std::string text = picture_text(picture, run.trace, 10, 10);
  EXPECT_NE(text.find("     0 |LRRRRWWWU.| 0.000100 s, 100 B: 1R 1W 1L 1U"), text.npos) << text;
}

TEST(CallPicture, ByRowAndAtMostSoManyRanks) {
  const MadeRun run = two_collectives();
  FindCalls find = FindCalls::with_row(1);  // the first collective call of rank 1
  run.feed(find);
  ASSERT_EQ(find.found().size(), 1u);
  PictureAnalysis analysis(find.found());
  run.feed(analysis);
  ASSERT_EQ(analysis.pictures()[0].ranks.size(), 2u);
  EXPECT_NE(picture_text(analysis.pictures()[0], run.trace, 10, 1).find("and 1 more rank\n"), std::string::npos);
  FindCalls nothing = FindCalls::with_row(3);  // a POSIX call
  run.feed(nothing);
  EXPECT_TRUE(nothing.found().empty());
}

TEST(CallPicture, WorstAreSortedAndACollectiveCallCountsOnce) {
  MadeRun run = two_collectives();
  const auto g = run.file("/data/b");
  run.call(1, "MPI_File_write_at", g, 300, 350, {0, 1});
  FindCalls find = FindCalls::worst(3);
  run.feed(find);
  ASSERT_EQ(find.found().size(), 3u);
  EXPECT_EQ(find.found()[0].duration, 100'000);
  EXPECT_EQ(find.found()[1].duration, 50'000);
  EXPECT_EQ(find.found()[1].number, 0u);
  EXPECT_EQ(find.found()[2].duration, 10'000);
}

}  // namespace
}  // namespace fathom::trace
