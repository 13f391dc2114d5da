// SPDX-License-Identifier: Apache-2.0
#include "population/tables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "population/distribution.h"
#include "population/job_values.h"
#include "population/study_test.h"

namespace fathom {
namespace {

TEST(Tables, EightyPercentOfFiveJobsIsTheFourth) {
  // Read intensity 0.1 0.2 0.3 0.4 0.5: the fourth is 0.4. Nothing is written: intensity 0, burstiness 1, parallel intensity 0.
  // Burstiness 1 - tanh(a / (1 - a)) falls with a, so the fourth from below is that of a = 0.2: 1 - tanh(0.25).
  // One unit at a time: (U Pi - 1) / (U - 1) = 0. The job with one unit has none, and is not counted.
  const Study study = hand_made_study({{.id = "1", .read_active = 0.1, .units = 1},
                                       {.id = "2", .read_active = 0.2},
                                       {.id = "3", .read_active = 0.3},
                                       {.id = "4", .read_active = 0.4},
                                       {.id = "5", .read_active = 0.5}});
  const auto rows = eighty_percent_table(study);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].threshold, 1u << 20);
  EXPECT_DOUBLE_EQ(rows[0].intensity[0], 0.4);
  EXPECT_EQ(rows[0].intensity[1], 0);
  EXPECT_NEAR(rows[0].burstiness[0], 1 - std::tanh(0.25), 1e-9);
  EXPECT_EQ(rows[0].burstiness[1], 1);
  EXPECT_EQ(rows[0].parallel_intensity[0], 0);
  const Distribution parallel = describe(sort_values(values_of(study, {&job_value("parallel_intensity"), Direction::read, {}})));
  EXPECT_EQ(parallel.n, 4u);
  EXPECT_EQ(parallel.undefined, 1u);
}

TEST(Tables, SmallRequestsAreCountedOverAllJobs) {
  // Job 1 reads 3 requests of 4096 bytes, job 2 one of 8192: 3 of 4 are at most 4 KiB, though the mean over jobs is one half.
  // Job 3 reads bytes without operations: no size can be told.
  const Study study = hand_made_study(
      {{.id = "1", .read_bytes = 3 * 4096, .read_ops = 3}, {.id = "2", .read_bytes = 8192, .read_ops = 1}, {.id = "3", .read_bytes = 77}});
  const AllRequests all = all_requests(study);
  EXPECT_EQ(all.small_share(0, 0), 0.75);
  EXPECT_EQ(all.small_share(0, 1), 1);
  EXPECT_TRUE(std::isnan(all.small_share(1, 0)));
  EXPECT_EQ(all.bytes_without_operations[0], 77);
  // 4096 is in the class [4096, 4608): eight classes to an octave. 75 % are reached there, 80 % in [8192, 9216).
  EXPECT_EQ(all.size_reached(0, 75), 4608);
  EXPECT_EQ(all.size_reached(0, 80), 9216);
  EXPECT_TRUE(std::isnan(all.size_reached(1, 80)));
}

TEST(Tables, OpensAgainstCloses) {
  // Differences over both: 2/6, 1/3, 0, 0; 80 % of four jobs is the fourth: 1/3. The fifth job has neither.
  const Study study = hand_made_study({{.id = "1", .opens = 4, .closes = 2},
                                       {.id = "2", .opens = 1, .closes = 2},
                                       {.id = "3", .opens = 5, .closes = 5},
                                       {.id = "4", .opens = 0.3, .closes = 0.1 + 0.2},
                                       {.id = "5"}});
  const OpensAndCloses found = opens_and_closes(study);
  EXPECT_EQ(found.more_opens, 1u);
  EXPECT_EQ(found.more_closes, 1u);
  EXPECT_EQ(found.equal, 2u);
  EXPECT_EQ(found.unknown, 1u);
  EXPECT_DOUBLE_EQ(found.p80_relative_difference, 1.0 / 3);
}

TEST(Tables, JobsAboveThePeakFastestFirst) {
  // Strictly above, of inner maxima only: job 4 has none.
  const Study study = hand_made_study({{.id = "1", .read_bw = 11},
                                       {.id = "2", .read_bw = 10, .write_bw = 12},
                                       {.id = "3", .read_bw = 13},
                                       {.id = "4", .read_bw = 99, .has_inner = false}});
  const auto found = above_peak(study, 10);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].at, 2u);
  EXPECT_EQ(found[1].at, 0u);
  EXPECT_EQ(found[2].at, 1u);
  EXPECT_EQ(found[2].x, Direction::write);
}

TEST(JobValues, AreWhatTheyAreMadeOf) {
  // 30 bytes by 3 servers: 10 each; 30 of 40 bytes are read: a quarter is written; 2 h.
  const Study study = hand_made_study({{.id = "1", .read_bytes = 30, .write_bytes = 10, .read_ops = 1, .write_ops = 3, .units = 3}});
  const auto value = [&](std::string_view key, Direction x) { return values_of(study, {&job_value(key), x, {}}).at(0); };
  EXPECT_EQ(value("bytes_per_unit", Direction::read), 10);
  EXPECT_EQ(value("ops_per_unit", Direction::write), 1);
  EXPECT_EQ(value("write_share_bytes", Direction::read), 0.25);
  EXPECT_EQ(value("write_share_ops", Direction::read), 0.75);
  EXPECT_EQ(value("duration", Direction::read), 7200);
  EXPECT_EQ(value("nodes", Direction::read), 512);
  // Every value that is listed can be asked for: 9 with three directions, 3 at two thresholds and 1 at two sizes with three each, 9 alone.
  const auto all = all_asked(study.options);
  EXPECT_EQ(all.size(), 9u * 3 + 3 * 2 * 3 + 2 * 3 + 9);
  for (const AskedValue& asked : all) EXPECT_EQ(values_of(study, asked).size(), 1u);
}

TEST(JobValues, AsPeopleReadThem) {
  EXPECT_EQ(human(std::nan(""), ValueUnit::bytes), "-");
  EXPECT_EQ(human(0, ValueUnit::operations), "0");
  EXPECT_EQ(human(9.256, ValueUnit::operations_per_second), "9.26/s");
  EXPECT_EQ(human(1260, ValueUnit::operations_per_second), "1,260/s");
  EXPECT_EQ(human(14.13e9, ValueUnit::operations), "14.1 G");
  EXPECT_EQ(human(999'999'999, ValueUnit::operations), "1 G");
  EXPECT_EQ(human(20952, ValueUnit::seconds), "5.8 h");
  EXPECT_EQ(human(2910, ValueUnit::seconds), "48.5 min");
  EXPECT_EQ(human(59.96, ValueUnit::seconds), "60 s");
  EXPECT_EQ(human(0.2834, ValueUnit::fraction), "28.3 %");
}

}  // namespace
}  // namespace fathom
