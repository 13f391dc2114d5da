// SPDX-License-Identifier: Apache-2.0
#include "collect/flush.h"

#include <gtest/gtest.h>

#include "ingest/check.h"
#include "store/survey.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

constexpr std::int64_t noon = 1'700'049'600;  // 2023-11-15 12:00:00 UTC
const SourceLabel labels[] = {{"block on node7", "collect:block"}, {"nfs on node7", "collect:nfs"}};

Batch reading(std::int64_t second, std::uint64_t bytes, const std::string& server = "sda", SourceId source = 1) {
  SeriesTable series;
  Batch batch;
  Sample sample;
  sample.t = time_from_seconds(second);
  sample.series = series.id(server, "block");
  sample.source = source;
  sample.has = mask(Counter::read_bytes);
  sample.values[0] = bytes;
  batch.samples.push_back(sample);
  batch.names = series.since(0, 0);
  return batch;
}

class Flush : public testing::Test {
 protected:
  Store store_ = *Store::open_or_create(folder().path("store"));
  static MadeFolder& folder() {
    thread_local std::unique_ptr<MadeFolder> made;
    if (!made) made = std::make_unique<MadeFolder>();
    return *made;
  }
  void TearDown() override { folder().remove("store"); }

  void write(Batch batch, Time now = time_from_seconds(noon)) {
    const auto done = flush(store_, std::move(batch), labels, now, ServerSharing::unknown);
    ASSERT_TRUE(done) << done.error().message;
  }
  StoreSurvey surveyed() const {
    const auto snapshot = store_.snapshot();
    auto database = Database::open({});
    return *survey(*snapshot, *database);
  }
  void expect_sound() const {
    const auto report = check_store(store_);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->problem_count, 0u) << (report->problems.empty() ? "" : report->problems.front());
  }
  std::int64_t number(const std::string& select, const TableSchema& table) const {
    const auto snapshot = store_.snapshot();
    auto database = Database::open({});
    return *database->number("SELECT " + select + " FROM " + snapshot->rows_of(table));
  }
};

// Every flush is a process of its own as far as it knows: 1000 at 0 s, 1400 at 10 s, 1500 at 20 s, then away, 9500 at 120 s.
// Increments: 400 in 10 s, 100 in 10 s, 8000 in 100 s. The median is 10 s; 100 s are a gap: its bytes count, its time does not.
TEST_F(Flush, GoesOnWhereTheLastOneEnded) {
  write(reading(noon, 1000));
  EXPECT_EQ(number("count(*)", increments_table), 0);  // nothing is known about the time before
  write(reading(noon + 10, 1400));
  write(reading(noon + 20, 1500));
  write(reading(noon + 120, 9500));
  EXPECT_EQ(number("count(*)", increments_table), 3);
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 8500);
  EXPECT_EQ(number("count(*) FILTER (read_bytes = 0)", increments_table), 0);  // a gap is no row of zeros
  const auto total = surveyed().total();
  EXPECT_EQ(total.gaps, 1u);
  EXPECT_NEAR(total.coverage, 20.0 / 120.0, 1e-9);
  expect_sound();
}

// A device that was away and began again: 500, then 200. What it counted since is booked as a reset that was inferred.
TEST_F(Flush, ACounterThatBeganAgain) {
  write(reading(noon, 500));
  write(reading(noon + 10, 200));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 200);
  EXPECT_EQ(surveyed().resets_inferred, 1u);
}

// The same batch twice, as after a commit whose success was not seen: the second adds nothing.
TEST_F(Flush, TheSameSamplesAgainAddNothing) {
  write(reading(noon, 1000));
  write(reading(noon + 10, 1400));
  write(reading(noon + 10, 1400));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 400);
  EXPECT_EQ(number("count(*)", increments_table), 1);
  expect_sound();
}

// Lustre stamps a job's entry with whole seconds: 1400 and 1450 of one moment are 1450, in one flush or in two.
TEST_F(Flush, ALargerReadingOfTheSameMoment) {
  write(reading(noon, 1000));
  write(reading(noon + 10, 1400));
  write(reading(noon + 10, 1450));
  write(reading(noon + 20, 1500));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 500);
  EXPECT_EQ(number("max(read_bytes)::BIGINT", increments_table), 450);
  expect_sound();
}

/// The same of a job's entry, with the visit that read it.
Batch job_entry(std::int64_t second, std::uint64_t bytes) {
  SeriesTable series;
  Batch batch = reading(second, bytes);
  batch.samples.front().series = series.id("sda", "block", "4711");
  batch.samples.front().traits = drop_is_expiry;
  batch.names = series.since(0, 0);
  batch.marks.push_back({"sda", "block", MarkKind::visit, time_from_seconds(second), 1});
  return batch;
}

