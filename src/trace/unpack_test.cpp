// SPDX-License-Identifier: Apache-2.0
#include "trace/unpack.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "trace_format/pack.h"

namespace fathom::trace {
namespace {

using Values = std::vector<std::uint64_t>;

/// Packs, unpacks and compares; gives the bytes that the column took. It stands in memory of its own size, so that reading behind the
/// padding is seen.
std::size_t there_and_back(const Values& values) {
  std::vector<std::uint8_t> out(4 + 8 * stretch_records + 8);
  Values used = values;
  const std::size_t bytes =
      static_cast<std::size_t>(pack_column(used.data(), used.size(), any_bits(used.data(), used.size()), out.data()) - out.data());
  EXPECT_LE(bytes, 4 + 8 * stretch_records);
  std::vector<std::uint8_t> column(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(bytes));
  column.resize(bytes + padding_behind_stretches);
  PackedColumns packed{column.data(), column.data() + bytes};
  ColumnValues back;
  std::uint64_t bound = UINT64_MAX;
  EXPECT_TRUE(packed.take(values.size(), back, bound));
  EXPECT_EQ(packed.left(), 0u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(back[i], values[i]) << i << " of " << values.size();
    EXPECT_LE(back[i], bound);
  }
  return bytes;
}

TEST(Unpack, ValuesOfEveryWidthComeBack) {
  Random random(1);
  for (unsigned width = 1; width <= 64; ++width) {
    for (std::size_t count = 1; count <= stretch_records; ++count) {
      Values values(count);
      for (std::uint64_t& value : values) value = random.next() >> (64 - width);
      values[0] |= 1;
      there_and_back(values);
      for (std::uint64_t& value : values) value = random.chance(0.5) ? value : 0 - value;
      there_and_back(values);
    }
  }
}

TEST(Unpack, ValuesLikeNothingBesideThemComeBack) {
  Random random(2);
  for (int round = 0; round < 5000; ++round) {
    Values values(static_cast<std::size_t>(random.whole(1, stretch_records)));
    const auto shift = static_cast<unsigned>(random.whole(0, 40));
    for (std::uint64_t& value : values)
      value = random.chance(0.1) ? random.next() << random.whole(0, 63) : static_cast<std::uint64_t>(random.whole(-100, 100)) << shift;
    if (random.chance(0.5)) values.back() = UINT64_MAX;
    values.front() |= std::uint64_t{1} << 40;
    there_and_back(values);
  }
}

// The start of a column takes 4 bytes, 64 values of w bits 8 w bytes.
TEST(Unpack, TakesAsManyBitsAsMostValuesNeed) {
  Values values(stretch_records, 100);
  EXPECT_EQ(there_and_back(values), 4u);  // all the same: the base
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100 + i % 8;
  EXPECT_EQ(there_and_back(values), 4u + 8 * 3);  // 0 to 7 above the base
  values[17] = 100 + 5000;
  EXPECT_EQ(there_and_back(values), 4u + 8 * 3 + 1 + 2);  // a place, and 5000 >> 3 = 625 in two bytes
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0 - (i % 4 * 65536);
  EXPECT_EQ(there_and_back(values), 4u + 8 * 3);  // 0 to -3 are 0, 1, 3 and 5
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 4 * 65536;
  EXPECT_EQ(there_and_back(values), 4u + 8 * 3);  // 0, 2, 4 and 6
  EXPECT_EQ(there_and_back({7}), 4u);
  EXPECT_EQ(there_and_back({70001}), 4u + 1 + 2);  // one alone is an exception: 70001 - 65535, and its place
}

TEST(Unpack, WhatIsNoColumnIsRefused) {
  const auto taken = [](std::vector<std::uint8_t> bytes, std::size_t count) {
    bytes.resize(bytes.size() + padding_behind_stretches);
    PackedColumns packed{bytes.data(), bytes.data() + bytes.size() - padding_behind_stretches};
    ColumnValues values;
    std::uint64_t bound;
    return packed.take(count, values, bound);
  };
  const auto column = [](unsigned base, ColumnForm form, std::size_t bytes, std::uint8_t of = 0) {
    const std::uint16_t coded = form.coded();
    std::vector<std::uint8_t> all{static_cast<std::uint8_t>(base), static_cast<std::uint8_t>(base >> 8), static_cast<std::uint8_t>(coded),
                                  static_cast<std::uint8_t>(coded >> 8)};
    all.resize(all.size() + bytes, of);
    return all;
  };
  EXPECT_TRUE(taken(column(0, {9, 0, 1}, 9 * 8), 64));
  EXPECT_FALSE(taken(column(0, {9, 0, 1}, 9 * 8 - 1), 64));
  EXPECT_FALSE(taken({1, 0, 0}, 64));
  EXPECT_FALSE(taken(column(0, {58, 0, 1}, 64 * 8), 64));  // no such width
  EXPECT_FALSE(taken(column(0, {64, 1, 1}, 64 * 8 + 2), 64));
  EXPECT_TRUE(taken(column(0, {0, 1, 1}, 2, 9), 10));
  EXPECT_FALSE(taken(column(0, {0, 1, 1}, 2, 10), 10));  // an exception behind the last value
  EXPECT_TRUE(taken(column(63, {1, 0, 1, true}, 8), 64));
  EXPECT_FALSE(taken(column(64, {1, 0, 1, true}, 8), 64));
}

}  // namespace
}  // namespace fathom::trace
