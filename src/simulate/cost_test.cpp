// SPDX-License-Identifier: Apache-2.0
#include "simulate/cost.h"

#include <gtest/gtest.h>

#include "simulate/engine.h"

namespace fathom::simulate {
namespace {

constexpr Picoseconds hour = 3600 * picoseconds_per_second;

Prices known() {
  Prices prices;
  prices.external_bandwidth = 12.5;
  prices.burst_buffer = 0.5;
  return prices;
}

Architecture with(std::uint64_t gbit, std::uint64_t gib) {
  Architecture architecture;
  architecture.external_bandwidth = gbit * Gbit;
  architecture.burst_buffer = gib * GiB;
  return architecture;
}

/// 600 x (4 x 12.5 + 16 x 0.5) = 600 x 58 = 34,800.
TEST(Cost, LinksAndBuffersOfAllNodes) {
  EXPECT_EQ(cost(known(), with(4, 16), 600), 34800);
  EXPECT_EQ(cost(known(), with(10, 0), 600), 75000);
  Architecture half = with(1, 0);
  half.external_bandwidth /= 2;
  EXPECT_EQ(cost(known(), half, 1), 6.25);
}

TEST(Cost, WhatHasNoPriceMakesItUnknown) {
  Prices only_links = known();
  only_links.burst_buffer.reset();
  EXPECT_EQ(cost(only_links, with(4, 0), 2), 100) << "there is no burst buffer to pay for";
  EXPECT_EQ(cost(only_links, with(4, 16), 2), std::nullopt);
  Prices only_buffers = known();
  only_buffers.external_bandwidth.reset();
  EXPECT_EQ(cost(only_buffers, with(4, 16), 2), std::nullopt);
  EXPECT_EQ(cost({}, with(4, 16), 2), std::nullopt);
  only_links.burst_buffer = 0;
  EXPECT_EQ(cost(only_links, with(4, 16), 2), 100) << "for nothing is a price, too";
}

/// In 6 hours 3 x 16 GiB into two buffers of 16 GiB, 2 of them into one. A day: 12 x 16 GiB = 192 GiB into both, 6 times full on average
/// and 8 times the busier one. That one gets 128 GiB a day: an endurance of 365.25 x 1280 GiB lasts 10 years.
TEST(Wear, ByHand) {
  Prices prices;
  const Buffered found{48 * GiB, 32 * GiB, 2, 6 * hour};
  Wear wears = wear(prices, with(1, 16), found);
  EXPECT_DOUBLE_EQ(*wears.bytes_per_day, 192.0 * static_cast<double>(GiB));
  EXPECT_DOUBLE_EQ(*wears.full_writes_per_day, 6);
  EXPECT_DOUBLE_EQ(*wears.most_full_writes_per_day, 8);
  EXPECT_EQ(wears.years, std::nullopt) << "nobody said how much can be written";
  prices.endurance_bytes = 365.25 * 1280 * static_cast<double>(GiB);
  EXPECT_DOUBLE_EQ(*wear(prices, with(1, 16), found).years, 10);
  // 2 full writes a day for 5 years are used up by 8 a day after 5 x 2 / 8 = 1.25 years.
  Prices data_sheet;
  data_sheet.drive_writes_per_day = 2;
  data_sheet.warranty_years = 5;
  EXPECT_DOUBLE_EQ(*wear(data_sheet, with(1, 16), found).years, 1.25);
}

TEST(Wear, WithoutBufferTimeOrBytes) {
  Prices prices;
  prices.endurance_bytes = 1e15;
  const Wear none = wear(prices, with(1, 0), {0, 0, 2, hour});
  EXPECT_EQ(*none.bytes_per_day, 0);
  EXPECT_FALSE(none.full_writes_per_day || none.most_full_writes_per_day || none.years);
  EXPECT_FALSE(wear(prices, with(1, 16), {0, 0, 2, 0}).bytes_per_day);
  const Wear unused = wear(prices, with(1, 16), {0, 0, 2, hour});
  EXPECT_EQ(*unused.full_writes_per_day, 0);
  EXPECT_FALSE(unused.years);
}

/// Two nodes with a buffer behind the page pool: 3 and 1 writes of 1 MiB, and a read that never goes there.
TEST(Buffered, IsWhatWentIntoTheBuffers) {
  Work work;
  work.nodes.push_back({"0", 4, {}});
  work.nodes.push_back({"1", 4, {}});
  const auto doing = [](std::uint32_t node, std::uint64_t reads, std::uint64_t writes) {
    return WorkIncrement{node, 0, hour, {{reads * MiB, writes * MiB}, {reads, writes}}, 0};
  };
  ASSERT_TRUE(lay_out(work, {doing(0, 1, 3), doing(1, 0, 1)}));
  const auto outcome = run(with(1, 16), work);
  ASSERT_TRUE(outcome) << outcome.error().message;
  const Buffered found = buffered(with(1, 16), work, *outcome);
  EXPECT_EQ(found.bytes, 4 * MiB);
  EXPECT_EQ(found.most, 3 * MiB);
  EXPECT_EQ(found.io_nodes, 2u);
  EXPECT_EQ(found.span, hour) << "the interval ends long after the I/O";
  EXPECT_EQ(buffered(with(1, 0), work, *run(with(1, 0), work)).bytes, 0u) << "there is none";
  Architecture shared = with(1, 16);
  shared.burst_buffer_shared_by = 2;
  EXPECT_EQ(buffered(shared, work, *run(shared, work)).most, 2 * MiB) << "4 MiB into two buffers that are one";
}

}  // namespace
}  // namespace fathom::simulate
