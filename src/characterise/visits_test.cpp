// SPDX-License-Identifier: Apache-2.0
#include "characterise/visits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace fathom {
namespace {

TEST(Visits, TimeWithinRanges) {
  const std::vector<TimeRange> ranges{{0, 120}, {1000, 1120}, {2000, 2000}};
  EXPECT_EQ(time_within(ranges, 30, 1000), 90);
  EXPECT_EQ(time_within(ranges, 30, 1060), 150);
  EXPECT_EQ(time_within(ranges, 120, 1000), 0);
  EXPECT_EQ(time_within(ranges, -10, 3000), 240);
  EXPECT_EQ(time_within(ranges, 1010, 1020), 10);
  EXPECT_EQ(time_within(ranges, 50, 50), 0);
  EXPECT_EQ(time_within({}, 0, 100), 0);
}

TEST(Visits, TimeWithinIsTheCountOfMoments) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<TimeRange> ranges;
    std::vector<bool> inside(200);
    for (std::int64_t at = 0; at < 180;) {
      const std::int64_t from = at + random.whole(0, 29), to = from + random.whole(0, 19);
      if (to > 200) break;
      ranges.push_back({from, to});
      for (std::int64_t t = from; t < to; ++t) inside[static_cast<std::size_t>(t)] = true;
      at = to + 1;
    }
    const std::int64_t a = random.whole(0, 199), b = random.whole(a, 200);
    EXPECT_EQ(time_within(ranges, a, b), std::count(inside.begin() + a, inside.begin() + b, true));
  }
}

}  // namespace
}  // namespace fathom
