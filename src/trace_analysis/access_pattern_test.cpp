// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/access_pattern.h"

#include <gtest/gtest.h>

#include <vector>

namespace fathom::trace {
namespace {

/// c, s, n, q (sequential), r for each class's number of requests.
using Counts = std::array<std::uint64_t, access_class_count>;

AccessShares shares(const std::vector<std::int64_t>& offsets, std::uint64_t bytes = 10) {
  AccessPattern pattern;
  for (const std::int64_t offset : offsets) pattern.add(offset, bytes);
  return pattern.finish();
}

TEST(AccessPattern, Contiguous) {
  EXPECT_EQ(shares({0, 10, 20, 30}).requests, (Counts{4, 0, 0, 0, 0}));
  AccessPattern varying;  // sizes differ: each begins where the one before ended
  varying.add(5, 10);
  varying.add(15, 100);
  varying.add(115, 1);
  varying.add(116, 7);
  EXPECT_EQ(varying.finish().requests, (Counts{4, 0, 0, 0, 0}));
}

// Two equal steps make a stride; one step does not.
TEST(AccessPattern, SimpleStrided) {
  const AccessShares three = shares({0, 100, 200});
  EXPECT_EQ(three.requests, (Counts{0, 3, 0, 0, 0}));
  EXPECT_EQ(three.strides, (std::map<std::int64_t, std::uint64_t>{{100, 2}}));
  EXPECT_EQ(shares({0, 100}).requests, (Counts{0, 0, 0, 2, 0}));
  EXPECT_EQ(shares({200, 100, 0}).requests, (Counts{0, 3, 0, 0, 0}));  // backwards is constant, too
}

// n = 2, o = 30, l = 1000: 0 30 1000 1030 2000 2030: steps 30 970 30 970 30. All are nested; the stride is 1000.
TEST(AccessPattern, NestedOfTwo) {
  const AccessShares found = shares({0, 30, 1000, 1030, 2000, 2030});
  EXPECT_EQ(found.requests, (Counts{0, 0, 6, 0, 0}));
  EXPECT_EQ(found.strides.begin()->first, 1000);
  EXPECT_EQ(found.strides.size(), 1u);
}

// n = 3, o = 30, l = 1000, four blocks: steps 30 30 J 30 30 J 30 30 J 30 30. By precedence the steps inside blocks are simple strided (two
// equal steps): 1 + 4 x 2 requests; the three jumps are nested.
TEST(AccessPattern, NestedOfThreeIsStridedInsideBlocks) {
  EXPECT_EQ(shares({0, 30, 60, 1000, 1030, 1060, 2000, 2030, 2060, 3000, 3030, 3060}).requests, (Counts{0, 9, 3, 0, 0}));
}

// Blocks of three contiguous pieces, 1000 apart: contiguous inside, nested from block to block.
TEST(AccessPattern, NestedBlocksOfContiguousPieces) {
  const AccessShares found = shares({0, 10, 20, 1000, 1010, 1020, 2000, 2010, 2020});
  EXPECT_EQ(found.requests, (Counts{7, 0, 2, 0, 0}));
  EXPECT_EQ(found.strides, (std::map<std::int64_t, std::uint64_t>{{1000, 2}}));
}

// One jump only: l occurs once, which is no stride; it goes forward: sequential.
TEST(AccessPattern, OneJumpIsNotNested) { EXPECT_EQ(shares({0, 10, 20, 1000, 1010, 1020}).requests, (Counts{5, 0, 0, 1, 0})); }

TEST(AccessPattern, SequentialAndRandom) {
  EXPECT_EQ(shares({0, 100, 250, 700, 701}).requests, (Counts{0, 0, 0, 5, 0}));
  EXPECT_EQ(shares({500, 100, 900, 20, 333}).requests, (Counts{0, 0, 0, 2, 3}));  // steps -, +, -, +; the first takes its successor's
  EXPECT_EQ(shares({7}).alone, 1u);
  EXPECT_EQ(shares({}).classified(), 0u);
}

// Long sequences in few runs at a time: 1000 strided, a jump back, 1000 contiguous.
TEST(AccessPattern, LongOnes) {
  std::vector<std::int64_t> offsets;
  for (int i = 0; i < 1000; ++i) offsets.push_back(i * 100);
  for (int i = 0; i < 1000; ++i) offsets.push_back(i * 10);
  EXPECT_EQ(shares(offsets).requests, (Counts{999, 1000, 0, 0, 1}));
  std::vector<std::int64_t> nested;  // 500 blocks of two
  for (int i = 0; i < 500; ++i) nested.push_back(i * 1000), nested.push_back(i * 1000 + 30);
  EXPECT_EQ(shares(nested).requests, (Counts{0, 0, 1000, 0, 0}));
}

}  // namespace
}  // namespace fathom::trace