TEST_F(Flush, ALargerReadingOfAJobsEntry) {
  write(job_entry(noon, 1000));
  write(job_entry(noon + 1, 1300));
  write(job_entry(noon + 1, 1500));
  write(job_entry(noon + 3, 1500));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 500);
  expect_sound();
}

// Three flushes within a second.
TEST_F(Flush, ALargerReadingAgainAndAgain) {
  write(job_entry(noon, 1000));
  for (const std::uint64_t bytes : {1300, 1400, 1500}) write(job_entry(noon + 1, bytes));
  write(job_entry(noon + 3, 1500));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 500);
  expect_sound();
}

// The first moment of all is read again and again, too.
TEST_F(Flush, ALargerReadingOfTheFirstMoment) {
  write(job_entry(noon, 1000));
  write(job_entry(noon, 1100));
  write(job_entry(noon + 1, 1300));
  write(job_entry(noon + 1, 1500));
  write(job_entry(noon + 3, 1500));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 400);
  expect_sound();
}

TEST_F(Flush, ALargerReadingOfAJobsEntryTogetherWithALaterOne) {
  write(job_entry(noon, 1000));
  write(job_entry(noon + 1, 1300));
  Batch both = job_entry(noon + 1, 1500), later = job_entry(noon + 3, 1500);
  both.samples.push_back(later.samples.front());
  both.marks.push_back(later.marks.front());
  write(std::move(both));
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 500);
  expect_sound();
}

// One entry for each source and day, with the sum of its samples; two sources and two days are four.
TEST_F(Flush, OneSourceADay) {
  for (int i = 0; i < 5; ++i) write(reading(noon + i, 1000));
  write(reading(noon + 5, 1000, "mount", 2));
  EXPECT_EQ(number("count(*)", sources_table), 2);
  EXPECT_EQ(number("max(new_samples)::BIGINT", sources_table), 5);
  EXPECT_EQ(number("sum(samples)::BIGINT", sources_table), 6);
  const Time tomorrow = time_from_seconds(noon + 86400);
  write(reading(noon + 86400, 1000), tomorrow);
  write(reading(noon + 86401, 1000, "mount", 2), tomorrow);
  EXPECT_EQ(number("count(*)", sources_table), 4);
  EXPECT_EQ(number("count(DISTINCT id)", sources_table), 4);
  expect_sound();
}

// Seventy flushes of a day are merged when sixty-four have come together; the day before when it is over. The content stays.
TEST_F(Flush, SegmentsAreMerged) {
  const std::int32_t today = day_of(time_from_seconds(noon));
  const auto segments = [&] { return load_manifest(store_.path())->of(increments_table.name).size(); };
  for (int i = 0; i < 4; ++i) write(reading(noon - 86400 + i, 100 * static_cast<std::uint64_t>(i)));
  EXPECT_EQ(segments(), 3u);
  EXPECT_EQ(*tidy(store_, today - 1), false);  // that day goes on
  EXPECT_EQ(*tidy(store_, today), true);
  EXPECT_EQ(segments(), 1u);
  for (int i = 0; i < 63; ++i) write(reading(noon + i, 1000 + static_cast<std::uint64_t>(i)));
  EXPECT_EQ(*tidy(store_, today), false);
  write(reading(noon + 100, 2000));
  EXPECT_EQ(*tidy(store_, today), true);
  EXPECT_EQ(segments(), 2u);
  EXPECT_EQ(number("sum(read_bytes)::BIGINT", increments_table), 2000);
  expect_sound();
}

// What a process that was killed had stored: an earlier moment is not taken again.
TEST_F(Flush, TheNextProcessKnowsTheLastMoments) {
  write(reading(noon, 1000));
  write(reading(noon + 10, 1400));
  Latest latest;
  ASSERT_TRUE(load_latest(store_, latest));
  EXPECT_EQ(latest.size(), 1u);
  EXPECT_TRUE(latest.entries().empty());  // not read by this process
  Sample sample;
  sample.values[0] = 1500;
  sample.t = time_from_seconds(noon + 5);
  EXPECT_EQ(latest.take({"sda", "block", ""}, sample, sample.t), Latest::Verdict::late);
  // The same moment goes to the store, which knows its values.
  sample.t = time_from_seconds(noon + 10);
  EXPECT_EQ(latest.take({"sda", "block", ""}, sample, sample.t), Latest::Verdict::fresh);
  EXPECT_EQ(latest.take({"sda", "block", ""}, sample, sample.t), Latest::Verdict::known);
  sample.t = time_from_seconds(noon + 11);
  EXPECT_EQ(latest.take({"sda", "block", ""}, sample, sample.t), Latest::Verdict::fresh);
  latest.forget(time_from_seconds(noon + 3600));
  EXPECT_EQ(latest.size(), 0u);
}

}  // namespace
}  // namespace fathom
