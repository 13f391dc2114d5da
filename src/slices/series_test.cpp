// SPDX-License-Identifier: Apache-2.0
#include "slices/series.h"

#include <gtest/gtest.h>

#include "slices/heat_map.h"
#include "slices/made_profile_test.h"
#include "slices/phase.h"

namespace fathom::slices {
namespace {

TEST(SliceOf, RoundsDownOnBothSidesOf1970) {
  EXPECT_EQ(slice_of(8 * second, 4 * second), 2);
  EXPECT_EQ(slice_of(8 * second - 1, 4 * second), 1);
  EXPECT_EQ(slice_of(-1, 4 * second), -1);
  EXPECT_EQ(slice_of(-4 * second, 4 * second), -1);
  EXPECT_EQ(slice_of(-4 * second - 1, 4 * second), -2);
}

TEST(Series, AddsProcessesUpAndHasNoHoles) {
  // a: slices 10..13 with 1, -, 3, 4 bytes; b: slices 12, 13 with 10, 20 bytes read.
  const auto profile = application("app", {writer("n1", 1, 10, {1, 0, 3, 4}), writer("n2", 2, 12, {10, 20}, Counter::read_bytes)});
  const auto series = add_up(profile);
  ASSERT_TRUE(series);
  EXPECT_EQ(series->first, 10);
  EXPECT_EQ(series->last(), 13);
  EXPECT_EQ(series->start, 40 * second);
  EXPECT_EQ(series->end, 56 * second);
  const std::vector<std::array<std::uint64_t, 6>> expected = {// running, active reading, writing, either; bytes read, written
                                                              {1, 0, 1, 1, 0, 1},
                                                              {1, 0, 0, 0, 0, 0},
                                                              {2, 1, 1, 2, 10, 3},
                                                              {2, 1, 1, 2, 20, 4}};
  for (std::int64_t k = 10; k <= 13; ++k) {
    const Sum& sum = series->at(k);
    const std::array<std::uint64_t, 6> found = {
        sum.running, sum.active[0], sum.active[1], sum.active[2], moved(sum.values, Direction::read), moved(sum.values, Direction::write)};
    EXPECT_EQ(found, expected[static_cast<std::size_t>(k - 10)]) << k;
  }
  EXPECT_EQ(bytes_in(*series, Direction::both, 12, 2), 37u);
  EXPECT_EQ(bytes_in(*series, Direction::both, 0, 100), 38u);
  EXPECT_EQ(bytes_in(*series, Direction::both, 0, 10), 0u);
}

TEST(Series, SlicesOutsideTheRunTimeCountAsRunning) {
  // The clock was set back 20 s while it ran: slice 5 although it began in slice 10.
  Process process = writer("n1", 1, 10, {1, 1});
  process.slices.insert(process.slices.begin(), Slice{.number = 5, .values = process.slices[0].values});
  const auto series = add_up(application("app", {process}));
  ASSERT_TRUE(series);
  EXPECT_EQ(series->first, 5);
  EXPECT_EQ(series->at(7).running, 1u);
}

TEST(Series, AClockFarOffIsAnErrorThatNamesBothProcesses) {
  const auto series = add_up(application("app", {writer("good", 1, 400'000'000, {1}), writer("bad", 2, 0, {1})}));
  ASSERT_FALSE(series);
  EXPECT_NE(series.error().message.find("process 2 on bad began at 1970-01-01T00:00:00Z"), std::string::npos) << series.error().message;
  EXPECT_NE(series.error().message.find("process 1 on good"), std::string::npos);
}

TEST(Series, OfNothingIsEmpty) {
  const auto series = add_up(application("app", {}));
  ASSERT_TRUE(series);
  EXPECT_TRUE(series->sums.empty());
  EXPECT_EQ(io_phase(*series, Direction::both).slices, 0);
}

Phase phase_of(const std::vector<Process>& processes, Direction direction = Direction::write) {
  const auto series = add_up(application("app", processes));
  EXPECT_TRUE(series);
  return io_phase(*series, direction);
}

TEST(Phase, FromTheFirstToTheLastSliceWithHalfOfThem) {
  // Writing in slices 100..109: 1 1 2 4 4 3 4 2 1 1 of 4 processes. Half is 2: from 102 to 107, so 8 s of start-up and 8 s of ending.
  const Phase phase = phase_of({writer("n", 1, 100, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), writer("n", 2, 100, {0, 0, 1, 1, 1, 1, 1, 1, 0, 0}),
                                writer("n", 3, 100, {0, 0, 0, 1, 1, 1, 1, 0, 0, 0}), writer("n", 4, 100, {0, 0, 0, 1, 1, 0, 1, 0, 0, 0})});
  EXPECT_EQ(phase.first, 102);
  EXPECT_EQ(phase.last(), 107);
  EXPECT_EQ(phase.start_up, 8 * second);
  EXPECT_EQ(phase.ending, 8 * second);
  EXPECT_EQ(phase.length(), 24 * second);
}

TEST(Phase, AGapInTheMiddleIsPartOfIt) {
  const Phase phase = phase_of({writer("n", 1, 0, {0, 5, 0, 0, 0, 5, 0})});
  EXPECT_EQ(phase.first, 1);
  EXPECT_EQ(phase.last(), 5);
}

TEST(Phase, HalfOfThoseThatWriteAtOnceNotOfAllProcesses) {
  // One of four processes writes: one is half of the most there ever are.
  const Phase one = phase_of(
      {writer("n", 1, 0, {0, 7, 7, 0}), writer("n", 2, 0, {0, 0, 0, 0}), writer("n", 3, 0, {0, 0, 0, 0}), writer("n", 4, 0, {0, 0, 0, 0})});
  EXPECT_EQ(one.first, 1);
  EXPECT_EQ(one.slices, 2);
  // Four processes take turns: never more than one at once.
  const Phase turns = phase_of({writer("n", 1, 0, {0, 7, 0, 0, 0, 0}), writer("n", 2, 0, {0, 0, 7, 0, 0, 0}),
                                writer("n", 3, 0, {0, 0, 0, 7, 0, 0}), writer("n", 4, 0, {0, 0, 0, 0, 7, 0})});
  EXPECT_EQ(turns.first, 1);
  EXPECT_EQ(turns.slices, 4);
}

TEST(Phase, ReachesNoFurtherThanTheRun) {
  // Runs from 1 s to 9.5 s and writes in slices 0 (0-4 s), 1 and 2 (8-12 s): 8.5 s.
  Process process = writer("n", 1, 0, {1, 1, 1});
  process.start = 1 * second;
  process.end = 9 * second + second / 2;
  const Phase phase = phase_of({process});
  EXPECT_EQ(phase.length(), 8 * second + second / 2);
  EXPECT_EQ(phase.start_up, 0);
  EXPECT_EQ(phase.ending, 0);
}

TEST(Phase, OfADirectionInWhichNothingMovedIsEmpty) {
  EXPECT_EQ(phase_of({writer("n", 1, 0, {1, 1, 1})}, Direction::read).slices, 0);
  EXPECT_EQ(phase_of({writer("n", 1, 0, {1, 1, 1})}, Direction::both).slices, 3);
}

TEST(HeatMap, IsExactWhereEverythingFits) {
  const auto profile = application("app", {writer("n1", 1, 10, {1, 0, 3}), writer("n2", 2, 11, {5, 6}, Counter::read_bytes)});
  const HeatMap map = heat_map(all_processes(profile), {9, 12}, 100, 100);
  EXPECT_EQ(map.bins, 4u);
  EXPECT_EQ(map.slices_per_bin, 1);
  ASSERT_EQ(map.rows.size(), 2u);
  EXPECT_EQ(map.bytes[1], (std::vector<double>{0, 1, 0, 3, 0, 0, 0, 0}));
  EXPECT_EQ(map.bytes[0], (std::vector<double>{0, 0, 0, 0, 0, 0, 5, 6}));
  EXPECT_EQ(map.at(Direction::both, 1, 3), 6);
  EXPECT_EQ(map.rows[1].start, 44 * second);
}

TEST(HeatMap, BinsTimeAndGroupsProcesses) {
  // 5 processes in 2 rows: 3 and 2. 7 slices in at most 3 bins: 3, 3 and 1. Process p writes p in every slice.
  std::vector<Process> processes;
  for (std::uint32_t p = 1; p <= 5; ++p) processes.push_back(writer("n", p, 0, std::vector<std::uint64_t>(7, p)));
  const Profile profile = application("app", processes);
  const HeatMap map = heat_map(all_processes(profile), {0, 6}, 3, 2);
  EXPECT_EQ(map.bins, 3u);
  EXPECT_EQ(map.slices_per_bin, 3);
  EXPECT_EQ(map.slices_in(1), 3);
  EXPECT_EQ(map.slices_in(2), 1);
  ASSERT_EQ(map.rows.size(), 2u);
  EXPECT_EQ(map.rows[0].count, 3u);
  EXPECT_EQ(map.rows[1].first, 3u);
  EXPECT_EQ(map.rows[1].count, 2u);
  // (1+2+3) x 3, x 3, x 1; (4+5) x 3, x 3, x 1
  EXPECT_EQ(map.bytes[1], (std::vector<double>{18, 18, 6, 27, 27, 9}));
}

TEST(HeatMap, LeavesOutWhatLiesOutsideTheWindow) {
  const Profile profile = application("app", {writer("n", 1, 0, {1, 2, 3, 4})});
  const HeatMap map = heat_map(all_processes(profile), {1, 2}, 10, 10);
  EXPECT_EQ(map.bytes[1], (std::vector<double>{2, 3}));
}

}  // namespace
}  // namespace fathom::slices
