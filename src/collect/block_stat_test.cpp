// SPDX-License-Identifier: Apache-2.0
#include "collect/block_stat.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

// Of the line: 8093 reads of 571010 sectors, 23190 writes of 1538592 sectors. 571010 * 512 = 292,357,120; 1538592 * 512 = 787,759,104.
TEST(BlockStat, SectorsAreOf512Bytes) {
  const auto stat =
      parse_block_stat("    8093     2812   571010     2901    23190    33061  1538592    52341        0    22868    55242\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->values[index(Counter::read_bytes)], 292357120u);
  EXPECT_EQ(stat->values[index(Counter::write_bytes)], 787759104u);
  EXPECT_EQ(stat->values[index(Counter::read_ops)], 8093u);
  EXPECT_EQ(stat->values[index(Counter::write_ops)], 23190u);
}

// Newer kernels add fields of discards and flushes behind; those of before 2.6.25 and anything else are not guessed at.
TEST(BlockStat, MoreFieldsAreFineFewerAreNot) {
  EXPECT_TRUE(parse_block_stat("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"));
  EXPECT_FALSE(parse_block_stat("1 2 3 4 5 6 7 8 9 10"));
  EXPECT_FALSE(parse_block_stat("1 2 3\n4 5 6 7 8 9 10 11"));
  EXPECT_FALSE(parse_block_stat(""));
  EXPECT_FALSE(parse_block_stat("1 2 x 4 5 6 7 8 9 10 11"));
  EXPECT_FALSE(parse_block_stat("1 2 36028797018963968 4 5 6 7 8 9 10 11"));  // 2^55 sectors are 2^64 bytes
}

}  // namespace
}  // namespace fathom
