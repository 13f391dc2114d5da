// SPDX-License-Identifier: Apache-2.0
#include "mine/store_traffic.h"

#include "mine/made_store_test.h"

namespace fathom::mine {
namespace {

constexpr std::int32_t day = 100;
constexpr double midnight = 100.0 * 86'400;

TrafficMatrix traffic_of(const MadeStore& made, std::int32_t of = day) {
  const Store store = made.store();
  const auto snapshot = store.snapshot();
  auto database = Database::open({.threads = 1});
  const auto found = block_traffic(*snapshot, *database, {"fs"}, of);
  EXPECT_TRUE(found) << found.error().message;
  return found->front();
}

std::size_t slot_of(const TrafficMatrix& matrix, double t) {
  return static_cast<std::size_t>((MadeStore::moment(t) - matrix.start) / matrix.step);
}

// Blocks begin two hours before their day and look two hours further on both sides: 28 hours, of the day before and of the day itself
// alone.
TEST(StoreTraffic, ABlockEndsWithItsDay) {
  MadeStore made;
  made.add({{"a", "fs", "", midnight, midnight + 10, 1, 2}});
  const TrafficMatrix matrix = traffic_of(made);
  EXPECT_EQ(matrix.start, MadeStore::moment(midnight - 4 * 3600));
  EXPECT_EQ(matrix.end(), MadeStore::moment(midnight + 24 * 3600));
  EXPECT_EQ(block_begin(day), MadeStore::moment(midnight - 2 * 3600));
  EXPECT_EQ(block_end(day), block_begin(day + 1));
}

// Read at 5 s past every slot: half of each increment is in one slot, half in the next. 100 bytes in each 10 s are 50 + 50 in every full
// slot.
TEST(StoreTraffic, IncrementsSpreadEvenlyOverSlots) {
  MadeStore made;
  std::vector<MadeIncrement> increments;
  for (int i = 0; i < 6; ++i) increments.push_back({"a", "fs", "", midnight + 5 + 10 * i, midnight + 15 + 10 * i, 100, 40});
  made.add(increments);
  const TrafficMatrix matrix = traffic_of(made);
  ASSERT_EQ(matrix.servers, 1u);
  EXPECT_EQ(matrix.step, std::chrono::seconds{10});
  const std::size_t first = slot_of(matrix, midnight);
  for (std::size_t slot = first; slot < first + 7; ++slot) {  // the first and the last are half measured: that stands for all
    EXPECT_FLOAT_EQ(matrix.at(0, slot, 0), 100) << slot;
    EXPECT_FLOAT_EQ(matrix.at(1, slot, 0), 40) << slot;
  }
  EXPECT_TRUE(std::isnan(matrix.at(0, first - 1, 0)));
  EXPECT_TRUE(std::isnan(matrix.at(0, first + 7, 0)));
}

// 40 s without a reading are more than 2.5 steps: nobody knows when those bytes moved. A slot of which 4 s of 10 were measured is not known
// either.
TEST(StoreTraffic, GapsAreNotKnown) {
  MadeStore made;
  made.add({{"a", "fs", "", midnight, midnight + 10, 7, 7},
            {"a", "fs", "", midnight + 10, midnight + 20, 7, 7},
            {"a", "fs", "", midnight + 20, midnight + 60, 900, 900},
            {"a", "fs", "", midnight + 60, midnight + 70, 7, 7},
            {"a", "fs", "", midnight + 70, midnight + 74, 3, 3}});
  const TrafficMatrix matrix = traffic_of(made);
  const std::size_t first = slot_of(matrix, midnight);
  EXPECT_FLOAT_EQ(matrix.at(0, first + 1, 0), 7);
  for (std::size_t slot = first + 2; slot < first + 6; ++slot) EXPECT_TRUE(std::isnan(matrix.at(0, slot, 0))) << slot;
  EXPECT_FLOAT_EQ(matrix.at(0, first + 6, 0), 7);
  EXPECT_TRUE(std::isnan(matrix.at(0, first + 7, 0)));
}

// The evening before is read from four hours before midnight on; earlier counters have no part in it.
TEST(StoreTraffic, TheDayBeforeGivesItsLastFourHours) {
  MadeStore made;
  made.add({{"a", "fs", "", midnight - 4 * 3600 - 10, midnight - 4 * 3600, 5, 5},
            {"b", "fs", "", midnight - 4 * 3600, midnight - 4 * 3600 + 10, 6, 6},
            {"b", "other", "", midnight, midnight + 10, 9, 9}});
  const TrafficMatrix matrix = traffic_of(made);
  ASSERT_EQ(matrix.servers, 1u);  // only b has anything in this time
  EXPECT_FLOAT_EQ(matrix.at(1, 0, 0), 6);
  EXPECT_EQ(traffic_of(made, day + 3).slots, 0u);
}

// Server a counts for all jobs and for two of them: the jobs' bytes are in the total already. Server b counts by job alone: 3 + 4.
TEST(StoreTraffic, JobTagsCountOnlyWhereThereIsNothingElse) {
  MadeStore made;
  made.add({{"a", "fs", "", midnight, midnight + 10, 10, 10},
            {"a", "fs", "j1", midnight, midnight + 10, 4, 4},
            {"a", "fs", "j2", midnight, midnight + 10, 6, 6},
            {"b", "fs", "j1", midnight, midnight + 10, 3, 3},
            {"b", "fs", "j2", midnight, midnight + 10, 4, 4}});
  const TrafficMatrix matrix = traffic_of(made);
  ASSERT_EQ(matrix.servers, 2u);
  EXPECT_FLOAT_EQ(matrix.at(0, slot_of(matrix, midnight), 0), 10);
  EXPECT_FLOAT_EQ(matrix.at(0, slot_of(matrix, midnight), 1), 7);
}

// Polls come a little early or late; the grid does not.
TEST(StoreTraffic, TheStepIsTheUsualIntervalInWholeSeconds) {
  MadeStore made;
  std::vector<MadeIncrement> increments;
  double t = midnight;
  for (const double length : {9.9998, 10.0003, 9.9999, 10.0001, 9.9997})
    increments.push_back({"a", "fs", "", t, t + length, 1, 1}), t += length;
  made.add(increments);
  EXPECT_EQ(traffic_of(made).step, std::chrono::seconds{10});
}

}  // namespace
}  // namespace fathom::mine
