// SPDX-License-Identifier: Apache-2.0
#include "timeline/request_sizes.h"

#include <gtest/gtest.h>

#include "timeline/sweep.h"

namespace fathom {
namespace {

constexpr std::int64_t s = 1'000'000;

// A million bytes without an operation; 100 bytes in one; of 500 bytes without an operation the job has 3 of 10 seconds: 150. So two
// increments are left out, with 1,000,150 bytes, and the one size that is known is 100. A server that counts requests but no bytes tells no
// size.
TEST(RequestSizes, BytesWithoutOperationsAreLeftOutAndCounted) {
  const std::vector<Stretch> stretches = {
      {0, 10 * s, 10 * s, {1'000'000, 0, 0, 0}}, {10 * s, 20 * s, 10 * s, {100, 0, 1, 0}}, {20 * s, 23 * s, 10 * s, {500, 0, 0, 0}}};
  const std::vector<Stretch> requests = {{0, 23 * s, 23 * s, {0, 0, 7, 0}}};
  const JobTimeline job{0,
                        23 * s,
                        2,
                        {{0, true, all_counters, {std::span<const Stretch>(stretches)}},
                         {1, true, mask(Counter::read_ops), {std::span<const Stretch>(requests)}}}};
  Sweeper sweeper({s, {0}, {99, 100}, true});
  for (int again = 0; again < 2; ++again) {  // nothing stays from the job before
    const Swept swept = sweeper.sweep(job);
    EXPECT_EQ(swept.sizes.sized[0], 1);
    EXPECT_EQ(swept.sized_bytes[0], 100);
    EXPECT_EQ(swept.sizes.small[0], (std::vector<double>{0, 1}));
    EXPECT_EQ(swept.sizes.increments_without_ops[0], 2u);
    EXPECT_DOUBLE_EQ(swept.sizes.bytes_without_ops[0], 1'000'150);
    EXPECT_EQ(swept.sizes.increments_without_ops[1], 0u);
    EXPECT_EQ(swept.sized_bytes[1], 0);
    EXPECT_EQ(swept.sizes.classes[0][size_class(100)], 1);
    EXPECT_EQ(swept.totals[2], 8);
  }
}

// Nothing at all is not an increment that is left out.
TEST(RequestSizes, IdleIncrementsAreNotLeftOut) {
  RequestSizes sizes;
  sizes.prepare(1, false);
  const std::vector<std::uint64_t> small = {4096};
  sizes.add(1, 0, 0, 1, small);
  EXPECT_EQ(sizes.increments_without_ops[1], 0u);
  EXPECT_EQ(sizes.bytes_without_ops[1], 0);
}

}  // namespace
}  // namespace fathom
