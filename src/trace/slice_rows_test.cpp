// SPDX-License-Identifier: Apache-2.0
#include "trace/slice_rows.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "base/random.h"
#include "trace/memory_reader.h"

namespace fathom::trace {
namespace {

constexpr std::int64_t second = 1'000'000'000;

struct BoardDeleter {
  void operator()(SliceBoard* board) const { ::operator delete (board, std::align_val_t{64}); }
};
using BoardPointer = std::unique_ptr<SliceBoard, BoardDeleter>;

BoardPointer make_board(std::int64_t length) {
  void* const memory = ::operator new (sizeof(SliceBoard), std::align_val_t{64});
  std::memset(memory, 0, sizeof(SliceBoard));
  BoardPointer board(static_cast<SliceBoard*>(memory));
  board->length = length;
  board->scale = 1ull << 32;
  return board;
}

/// Blocks as a trace file would hold them, kept alive.
struct Blocks {
  std::vector<std::vector<std::uint8_t>> bytes;
  std::map<std::uint64_t, Block> by_number;

  void add(const SliceBoard& board, std::uint64_t number, const std::vector<SliceRow>& rows) {
    auto& out = bytes.emplace_back(slice_block_bound(rows.size()));
    BlockHeader header{};
    header.process = 7;
    header.first = number;
    out.resize(encode_slice_block(header, board, rows.data(), static_cast<std::uint32_t>(rows.size()), out.data()));
    const BlockScan scan = scan_blocks(out);
    ASSERT_EQ(scan.blocks.size(), 1u);
    by_number.emplace(number, scan.blocks[0]);
  }
};

SliceRow row(std::int64_t number, std::initializer_list<std::pair<SliceCounter, std::uint64_t>> values) {
  SliceRow made{number, {}};
  for (const auto& [counter, value] : values) made.values[static_cast<std::size_t>(counter)] = value;
  return made;
}

TEST(SliceRows, BlocksAddUpInAnyOrderOfSlices) {
  const auto board = make_board(4 * second);
  Blocks blocks;
  blocks.add(*board, 0, {row(100, {{SliceCounter::write_bytes, 10}}), row(98, {{SliceCounter::read_bytes, 5}})});
  blocks.add(
      *board, 1,
      {row(100, {{SliceCounter::write_bytes, 7}, {SliceCounter::opens, 1}}), row(-3, {{SliceCounter::mpi_write_bytes, UINT64_MAX}})});
  const SliceRows all = put_slices_together(blocks.by_number);
  EXPECT_EQ(all.length, 4 * second);
  ASSERT_EQ(all.rows.size(), 3u);
  EXPECT_EQ(all.rows[0].number, -3);
  EXPECT_EQ(all.rows[0].values[static_cast<std::size_t>(SliceCounter::mpi_write_bytes)], UINT64_MAX);
  EXPECT_EQ(all.rows[1].number, 98);
  EXPECT_EQ(all.rows[2].values[static_cast<std::size_t>(SliceCounter::write_bytes)], 17u);
  EXPECT_EQ(all.rows[2].values[static_cast<std::size_t>(SliceCounter::opens)], 1u);
}

TEST(SliceRows, TimesAreTicksOfTheProcess) {
  const auto board = make_board(second);
  board->scale = (1ull << 32) / 2;  // a tick is half a nanosecond
  Blocks blocks;
  blocks.add(*board, 0, {row(1, {{SliceCounter::io_time, 1000}, {SliceCounter::write_bytes, 1000}})});
  const SliceRows all = put_slices_together(blocks.by_number);
  EXPECT_EQ(all.rows[0].values[static_cast<std::size_t>(SliceCounter::io_time)], 500u);
  EXPECT_EQ(all.rows[0].values[static_cast<std::size_t>(SliceCounter::write_bytes)], 1000u);
}

TEST(SliceRows, StepsOfTheClockAreKept) {
  const auto board = make_board(second);
  board->steps = 2;
  board->step[0] = {5 * second, -3 * second};
  board->step[1] = {-second, 1};
  Blocks blocks;
  blocks.add(*board, 0, {});
  const SliceRows all = put_slices_together(blocks.by_number);
  ASSERT_EQ(all.steps.size(), 2u);
  EXPECT_EQ(all.steps[0].at, 5 * second);
  EXPECT_EQ(all.steps[0].by, -3 * second);
  EXPECT_EQ(all.steps[1].at, -second);
  EXPECT_TRUE(all.rows.empty());
}

TEST(SliceRows, OtherLengthsAndNonsenseAreLeftOutAndCounted) {
  const auto four = make_board(4 * second), one = make_board(second), none = make_board(0);
  Blocks blocks;
  blocks.add(*four, 0, {row(1, {{SliceCounter::opens, 1}})});
  blocks.add(*one, 1, {row(2, {{SliceCounter::opens, 1}})});
  blocks.add(*none, 2, {row(3, {{SliceCounter::opens, 1}})});
  blocks.add(*four, 3, {row(INT64_MAX / 2, {{SliceCounter::opens, 1}})});  // its time would not fit
  const SliceRows all = put_slices_together(blocks.by_number);
  EXPECT_EQ(all.rows.size(), 1u);
  EXPECT_EQ(all.other_length, 1u);
  EXPECT_EQ(all.broken, 2u);
}

// 24 hours of 4 s are 21,600 slices. Each as full as a slice can be of 1 GiB/s each way in calls of 64 KiB, every counter used.
TEST(SliceRows, ADayIsLessThanTwoMegabytes) {
  const auto board = make_board(4 * second);
  Random random = Random::stream(1, 0);
  std::vector<SliceRow> rows;
  std::size_t bytes = 0;
  std::vector<std::uint8_t> out(slice_block_bound(ring_slices));
  for (std::int64_t i = 0; i < 21'600; ++i) {
    SliceRow& made = rows.emplace_back();
    made.number = 445'000'000 + i;
    for (std::size_t c = 0; c < slice_counters; ++c) {
      const std::uint64_t most = is_time(c) ? 4ull * second : !shared_out(c) ? 65'536 : 4ull << 30;
      made.values[c] = static_cast<std::uint64_t>(random.whole(static_cast<std::int64_t>(most / 2), static_cast<std::int64_t>(most)));
    }
    if (rows.size() < ring_slices) continue;
    bytes += encode_slice_block({}, *board, rows.data(), ring_slices, out.data());
    rows.clear();
  }
  EXPECT_LT(bytes, 2'000'000u);
  EXPECT_LT(sizeof(SliceBoard), 2'000'000u);  // what it takes in memory, whatever the job's length
}

/// A memory file with a board in its first chunk.
std::vector<std::uint8_t> memory_file(const SliceBoard& board) {
  std::vector<std::uint8_t> bytes(first_chunk_at + chunk_bytes);
  ProcessHeader header{};
  header.magic = memory_magic;
  header.version = format_version;
  header.process = 7;
  header.chunks.store(1);
  ChunkHeader chunk{};
  chunk.magic = chunk_magic;
  chunk.state.store(ChunkState::slices);
  std::memcpy(bytes.data(), static_cast<const void*>(&header), sizeof header);
  std::memcpy(bytes.data() + first_chunk_at, static_cast<const void*>(&chunk), sizeof chunk);
  std::memcpy(bytes.data() + first_chunk_at + sizeof chunk, static_cast<const void*>(&board), sizeof board);
  return bytes;
}

// Ring: slice 300 (place 300 - 256 = 44) with 50 bytes. Lanes: one in slice 301 that counted 30 bytes, of which 10 are in the ring already.
TEST(SliceBoard, WhatAKilledProcessLeftIsRingAndLanes) {
  const auto board = make_board(second);
  board->blocks = 3;
  board->ring[44] = row(300, {{SliceCounter::write_bytes, 50}});
  board->used[0] = 1ull << 44;
  board->lanes[895].number = 301;
  board->lanes[895].values[1] = 30;
  board->lanes[895].moved[1] = 10;
  const auto left = read_memory_file(memory_file(*board));
  ASSERT_TRUE(left);
  ASSERT_EQ(left->slice_blocks.size(), 2u);
  std::map<std::uint64_t, Block> blocks;
  for (const std::string& bytes : left->slice_blocks) {
    const BlockScan scan = scan_blocks({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_EQ(scan.blocks.size(), 1u);
    EXPECT_EQ(scan.blocks[0].header.process, 7u);
    blocks.emplace(scan.blocks[0].header.first, scan.blocks[0]);
  }
  EXPECT_EQ(blocks.count(3), 1u) << "the ring's block has the number it would have had";
  EXPECT_EQ(blocks.count(3 | block_of_lanes), 1u);
  const SliceRows all = put_slices_together(blocks);
  ASSERT_EQ(all.rows.size(), 2u);
  EXPECT_EQ(all.rows[0].values[1], 50u);
  EXPECT_EQ(all.rows[1].values[1], 20u);
}

TEST(SliceBoard, AnEmptyOrSenselessOneGivesNothing) {
  const auto empty = make_board(second), senseless = make_board(-5);
  senseless->used[0] = ~0ull;
  for (const auto& board : {&empty, &senseless}) {
    const auto left = read_memory_file(memory_file(**board));
    ASSERT_TRUE(left);
    EXPECT_TRUE(left->slice_blocks.empty());
  }
}

}  // namespace
}  // namespace fathom::trace
