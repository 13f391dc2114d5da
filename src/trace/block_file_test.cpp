// SPDX-License-Identifier: Apache-2.0
#include "trace/block_file.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "trace/made_trace_test.h"

namespace fathom::trace {
namespace {

std::string three_blocks(std::vector<std::size_t>* ends = nullptr) {
  MadeBlocks make;
  std::string bytes;
  for (std::uint64_t first = 0; first < 3; ++first) {
    Record record{.start = 1000 + first,
                  .duration = 5,
                  .offset = 0,
                  .bytes = 1,
                  .result = 1,
                  .object = 1,
                  .call = first_call,
                  .depth = 0,
                  .detail = 0};
    bytes += make.records(7, 3, first, &record, 1);
    if (ends != nullptr) ends->push_back(bytes.size());
  }
  return bytes;
}

BlockScan scan(const std::string& bytes) { return scan_blocks({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}); }

TEST(BlockFile, WholeFilesHaveNoTornBytes) {
  const std::string bytes = three_blocks();
  const BlockScan found = scan(bytes);
  ASSERT_EQ(found.blocks.size(), 3u);
  EXPECT_EQ(found.torn_bytes, 0u);
  EXPECT_EQ(found.blocks[2].header.first, 2u);
}

TEST(BlockFile, CutAnywhereTheBlocksBeforeAreFound) {
  std::vector<std::size_t> ends;
  const std::string bytes = three_blocks(&ends);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    const BlockScan found = scan(cut);
    const auto whole = static_cast<std::size_t>(std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; }));
    EXPECT_EQ(found.blocks.size(), whole) << size;
    EXPECT_EQ(found.torn_bytes, size - (whole == 0 ? 0 : ends[whole - 1])) << size;
  }
}

TEST(BlockFile, AChangedByteCostsOneBlock) {
  const std::string bytes = three_blocks();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] ^= 0x40;
    EXPECT_EQ(scan(changed).blocks.size(), 2u) << at;
  }
}

TEST(BlockFile, GarbageBetweenBlocksIsPassedOver) {
  std::vector<std::size_t> ends;
  const std::string bytes = three_blocks(&ends);
  // Garbage that holds the magic, then the first half of a block, as a full disk leaves it.
  const std::string garbage = "FTB1FTB1 nothing FTB" + bytes.substr(0, 50);
  const BlockScan found = scan(garbage + bytes.substr(0, ends[0]) + garbage + bytes.substr(ends[0]));
  EXPECT_EQ(found.blocks.size(), 3u);
  EXPECT_EQ(found.torn_bytes, 2 * garbage.size());
  EXPECT_EQ(found.torn_places, 2u);
}

TEST(BlockFile, LaterVersionsAreCountedAndLeftOut) {
  std::string bytes = three_blocks();
  BlockHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.version = 99;
  header.checksum = checksum_of(header, bytes.data() + sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  const BlockScan found = scan(bytes);
  EXPECT_EQ(found.blocks.size(), 2u);
  EXPECT_EQ(found.strange, 1u);
  EXPECT_EQ(found.other_version, 99);
}

}  // namespace
}  // namespace fathom::trace
