// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "store/forget.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

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
  const MadeFolder scratch;
  const std::string store_path = scratch.path() + "/store";
  std::vector<std::string> files = {write_log(scratch.path() + "/a.csv", "a", 1), write_log(scratch.path() + "/b.csv", "b", 8),
                                    write_log(scratch.path() + "/c.csv", "c", 20), scratch.path() + "/d.csv.gz"};
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
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path() + "/store");
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

TEST(FindInputs, LinksDoNotLeadOutOfAFolder) {
  const MadeFolder scratch;
  const std::string logs = scratch.path() + "/logs", other = scratch.path() + "/logs-of-others";
  fs::create_directories(logs + "/day");
  fs::create_directories(other);
  write_log(logs + "/day/a.csv", "a", 3);
  write_log(other + "/secret.csv", "b", 3);
  fs::create_symlink("day/a.csv", logs + "/b-inside.csv");
  fs::create_symlink(other + "/secret.csv", logs + "/c-outside.csv");
  fs::create_directory_symlink("day", logs + "/d-folder");
  fs::create_directory_symlink("/", logs + "/e-root");
  fs::create_directory_symlink(logs, scratch.path() + "/named");
  const auto found = find_inputs({scratch.path() + "/named"});
  ASSERT_TRUE(found) << found.error().message;
  std::map<std::string, bool> outside;
  for (const InputFile& file : *found) outside[file.path.substr((scratch.path() + "/named/").size())] = file.outside;
  EXPECT_EQ(outside,
            (std::map<std::string, bool>{{"b-inside.csv", false}, {"c-outside.csv", true}, {"day/a.csv", false}, {"e-root", true}}));
  EXPECT_FALSE(find_inputs({logs + "/c-outside.csv"})->at(0).outside);  // named: it is what the user wants

  auto store = Store::open_or_create(scratch.path() + "/store");
  const auto report = ingest(*store, {logs}, {});
  ASSERT_TRUE(report) << report.error().message;
  std::size_t read = 0, said = 0;
  for (const FileReport& file : report->files) {
    read += !file.known && file.left_alone.empty();
    said += !file.left_alone.empty();
  }
  EXPECT_EQ(read, 1u);
  EXPECT_EQ(said, 2u);
}

// Both logs claim job 7 of ana. One is bob's: it is left out, with a word; the other and the job stay.
TEST(Ingest, ARunOfAnotherUserIsNotLinked) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path() + "/store");
  std::ofstream(scratch.path() + "/jobs.csv") << "job_id,start,end,user,name\n7,1700000000,1700000100,4000000001,solver\n";
  for (const char* user : {"4000000001", "4000000002"})
    std::ofstream(fmt::format("{}/{}.txt", scratch.path(), user))
        << "# darshan log version: 3.41\n# exe: x\n# uid: " << user << "\n# jobid: 7\n# start_time: 1700000000\n# end_time: 1700000020\n"
        << "# DXT, rank: 0, hostname: n\n X_POSIX 0 write 0 0 100 1 2\n";
  const auto report =
      ingest(*store, {scratch.path() + "/jobs.csv", scratch.path() + "/4000000001.txt", scratch.path() + "/4000000002.txt"}, {});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->runs.size(), 1u);
  EXPECT_NE(report->runs[0].run.find("4000000001.txt"), std::string::npos);
  ASSERT_EQ(report->files.size(), 3u);
  EXPECT_TRUE(report->files[1].account.notices.empty());
  ASSERT_EQ(report->files[2].account.notices.size(), 1u);
  EXPECT_NE(report->files[2].account.notices[0].find("names job 7, which is of user 4000000001"), std::string::npos);
}

TEST(LinkRun, AJobOfAnotherUserIsNotTaken) {
  Job job;
  job.id = "7";
  job.user = "ana";
  job.node_list = "n1";
  job.start = time_from_seconds(1000);
  job.end = time_from_seconds(2000);
  JobRun run;
  run.hosts = {"n1"};
  run.start = time_from_seconds(1100);
  run.end = time_from_seconds(1200);
  run.job.id = "7";
  run.job_named_by = "Darshan";
  for (const char* user : {"ana", "", "1001", "root", "0"}) {  // a number may be ana's, root may be anybody
    run.job.user = user;
    const auto link = link_run({job}, run);
    ASSERT_TRUE(link) << user;
    EXPECT_TRUE(link->known) << user;
  }
  run.job.user = "bob";
  EXPECT_FALSE(link_run({job}, run));
  Job bobs = job;
  bobs.user = "bob";
  EXPECT_EQ(link_run({job, bobs}, run)->job.user, "bob");
  run.job_named_by = "--job";
  EXPECT_TRUE(link_run({job}, run)->known);
  run.job.id.clear();
  EXPECT_FALSE(link_run({job}, run));  // by host and time
}

}  // namespace
}  // namespace fathom
