// SPDX-License-Identifier: Apache-2.0
#include "slices/sheet.h"

#include <gtest/gtest.h>

#include <random>

#include "slices/made_profile_test.h"
#include "slices/series.h"

namespace fathom::slices {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::uint64_t>>;

Pairs of(const Sheet& sheet, Counter counter) {
  Pairs found;
  const auto rows = sheet.slices(1000);
  EXPECT_TRUE(rows.has_value());
  for (const Slice& row : *rows) found.emplace_back(row.number, value_of(row.values, counter));
  return found;
}

TEST(Sheet, EvenlyOverAStretch) {
  Sheet sheet(4 * second);
  // From 2 s to 12 s: 2 s in slice 0, 4 s in slice 1, 4 s in slice 2.
  sheet.spread(2 * second, 12 * second, Counter::write_bytes, 1000);
  EXPECT_EQ(of(sheet, Counter::write_bytes), (Pairs{{0, 200}, {1, 400}, {2, 400}}));
  // Another one of one slice, and one of no length in a slice further on.
  sheet.spread(5 * second, 6 * second, Counter::write_bytes, 7);
  sheet.spread(100 * second, 100 * second, Counter::write_bytes, 9);
  EXPECT_EQ(of(sheet, Counter::write_bytes), (Pairs{{0, 200}, {1, 407}, {2, 400}, {25, 9}}));
}

TEST(Sheet, NothingIsLostByRounding) {
  Sheet sheet(second);
  sheet.spread(0, 7 * second, Counter::read_bytes, 10);  // 10 / 7 = 1.43 each: rounded sums 1 3 4 6 7 9 10
  EXPECT_EQ(of(sheet, Counter::read_bytes), (Pairs{{0, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 1}, {5, 2}, {6, 1}}));
}

TEST(Sheet, TimesOfTodayAndLargeAmounts) {
  const std::int64_t now = 1'800'000'000 * second;  // 2027: nanoseconds beyond 2^60
  ASSERT_GT(now, std::int64_t{1} << 60);
  Sheet sheet(4 * second);
  sheet.spread(now, now + 8 * second, Counter::read_bytes, largest_amount);
  EXPECT_EQ(of(sheet, Counter::read_bytes), (Pairs{{450'000'000, largest_amount / 2}, {450'000'001, largest_amount / 2}}));
  Sheet last(4 * second);
  last.spread(latest_moment - 8 * second, latest_moment - 1, Counter::read_bytes, largest_amount);
  const auto rows = last.slices(10);
  ASSERT_TRUE(rows.has_value());
  std::uint64_t sum = 0;
  for (const Slice& row : *rows) sum += value_of(row.values, Counter::read_bytes);
  EXPECT_EQ(sum, largest_amount);
}

TEST(Sheet, AsManySlicesAsAllowed) {
  Sheet sheet(second);
  sheet.spread(0, 100 * second, Counter::read_bytes, 100);
  EXPECT_TRUE(sheet.slices(100).has_value());
  EXPECT_FALSE(sheet.slices(99).has_value());
  Sheet endless(second);
  endless.spread(0, latest_moment - 1, Counter::read_bytes, largest_amount);
  EXPECT_FALSE(endless.slices(1000).has_value());  // and at once
}

/// Against the plain way: every slice of every stretch.
TEST(Sheet, SameAsSliceBySlice) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    Sheet sheet(second);
    std::map<std::int64_t, double> expected;
    std::uint64_t total = 0;
    for (int i = 0; i < 20; ++i) {
      const auto begin = static_cast<std::int64_t>(random() % 50'000'000'000),
                 end = begin + static_cast<std::int64_t>(random() % 20'000'000'000);
      const std::uint64_t amount = random() % 1'000'000;
      sheet.spread(begin, end, Counter::write_bytes, amount);
      total += amount;
      for (std::int64_t k = slice_of(begin, second); k * second < end; ++k)
        expected[k] += static_cast<double>(amount) * static_cast<double>(std::min(end, (k + 1) * second) - std::max(begin, k * second)) /
                       static_cast<double>(end - begin);
    }
    std::uint64_t sum = 0;
    for (const auto& [number, bytes] : of(sheet, Counter::write_bytes)) {
      EXPECT_NEAR(static_cast<double>(bytes), expected[number], 1.001);
      sum += bytes;
    }
    EXPECT_EQ(sum, total);
  }
}

}  // namespace
}  // namespace fathom::slices
