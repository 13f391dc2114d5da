// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random.h"
#include "mine/burst_log.h"
#include "mine/footprint.h"

namespace fathom::mine {
namespace {

constexpr std::size_t hour_slots = 360;
const float unmeasured = static_cast<float>(unknown_amount);

/// `slots` of 10 s and `servers` with 5 MB of small requests each, give or take a tenth.
TrafficMatrix quiet(std::size_t slots, std::size_t servers, std::uint64_t seed = 1) {
  TrafficMatrix matrix{.start = time_from_seconds(0), .step = std::chrono::seconds{10}, .slots = slots, .servers = servers, .amounts = {}};
  Random random(seed);
  for (auto& amounts : matrix.amounts) {
    amounts.resize(slots * servers);
    for (float& amount : amounts) amount = static_cast<float>(5e6 * (1 + 0.1 * random.normal()));
  }
  return matrix;
}

/// Adds `bytes` per slot to the written bytes of servers [first, end) in slots [from, to).
void add(TrafficMatrix& matrix, std::size_t from, std::size_t to, std::size_t first, std::size_t end, float bytes) {
  for (std::size_t slot = from; slot < to; ++slot)
    for (std::size_t server = first; server < end; ++server) matrix.amounts[1][slot * matrix.servers + server] += bytes;
}

std::vector<KnownBurst> written(const TrafficMatrix& matrix) {
  const auto block = bursts_of_block(matrix, matrix.start, matrix.end());
  EXPECT_TRUE(block) << block.error().message;
  return block ? block->bursts[1] : std::vector<KnownBurst>{};
}

TEST(TrafficMatrix, TotalScalesByKnownServersAndForgetsHalfMissingSlots) {
  TrafficMatrix matrix{.start = time_from_seconds(0), .step = std::chrono::seconds{10}, .slots = 3, .servers = 4, .amounts = {}};
  matrix.amounts[0].assign(12, 0);
  matrix.amounts[1] = {1, 2, 3, 4, 1, 2, unmeasured, 4, 1, unmeasured, unmeasured, unmeasured};
  const TrafficSeries total = matrix.total(1);
  EXPECT_DOUBLE_EQ(total.amounts[0], 10);
  EXPECT_DOUBLE_EQ(total.amounts[1], 7 * 4.0 / 3);  // the missing one as the mean of three
  EXPECT_FALSE(total.known(2));                     // one of four is less than half
  EXPECT_EQ(total.begin_of(1), time_from_seconds(10));
}

// 30 of 100 servers write 400 MB in each of six slots: 30 * 6 * 400 MB = 72 GB, 30 * 40 MB/s = 1.2 GB/s.
TEST(BurstBlock, CountsServersAndTheirBytes) {
  TrafficMatrix matrix = quiet(2 * hour_slots, 100);
  add(matrix, 400, 406, 20, 50, 400e6f);
  const auto bursts = written(matrix);
  ASSERT_EQ(bursts.size(), 1u);
  EXPECT_EQ(bursts[0].start, time_from_seconds(4000));
  EXPECT_EQ(bursts[0].servers, 30u);
  EXPECT_NEAR(bursts[0].own_area, 72e9, 0.01 * 72e9);
  EXPECT_NEAR(bursts[0].own_height, 1.2e9, 0.01 * 1.2e9);
}

// Another job's burst of 20 servers begins two slots earlier and ends three slots earlier; its bytes are not this one's.
TEST(BurstBlock, LeavesOutServersOfAnOverlappingBurst) {
  TrafficMatrix matrix = quiet(2 * hour_slots, 100);
  add(matrix, 400, 408, 0, 40, 400e6f);
  add(matrix, 397, 404, 60, 80, 300e6f);
  const auto bursts = written(matrix);
  ASSERT_EQ(bursts.size(), 2u);
  EXPECT_EQ(bursts[0].servers, 20u);
  EXPECT_EQ(bursts[1].servers, 40u);
  EXPECT_NEAR(bursts[0].own_area, 20 * 7 * 300e6, 0.01 * 20 * 7 * 300e6);
  EXPECT_NEAR(bursts[1].own_area, 40 * 8 * 400e6, 0.01 * 40 * 8 * 400e6);
}

// Where two bursts meet, a server says nothing about each: it counts as the mean of the 30 that are alone.
TEST(BurstBlock, ServersWithTwoBurstsCountAsTheOthers) {
  TrafficMatrix matrix = quiet(2 * hour_slots, 100);
  add(matrix, 400, 408, 0, 40, 400e6f);
  add(matrix, 396, 404, 30, 50, 400e6f);
  const auto bursts = written(matrix);
  ASSERT_EQ(bursts.size(), 2u);
  EXPECT_EQ(bursts[1].servers, 40u);
  EXPECT_NEAR(bursts[1].own_area, 40 * 8 * 400e6, 0.02 * 40 * 8 * 400e6);
}

TEST(BurstBlock, BelongsToTheBlockItStartsIn) {
  TrafficMatrix matrix = quiet(3 * hour_slots, 20);
  const Time from = time_from_seconds(3600), to = time_from_seconds(7200);
  for (const std::size_t slot : {hour_slots - 20, hour_slots, 2 * hour_slots - 1, 2 * hour_slots})
    add(matrix, slot, slot + 4, 0, 10, 400e6f);
  const auto block = bursts_of_block(matrix, from, to);
  ASSERT_TRUE(block);
  ASSERT_EQ(block->bursts[1].size(), 2u);
  EXPECT_EQ(block->bursts[1][0].start, from);
  ASSERT_EQ(block->seen[1].size(), 1u);
  EXPECT_EQ(block->seen[1][0].from, from);
  EXPECT_EQ(block->seen[1][0].to, to);
}

// What lies farther away than the context (two hours) does not matter.
TEST(BurstBlock, DependsOnItsSurroundingsAlone) {
  TrafficMatrix all = quiet(12 * hour_slots, 30, 3);
  Random random(4);
  for (int i = 0; i < 150; ++i) {
    const auto from = static_cast<std::size_t>(random.whole(0, 12 * hour_slots - 20)),
               first = static_cast<std::size_t>(random.whole(0, 20));
    add(all, from, from + static_cast<std::size_t>(random.whole(2, 15)), first, first + 8, static_cast<float>(random.uniform(1e8, 6e8)));
  }
  TrafficMatrix part{.start = time_from_seconds(2 * 3600), .step = all.step, .slots = 8 * hour_slots, .servers = 30, .amounts = {}};
  for (std::size_t d = 0; d < 2; ++d)
    part.amounts[d].assign(all.amounts[d].begin() + 2 * hour_slots * 30, all.amounts[d].begin() + 10 * hour_slots * 30);
  const auto a = bursts_of_block(all, time_from_seconds(4 * 3600), time_from_seconds(8 * 3600));
  const auto b = bursts_of_block(part, time_from_seconds(4 * 3600), time_from_seconds(8 * 3600));
  ASSERT_TRUE(a && b);
  ASSERT_GT(a->bursts[1].size(), 20u);
  ASSERT_EQ(a->bursts[1].size(), b->bursts[1].size());
  for (std::size_t i = 0; i < a->bursts[1].size(); ++i) {
    EXPECT_EQ(a->bursts[1][i].start, b->bursts[1][i].start);
    EXPECT_EQ(a->bursts[1][i].servers, b->bursts[1][i].servers);
    EXPECT_EQ(a->bursts[1][i].own_area, b->bursts[1][i].own_area);
  }
}

TEST(BurstBlock, AServerThatVanishesIsNotCounted) {
  TrafficMatrix matrix = quiet(2 * hour_slots, 50);
  add(matrix, 400, 408, 0, 20, 400e6f);
  for (std::size_t slot = 300; slot < 500; ++slot) matrix.amounts[1][slot * 50 + 7] = unmeasured;
  const auto bursts = written(matrix);
  ASSERT_EQ(bursts.size(), 1u);
  EXPECT_EQ(bursts[0].servers, 19u);
  EXPECT_NEAR(bursts[0].own_area, 19 * 8 * 400e6, 0.01 * 19 * 8 * 400e6);
}

// A server that restarts in the middle has two unknown slots of eight: it counts as the other 19.
TEST(BurstBlock, AServerThatRestartsWithinABurst) {
  TrafficMatrix matrix = quiet(2 * hour_slots, 50);
  add(matrix, 400, 408, 0, 20, 400e6f);
  for (const std::size_t slot : {404u, 405u}) matrix.amounts[1][slot * 50 + 7] = unmeasured;
  const auto bursts = written(matrix);
  ASSERT_EQ(bursts.size(), 1u);
  EXPECT_EQ(bursts[0].servers, 20u);
  EXPECT_NEAR(bursts[0].own_area, 20 * 8 * 400e6, 0.01 * 20 * 8 * 400e6);
}

TEST(BurstBlock, NothingInEmptyConstantOrUnknownTraffic) {
  EXPECT_TRUE(
      written(TrafficMatrix{.start = time_from_seconds(0), .step = std::chrono::seconds{10}, .slots = 0, .servers = 0, .amounts = {}})
          .empty());
  EXPECT_TRUE(written(quiet(1, 20)).empty());  // one slot of data
  TrafficMatrix constant = quiet(2 * hour_slots, 20);
  for (auto& amounts : constant.amounts) std::fill(amounts.begin(), amounts.end(), 5e6f);
  EXPECT_TRUE(written(constant).empty());
  for (auto& amounts : constant.amounts) std::fill(amounts.begin(), amounts.end(), unmeasured);
  const auto block = bursts_of_block(constant, constant.start, constant.end());
  ASSERT_TRUE(block);
  EXPECT_TRUE(block->bursts[1].empty());
  EXPECT_TRUE(block->seen[1].empty());
}

// A log that stops for a while has two seen stretches; the burst beside the gap is told from the side that was measured.
TEST(BurstBlock, GapsSplitWhatWasSeen) {
  TrafficMatrix matrix = quiet(3 * hour_slots, 20);
  add(matrix, 410, 418, 0, 10, 400e6f);
  for (std::size_t i = 380 * 20; i < 410 * 20; ++i) matrix.amounts[0][i] = matrix.amounts[1][i] = unmeasured;
  const auto block = bursts_of_block(matrix, matrix.start, matrix.end());
  ASSERT_TRUE(block);
  ASSERT_EQ(block->seen[1].size(), 2u);
  EXPECT_EQ(block->seen[1][0].to, time_from_seconds(3800));
  EXPECT_EQ(block->seen[1][1].from, time_from_seconds(4100));
  ASSERT_EQ(block->bursts[1].size(), 1u);
  EXPECT_EQ(block->bursts[1][0].servers, 10u);
}

}  // namespace
}  // namespace fathom::mine
