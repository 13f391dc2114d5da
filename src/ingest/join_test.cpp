// SPDX-License-Identifier: Apache-2.0
#include "ingest/join.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

/// read_bytes, write_bytes, read_ops; the others stand still.
Sample at(std::int64_t seconds, std::uint64_t read, std::uint64_t written, std::uint64_t reads, std::uint8_t traits = narrow_ops) {
  Sample sample;
  sample.t = time_from_seconds(seconds);
  sample.has = all_counters;
  sample.traits = traits;
  sample.values = {read, written, reads, 7, 7, 7, 7, 7};
  return sample;
}

TEST(Join, TheFirstSampleHasNoPast) { EXPECT_FALSE(join(nullptr, at(120, 5, 5, 5), {})); }

TEST(Join, TheDifferenceOfTwoSamples) {
  const Sample a = at(0, 100, 200, 3), b = at(120, 150, 200, 4);
  const auto got = join(&a, b, {});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->start, a.t);
  EXPECT_EQ(got->end, b.t);
  EXPECT_EQ(got->amounts, (Counters{50, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(got->flags, plain);
}

TEST(Join, AnExplicitResetCountsFromItsOwnTime) {
  // Dissertation Fig. 4.1: what came between the last sample and the reset is lost, what came after it is not.
  const Sample a = at(0, 1000, 1000, 10), b = at(120, 5000, 20, 2);  // even where a counter did not fall
  const auto got = join(&a, b, {.last_reset = time_from_seconds(70)});
  EXPECT_EQ(got->start, time_from_seconds(70));
  EXPECT_EQ(got->amounts, b.values);
  EXPECT_EQ(got->flags, after_reset);
  EXPECT_EQ(join(nullptr, b, {.last_reset = time_from_seconds(70)})->start, time_from_seconds(70));
}

TEST(Join, AFallenByteCounterIsAnInferredReset) {
  const Sample a = at(0, 1000, 1000, 10), b = at(120, 400, 2000, 12);
  const auto got = join(&a, b, {});
  EXPECT_EQ(got->start, a.t);
  EXPECT_EQ(got->amounts, b.values);
  EXPECT_EQ(got->flags, reset_inferred);
}

TEST(Join, ANarrowCounterWraps) {
  // From 2^32 - 100 to 50 are 150 steps; the bytes rose.
  const Sample a = at(0, 1000, 1000, 4294967196), b = at(120, 1500, 1000, 50);
  const auto got = join(&a, b, {});
  EXPECT_EQ(got->amounts, (Counters{500, 0, 150, 0, 0, 0, 0, 0}));
  EXPECT_EQ(got->flags, wrapped);
  // From the lower half it cannot have wrapped; from the top half it would take more than half a turn.
  EXPECT_EQ(join(&a, at(120, 1500, 1000, 4294967100), {})->flags, reset_inferred);
  const Sample low = at(0, 1000, 1000, 4000);
  EXPECT_EQ(join(&low, at(120, 1500, 1000, 50), {})->flags, reset_inferred);
  // Lustre's counters are wide: the same fall is a reset.
  const Sample wide = at(0, 1000, 1000, 4294967196, cumulative);
  EXPECT_EQ(join(&wide, at(120, 1500, 1000, 50, cumulative), {})->flags, reset_inferred);
}

TEST(Join, UnmountAndExpiryAreNotMeasured) {
  const Sample a = at(0, 1000, 1000, 10, narrow_ops | drop_is_unmount);
  const auto unmount = join(&a, at(120, 400, 2000, 12, narrow_ops | drop_is_unmount), {});
  EXPECT_EQ(unmount->flags, unmounted);
  EXPECT_EQ(unmount->has, 0);
  const Sample entry = at(0, 1000, 1000, 10, drop_is_expiry);
  EXPECT_EQ(join(&entry, at(120, 1, 1, 1, drop_is_expiry), {})->flags, expired);
}

TEST(Join, AMovedStartTimeIsAResetThatIsRead) {
  const Sample a = at(0, 10, 10, 1, cumulative);
  Sample b = at(120, 900, 900, 9, cumulative);  // rose, so nothing could be inferred
  b.since = time_from_seconds(60);
  const auto got = join(&a, b, {});
  EXPECT_EQ(got->flags, after_reset);
  EXPECT_EQ(got->start, b.since);
  EXPECT_EQ(got->amounts, b.values);
  b.since = time_from_seconds(-1000);  // began long before: no news
  EXPECT_EQ(join(&a, b, {})->flags, plain);
  EXPECT_FALSE(join(nullptr, b, {}));
}

TEST(Join, ANewJobEntryStartsAtZeroAtTheVisitBefore) {
  const Sample entry = at(120, 10, 10, 1, drop_is_expiry);
  const auto got = join(nullptr, entry, {.last_visit = time_from_seconds(60)});
  EXPECT_EQ(got->flags, implied_start);
  EXPECT_EQ(got->start, time_from_seconds(60));
  EXPECT_EQ(got->amounts, entry.values);
  EXPECT_FALSE(join(nullptr, entry, {}));
}

TEST(Join, AmountsPerInterval) {
  const Sample a = at(0, 10, 10, 1, per_interval), b = at(10, 5, 5, 5, per_interval);
  EXPECT_EQ(join(&a, b, {})->amounts, b.values);
  EXPECT_FALSE(join(nullptr, b, {}));
  Sample with_step = b;
  with_step.since = time_from_seconds(0);
  EXPECT_EQ(join(nullptr, with_step, {})->flags, assumed_step);
}

TEST(Join, CountersThatAreNotThereStayUnknown) {
  Sample a = at(0, 10, 10, 1), b = at(10, 15, 30, 5);
  a.has = mask(Counter::read_bytes);
  const auto got = join(&a, b, {});
  EXPECT_EQ(got->has, mask(Counter::read_bytes));
  EXPECT_FALSE(links(&a, b, got));
}

TEST(Join, RawSamplesComeBackFromIncrements) {
  // advance() undoes join() for every kind of increment that links.
  const Sample a = at(0, 1000, 1000, 4294967196);
  for (const Sample& b : {at(120, 1500, 1000, 4294967290), at(120, 1500, 1000, 50), at(120, 1, 2, 3)}) {
    const auto increment = join(&a, b, {});
    ASSERT_TRUE(links(&a, b, increment));
    EXPECT_EQ(advance(a, *increment).values, b.values);
    EXPECT_EQ(advance(a, *increment).t, b.t);
  }
}

}  // namespace
}  // namespace fathom
