// SPDX-License-Identifier: Apache-2.0
#include "trace/time_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace fathom::trace {
namespace {

/// The same by a stable sort of numbers.
std::vector<std::uint32_t> reference(const std::vector<std::uint64_t>& times) {
  std::vector<std::uint32_t> order(times.size()), places(times.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
  return places;
}

/// `runs` sorted runs of up to `length` times; all below `end` count.
void compare(TimeOrder& order, Random& random, std::uint64_t end, int runs, std::int64_t length) {
  std::vector<std::uint64_t> all;
  order.start(end);
  for (int r = 0; r < runs; ++r) {
    std::vector<std::uint64_t> times;
    for (std::int64_t n = random.whole(0, length); n > 0; --n) times.push_back(random.next() % (end + end / 8 + 1));
    std::sort(times.begin(), times.end());
    const auto below = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), end) - times.begin());
    ASSERT_EQ(order.add_sorted(times.size(), [&](std::size_t i) { return times[i]; }), below);
    all.insert(all.end(), times.begin(), times.begin() + static_cast<std::ptrdiff_t>(below));
  }
  ASSERT_EQ(order.size(), all.size());
  const std::uint32_t* const places = order.places();
  ASSERT_EQ(std::vector<std::uint32_t>(places, places + all.size()), reference(all)) << end;
}

TEST(TimeOrder, IsThatOfAStableSort) {
  TimeOrder order;
  Random random(1);
  // Ends around the borders of digits: one (11 bits), two, three, and the longest that there may be.
  for (const std::uint64_t end : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{2047}, std::uint64_t{2048}, std::uint64_t{1} << 22,
                                  std::uint64_t{1} << 30, TimeOrder::longest})
    for (int round = 0; round < 20; ++round) compare(order, random, end, 7, 200);
}

TEST(TimeOrder, ManyThatStartTogether) {
  TimeOrder order;
  Random random(2);
  compare(order, random, 1000, 30, 100'000);  // 1.5 million, more than 2^20: by comparing
  ASSERT_GT(order.size(), std::size_t{1} << TimeOrder::number_bits);
  compare(order, random, 1000, 3, 100);  // and back to few
}

}  // namespace
}  // namespace fathom::trace
