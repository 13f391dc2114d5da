// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "store/forget.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  std::string path = fs::temp_directory_path() / ("fathom-ingest-test-" + std::to_string(::getpid()));
  Scratch() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Scratch() { fs::remove_all(path); }
};

/// t,server,read_bytes,write_bytes: one sample a minute.
std::string write_log(const std::string& path, const std::string& server, int samples) {
  std::ofstream file(path);
  file << "t,server,read_bytes,write_bytes\n";
  for (int i = 0; i < samples; ++i) file << fmt::format("{},{},{},{}\n", 1'300'000'000 + 60 * i, server, 1000 * i, 10 * i);
  return path;
}

// Batches hold samples of several files, so a commit must name all of them: with batches of 8 samples, file a (1 sample) and
// the last one of b (8 samples) wait for the end of c (20 samples); by then 29 samples have come, and 16 ask for a commit.
TEST(Ingest, ACommitListsEveryFileWhoseSamplesItHolds) {
  Scratch scratch;
  const std::string store_path = scratch.path + "/store";
  std::vector<std::string> files = {write_log(scratch.path + "/a.csv", "a", 1), write_log(scratch.path + "/b.csv", "b", 8),
                                    write_log(scratch.path + "/c.csv", "c", 20), scratch.path + "/d.csv.gz"};
  std::ofstream(files.back(), std::ios::binary) << "\x1f\x8b\x08"
                                                << "broken";
  auto store = Store::open_or_create(store_path);
  ASSERT_TRUE(store);
  IngestOptions options;
  options.batch_samples = 8;
  options.commit_samples = 16;
  EXPECT_FALSE(ingest(*store, files, options));  // d is no archive, after a commit
  auto snapshot = store->snapshot();
  ASSERT_TRUE(snapshot);
  auto database = Database::open({});
  EXPECT_EQ(*database->number("SELECT count(*) FROM " + snapshot->rows_of(increments_table)), 0 + 7 + 19);
  EXPECT_EQ(*database->number("SELECT count(*) FROM " + snapshot->rows_of(sources_table)), 3);
  EXPECT_EQ(snapshot->manifest().next_source, 4u);
}

// A reset of a forgotten day would make all that was counted since then an increment of the first sample that is kept.
TEST(Ingest, MarksAndJobsOfForgottenDaysStayAway) {
  Scratch scratch;
  auto store = Store::open_or_create(scratch.path + "/store");
  auto add = [&](const std::string& name, const std::function<void(Harvest&)>& give) {
    return ingest_from(*store, name, "test",
                       [&](Harvest& harvest) -> Result<void> {
                         give(harvest);
                         return {};
                       },
                       {});
  };
  const Time kept = time_from_seconds(10 * 86400 + 3600), old = time_from_seconds(9 * 86400);
  Sample sample;
  sample.t = kept;
  sample.has = all_counters;
  sample.values.fill(5000);
  ASSERT_TRUE(add("samples", [&](Harvest& harvest) {
    sample.series = harvest.series("node", "fs");
    harvest.sample(sample);
  }));
  {
    auto transaction = store->begin();
    ASSERT_TRUE(forget(*transaction, 10));
  }
  const auto report = add("old", [&](Harvest& harvest) {
    harvest.mark({"node", "", MarkKind::reset, old, 0});
    Job job;
    job.id = "7";
    job.start = old;
    job.end = old + std::chrono::hours(2);
    harvest.job(job);
  });
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->files.front().merged.before_horizon, 2u);
  auto snapshot = store->snapshot();
  auto database = Database::open({});
  for (const TableSchema* table : {&increments_table, &marks_table, &jobs_table})
    EXPECT_EQ(*database->number("SELECT count(*) FROM " + snapshot->rows_of(*table)), 0) << table->name;
}

}  // namespace
}  // namespace fathom
