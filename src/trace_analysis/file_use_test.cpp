// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/file_use.h"

#include <gtest/gtest.h>

#include "trace_analysis/made_events_test.h"
#include "trace_analysis/size_sequence.h"

namespace fathom::trace {
namespace {

// Shared file a: rank 0 in slots 0-2 (one long call), rank 1 in slot 0 (twice), rank 2 in slot 2: 2, 1, 2 units. File b: rank 3 alone.
TEST(FileUse, UnitsPerSlot) {
  MadeRun run(4);
  const auto a = run.file("/data/a"), b = run.file("/data/b");
  run.trace.files[b].size_at_open = 5000;
  run.call(0, "open", a, 0, 1, {}, SIZE_MAX, open_creates);
  run.call(0, "pwrite", a, 10, 2'500'000, {100, 50});
  run.call(1, "pwrite", a, 20, 30, {0, 10});
  run.call(1, "pwrite", a, 40, 50, {0, 10});
  run.call(2, "pread", a, 2'100'000, 2'200'000, {0, 10});
  run.call(3, "pread", b, 2'100'000, 3'000'000, {0, 10});  // ends where slot 3 begins
  run.call(0, "close", a, 3'100'000, 3'100'001);
  FileUseAnalysis analysis(run.trace, Interface::posix, 1'000'000);
  run.feed(analysis);
  ASSERT_EQ(analysis.files().size(), 2u);
  const FileUse &shared = analysis.files()[0], &own = analysis.files()[1];
  EXPECT_EQ(shared.units, 3u);
  EXPECT_EQ(shared.most_at_once, 2u);
  EXPECT_EQ(shared.busy_slots, 3u);
  EXPECT_EQ(shared.unit_slots, 5u);
  EXPECT_TRUE(shared.created);
  EXPECT_EQ(shared.size, 150);
  EXPECT_EQ(shared.opens, 1u);
  EXPECT_EQ(shared.closes, 1u);
  EXPECT_EQ(own.units, 1u);
  EXPECT_EQ(own.busy_slots, 1u);
  EXPECT_FALSE(own.created);
  EXPECT_EQ(own.size, 5000);
  EXPECT_EQ(analysis.interfaces()[static_cast<std::size_t>(Interface::posix)].writes, 3u);
  EXPECT_EQ(analysis.interfaces()[static_cast<std::size_t>(Interface::mpiio)].calls, 0u);
}

MadeRun sizes(const std::vector<std::vector<std::uint64_t>>& by_rank) {
  MadeRun run(static_cast<std::uint32_t>(by_rank.size()));
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < by_rank.size(); ++rank)
    for (std::size_t i = 0; i < by_rank[rank].size(); ++i)
      run.call(rank, "pwrite", f, 10.0 * static_cast<double>(i), 10.0 * static_cast<double>(i) + 5, {0, by_rank[rank][i]});
  return run;
}

FixedSizes compared(const std::vector<std::vector<std::uint64_t>>& a, const std::vector<std::vector<std::uint64_t>>& b) {
  const MadeRun one = sizes(a), other = sizes(b);
  SizeSequenceAnalysis first(one.trace, Interface::posix), second(other.trace, Interface::posix);
  one.feed(first);
  other.feed(second);
  return compare_sizes({&first, &second});
}

// Rank 0: 5 5 7 against 5 6 7: two of three are fixed. Rank 1: 9 against 9 9 9: one is, two are missing in the other.
TEST(SizeSequence, FixedAndVariable) {
  const FixedSizes found = compared({{5, 5, 7}, {9}}, {{5, 6, 7}, {9, 9, 9}});
  EXPECT_EQ(found.fixed, 3u);
  EXPECT_EQ(found.variable, 3u);
  const FixedSizes same = compared({{1, 2, 3, 3, 3}}, {{1, 2, 3, 3, 3}});
  EXPECT_EQ(same.fixed, 5u);
  EXPECT_EQ(same.variable, 0u);
  EXPECT_EQ(compared({{4}}, {{4}, {4, 4}}).variable, 2u);  // more ranks
}

}  // namespace
}  // namespace fathom::trace
