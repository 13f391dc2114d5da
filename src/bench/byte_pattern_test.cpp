// SPDX-License-Identifier: Apache-2.0
#include "bench/byte_pattern.h"

#include <gtest/gtest.h>

#include <vector>

namespace fathom {
namespace {

/// However a stretch is cut, each byte is the one of its place: at() is the slow reference of fill().
TEST(BytePattern, IsTheSameHoweverItIsCut) {
  const BytePattern pattern(1, 3);
  for (const std::uint64_t offset : {0u, 1u, 7u, 8u, 4093u})
    for (const std::size_t size : {1u, 3u, 8u, 17u, 5000u}) {
      std::vector<std::byte> bytes(size);
      pattern.fill(bytes, offset);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], pattern.at(offset + i)) << offset << " + " << i;
      EXPECT_EQ(pattern.first_difference(bytes, offset), std::nullopt);
    }
}

TEST(BytePattern, EveryWrongByteIsFound) {
  const BytePattern pattern(1, 3);
  std::vector<std::byte> bytes(9000);
  pattern.fill(bytes, 5);
  for (const std::size_t place : {0u, 4095u, 4096u, 8999u}) {
    bytes[place] ^= std::byte{1};
    EXPECT_EQ(pattern.first_difference(bytes, 5), place);
    bytes[place] ^= std::byte{1};
  }
}

/// Data of another task, another seed or another place is not taken for one's own.
TEST(BytePattern, DiffersByTaskSeedAndPlace) {
  std::vector<std::byte> bytes(64);
  BytePattern(1, 3).fill(bytes, 0);
  EXPECT_NE(BytePattern(1, 4).first_difference(bytes, 0), std::nullopt);
  EXPECT_NE(BytePattern(2, 3).first_difference(bytes, 0), std::nullopt);
  EXPECT_NE(BytePattern(1, 3).first_difference(bytes, 64), std::nullopt);
}

}  // namespace
}  // namespace fathom
