// SPDX-License-Identifier: Apache-2.0
#include "timeline/slots.h"

#include <gtest/gtest.h>

#include "timeline/operation_activity.h"

namespace fathom {
namespace {

constexpr std::int64_t s = 1'000'000;

/// The worked example of the criteria: server A writes 500 bytes in 0..50, B 200 bytes in 20..40; the job runs 0..100.
struct WorkedExample {
  std::vector<Stretch> a = {{0, 50 * s, 50 * s, {0, 500, 0, 5}}, {50 * s, 100 * s, 50 * s, {}}};
  std::vector<Stretch> b = {{0, 20 * s, 20 * s, {}}, {20 * s, 40 * s, 20 * s, {0, 200, 0, 2}}, {40 * s, 100 * s, 60 * s, {}}};
  JobTimeline job{
      0, 100 * s, 2, {{0, true, all_counters, {std::span<const Stretch>(a)}}, {1, true, all_counters, {std::span<const Stretch>(b)}}}};
};

std::vector<Slot> slots(const JobTimeline& job, std::int64_t step, std::uint64_t threshold) {
  std::vector<Slot> all;
  walk_slots(job, step, threshold, [&](const Slot& slot) { all.push_back(slot); });
  return all;
}

TEST(Slots, OfTheWorkedExample) {
  const WorkedExample example;
  const auto all = slots(example.job, s, 0);
  ASSERT_EQ(all.size(), 100u);
  for (std::size_t t = 0; t < 100; ++t) {
    const double a = t < 50 ? 10 : 0, b = t >= 20 && t < 40 ? 10 : 0;
    EXPECT_NEAR(all[t].amounts[1], a + b, 1e-12) << t;
    EXPECT_EQ(all[t].active[1], (a > 0) + (b > 0)) << t;
    EXPECT_NEAR(all[t].units[1].max, std::max(a, b), 1e-12);
    EXPECT_NEAR(all[t].units[1].min, std::min(a, b), 1e-12);
    EXPECT_NEAR(all[t].units[1].mean, (a + b) / 2, 1e-12);
    EXPECT_EQ(all[t].measured, 2u);
  }
}

// Steps of 30 s begin at whole multiples of 30 s: A gives 300, 200, 0, 0; B gives 100 (10 s of it), 100, 0, 0. The last one is 10 s long.
TEST(Slots, LongerStepsHoldTheSums) {
  const WorkedExample example;
  const auto all = slots(example.job, 30 * s, 0);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_NEAR(all[0].amounts[1], 400, 1e-9);
  EXPECT_NEAR(all[1].amounts[1], 300, 1e-9);
  EXPECT_EQ(all[3].length, 10 * s);
}

TEST(Slots, WhereNothingWasMeasuredThereIsNoValue) {
  std::vector<Stretch> only = {{10 * s, 20 * s, 10 * s, {0, 100, 0, 1}}};
  const JobTimeline job{5 * s + 500'000, 25 * s, 2, {{1, true, all_counters, {std::span<const Stretch>(only)}}}};
  const auto all = slots(job, s, 0);
  ASSERT_EQ(all.size(), 20u);
  EXPECT_EQ(all[0].length, 500'000);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].measured, i >= 5 && i < 15 ? 1u : 0u) << i;
}

// A counts bytes written and their operations, B bytes of both directions: what neither counts is not known, and a spread is over those
// that count it.
TEST(Slots, WhatIsNotCountedIsNotZero) {
  const std::vector<Stretch> a = {{0, 10 * s, 10 * s, {0, 300, 0, 3}}}, b = {{0, 20 * s, 20 * s, {80, 200, 0, 0}}};
  const CounterMask writes = mask(Counter::write_bytes) | mask(Counter::write_ops);
  const JobTimeline job{
      0, 20 * s, 2, {{0, true, writes, {std::span<const Stretch>(a)}}, {1, true, byte_counters, {std::span<const Stretch>(b)}}}};
  const auto all = slots(job, 10 * s, 0);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].has, writes | byte_counters);
  EXPECT_EQ(all[1].has, byte_counters);  // A is not measured any more
  EXPECT_NEAR(all[0].units[0].min, 40, 1e-9);
  EXPECT_NEAR(all[0].units[0].mean, 40, 1e-9);  // of B alone
  EXPECT_NEAR(all[0].units[1].mean, 200, 1e-9);
  EXPECT_EQ(dominating(all[0]), std::nullopt);  // reads were not counted
}

// A threshold that is met exactly is not exceeded: 10 bytes in each second against 10 bytes per second.
TEST(Slots, AThresholdMetExactlyIsNotExceeded) {
  const WorkedExample example;
  for (const Slot& slot : slots(example.job, s, 10)) EXPECT_EQ(slot.active[1], 0u);
  EXPECT_EQ(slots(example.job, s, 9)[0].active[1], 1u);
}

TEST(Dominating, NeedsTheOtherTypeBelowTheThreshold) {
  EXPECT_EQ(dominating(0, 0), Dominating::none);
  EXPECT_EQ(dominating(95, 5), Dominating::read);
  EXPECT_EQ(dominating(5, 95), Dominating::write);
  EXPECT_EQ(dominating(90, 10), Dominating::mixed);  // a share of 0.1 is not below 0.1
}

// Five writes in 120 s pass whole numbers at 24, 48, 72, 96 and 120 s: five active slots, apart from each other.
TEST(OperationActivity, FiveWritesMakeFiveActiveSlots) {
  std::vector<Stretch> only = {{0, 120 * s, 120 * s, {0, 5000, 0, 5}}};
  const JobTimeline job{0, 120 * s, 1, {{0, true, all_counters, {std::span<const Stretch>(only)}}}};
  const auto activity = operation_activity(job, s);
  EXPECT_EQ(activity[1].busy, 5 * s);
  EXPECT_EQ(activity[1].busy_runs, 5u);
  EXPECT_EQ(activity[1].idle_runs, 5u);  // before each of them; the last one ends the job
  EXPECT_EQ(activity[0].busy, 0);
  EXPECT_EQ(activity[2], activity[1]);
}

// More operations than slots: all of them are active.
TEST(OperationActivity, ManyOperationsFillEverySlot) {
  std::vector<Stretch> only = {{0, 120 * s, 120 * s, {0, 0, 1000, 0}}};
  const JobTimeline job{0, 120 * s, 2, {{0, true, all_counters, {std::span<const Stretch>(only)}}}};
  const auto activity = operation_activity(job, s);
  EXPECT_EQ(activity[0].busy, 120 * s);
  EXPECT_EQ(activity[0].busy_runs, 1u);
  EXPECT_EQ(activity[0].unit_busy, 120 * s);
}

}  // namespace
}  // namespace fathom
