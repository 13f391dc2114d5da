// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/spatial.h"

#include <gtest/gtest.h>

#include <random>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

OffsetSequence sequence(const std::vector<std::int64_t>& offsets) {
  OffsetSequence made;
  for (const std::int64_t offset : offsets) made.add(offset);
  return made;
}

TEST(OffsetSequence, Period) {
  EXPECT_EQ(sequence({0, 10, 20, 0, 10, 20, 0}).period(), 3u);
  EXPECT_EQ(sequence({5, 5, 5}).period(), 1u);
  EXPECT_FALSE(sequence({0, 10, 20, 0, 10}).period());  // not yet twice
  EXPECT_FALSE(sequence({0, 10, 0, 10, 0, 11}).period());
  EXPECT_FALSE(sequence({0, 10, 20, 30}).period());
  std::vector<std::int64_t> longer;
  for (int i = 0; i < 5000; ++i) longer.push_back(i % 100);
  EXPECT_EQ(sequence(longer).period(), 100u);
  longer[4000] = -1;  // beyond what is remembered, and still noticed
  EXPECT_FALSE(sequence(longer).period());
}

// Against the definition, on random sequences of few different offsets.
TEST(OffsetSequence, PeriodAgainstItsDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::int64_t> offsets(1 + random() % 9);
    for (auto& offset : offsets) offset = static_cast<std::int64_t>(random() % 2);
    std::optional<std::uint64_t> expected;
    for (std::size_t p = 1; 2 * p <= offsets.size() && !expected; ++p) {
      bool holds = true;
      for (std::size_t i = p; i < offsets.size(); ++i) holds = holds && offsets[i] == offsets[i - p];
      if (holds) expected = p;
    }
    EXPECT_EQ(sequence(offsets).period(), expected);
  }
}

TEST(OffsetSequence, DigestTellsSequencesApart) {
  EXPECT_EQ(sequence({1, 2, 3}).digest(), sequence({1, 2, 3}).digest());
  EXPECT_NE(sequence({1, 2, 3}).digest(), sequence({1, 3, 2}).digest());
  EXPECT_NE(sequence({1, 2}).digest(), sequence({1, 2, 0}).digest());
}

// D Fig. 3.1: P = 4 processes, pieces of s = 10 bytes, each process strides by P s = 40. Locally simple strided; all together, in the order
// of time, contiguous, and interleaved.
TEST(Spatial, StridedProcessesAreContiguousTogether) {
  MadeRun run(4);
  const auto f = run.file("/data/a");
  for (int i = 0; i < 5; ++i)
    for (std::uint32_t rank = 0; rank < 4; ++rank)
      run.call(rank, "pwrite", f, i * 100 + rank * 10, i * 100 + rank * 10 + 5, {(i * 4 + rank) * 10, 10});
  SpatialAnalysis analysis(Interface::posix);
  run.feed(analysis);
  EXPECT_EQ(analysis.local()[1].requests[static_cast<std::size_t>(AccessClass::simple_strided)], 20u);
  EXPECT_EQ(analysis.local()[1].strides, (std::map<std::int64_t, std::uint64_t>{{40, 16}}));
  ASSERT_EQ(analysis.global().size(), 1u);
  EXPECT_EQ(analysis.global()[0].units, 4u);
  EXPECT_EQ(analysis.global()[0].layout, Layout::interleaved);
  EXPECT_EQ(analysis.global()[0].in_time.requests[static_cast<std::size_t>(AccessClass::contiguous)], 20u);
}

TEST(Spatial, SegmentsAndTheSameBytes) {
  MadeRun run(2);
  const auto f = run.file("/data/a"), own = run.file("/data/b");
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (int i = 0; i < 3; ++i) {
      run.call(rank, "pwrite", f, i * 10, i * 10 + 5, {rank * 1000 + i * 10, 10});
      run.call(rank, "pread", f, 100 + i * 10, 105 + i * 10, {i * 10, 10});
    }
  }
  run.call(0, "pwrite", own, 300, 301, {0, 10});
  SpatialAnalysis analysis(Interface::posix);
  run.feed(analysis);
  ASSERT_EQ(analysis.global().size(), 2u);  // reads, then writes; not the file of one
  EXPECT_EQ(analysis.global()[0].layout, Layout::overlapping);
  EXPECT_EQ(analysis.global()[1].layout, Layout::segmented);
  EXPECT_EQ(analysis.local()[0].requests[0], 6u);
  // Both ranks read the same sequence: one of them again, elsewhere.
  EXPECT_EQ(analysis.repeats()[0].streams, 2u);
  EXPECT_EQ(analysis.repeats()[0].elsewhere, 1u);
  EXPECT_EQ(analysis.repeats()[0].same_file, 0u);
}

// Rank 0 reads 0 10 20 three times without closing: period 3, 6 of 9 requests are repeats. Opens anew and reads all nine again: the same
// file.
TEST(Spatial, Repetition) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  double t = 0;
  for (int opening = 0; opening < 2; ++opening) {
    for (int i = 0; i < 9; ++i, t += 10) run.call(0, "pread", f, t, t + 5, {i % 3 * 10, 10});
    run.call(0, "close", f, t, t + 1);
    t += 10;
  }
  run.call(0, "pread", f, t, t + 1);
  run.last().offset = no_offset;
  SpatialAnalysis analysis(Interface::posix);
  run.feed(analysis);
  const Repeats& repeats = analysis.repeats()[0];
  EXPECT_EQ(repeats.streams, 2u);
  EXPECT_EQ(repeats.requests, 18u);
  EXPECT_EQ(repeats.inside, 2u);
  EXPECT_EQ(repeats.inside_requests, 12u);
  EXPECT_EQ(repeats.same_file, 1u);
  EXPECT_EQ(repeats.same_file_requests, 9u);
  EXPECT_EQ(repeats.most_common_period, 3u);
  EXPECT_EQ(analysis.without_offset(), 1u);
}

}  // namespace
}  // namespace fathom::trace
