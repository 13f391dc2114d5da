// SPDX-License-Identifier: Apache-2.0
#include "population/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "population/study_test.h"

namespace fathom {
namespace {

constexpr double TiB = 0x1p40;

const SelectedJob* job(const SelectedJobs& selected, const Study& study, std::string_view id) {
  for (const SelectedJob& one : selected.jobs)
    if (study.machine.jobs[study.analysis.jobs[one.at]].id == id) return &one;
  return nullptr;
}

bool has_reason(const SelectedJob* job, std::string_view words) {
  return job != nullptr &&
         std::any_of(job->reasons.begin(), job->reasons.end(), [&](const std::string& r) { return r.find(words) != std::string::npos; });
}

// Five large jobs and a small one. Bytes written, sorted: e 1, d 2, b 3, c 4, a 5 TiB: the median of the large ones is b.
// Write operations: a 1, b 2, c 3, d 4, e 5: the median is c. Read and write bandwidth are 100:1, 5:4, 2:1, 1:3, 1:9: b is closest to
// equal (5/4 < 2 < 3). IOPS 1:1 in d. `always` moves little but all the time.
Study six_jobs() {
  return hand_made_study({
      {.id = "a",
       .read_bytes = 1 * TiB,
       .write_bytes = 5 * TiB,
       .read_ops = 10,
       .write_ops = 1,
       .read_bw = 100,
       .write_bw = 1,
       .read_iops = 9,
       .write_iops = 1},
      {.id = "b",
       .read_bytes = 2 * TiB,
       .write_bytes = 3 * TiB,
       .read_ops = 20,
       .write_ops = 2,
       .read_bw = 5,
       .write_bw = 4,
       .read_iops = 8,
       .write_iops = 2},
      {.id = "c",
       .read_bytes = 3 * TiB,
       .write_bytes = 4 * TiB,
       .read_ops = 30,
       .write_ops = 3,
       .read_bw = 60,
       .write_bw = 30,
       .read_iops = 7,
       .write_iops = 3},
      {.id = "d",
       .read_bytes = 4 * TiB,
       .write_bytes = 2 * TiB,
       .read_ops = 40,
       .write_ops = 4,
       .read_bw = 30,
       .write_bw = 90,
       .read_iops = 6,
       .write_iops = 6},
      {.id = "e",
       .read_bytes = 9 * TiB,
       .write_bytes = 1 * TiB,
       .read_ops = 50,
       .write_ops = 5,
       .read_bw = 10,
       .write_bw = 90,
       .read_iops = 5,
       .write_iops = 7},
      {.id = "always", .read_bytes = 1, .write_bytes = 1, .read_ops = 1, .write_ops = 1, .active = 1, .has_inner = false},
  });
}

TEST(Selection, FindsWhatItSays) {
  const Study study = six_jobs();
  const SelectedJobs selected = select_jobs(study, {.sample = 0});
  EXPECT_TRUE(selected.notes.empty());
  EXPECT_TRUE(has_reason(job(selected, study, "e"), "most bytes read"));
  EXPECT_TRUE(has_reason(job(selected, study, "a"), "most bytes written"));
  EXPECT_TRUE(has_reason(job(selected, study, "e"), "most read operations"));
  EXPECT_TRUE(has_reason(job(selected, study, "e"), "most write operations"));
  EXPECT_TRUE(has_reason(job(selected, study, "a"), "highest read bandwidth"));
  EXPECT_TRUE(has_reason(job(selected, study, "d"), "highest write bandwidth"));  // d and e alike: the first
  EXPECT_TRUE(has_reason(job(selected, study, "a"), "highest read IOPS"));
  EXPECT_TRUE(has_reason(job(selected, study, "e"), "highest write IOPS"));
  EXPECT_TRUE(has_reason(job(selected, study, "b"), "median of bytes written"));
  EXPECT_TRUE(has_reason(job(selected, study, "c"), "median of write operations"));
  EXPECT_TRUE(has_reason(job(selected, study, "d"), "median of read bandwidth"));  // 5 10 30 60 100
  EXPECT_TRUE(has_reason(job(selected, study, "c"), "median of read IOPS"));       // 5 6 7 8 9
  EXPECT_TRUE(has_reason(job(selected, study, "c"), "median of write IOPS"));      // 1 2 3 6 7
  EXPECT_TRUE(has_reason(job(selected, study, "b"), "maximum bandwidth of reading and writing closest to equal"));
  EXPECT_TRUE(has_reason(job(selected, study, "d"), "maximum IOPS of reading and writing closest to equal"));
  EXPECT_TRUE(has_reason(job(selected, study, "always"), "intensity 100 %"));
  EXPECT_EQ(selected.jobs.size(), 6u);  // each job once, whatever the number of its reasons
}

TEST(Selection, ReasonsOfOneJobStandTogether) {
  const Study study = six_jobs();
  const SelectedJobs selected = select_jobs(study, {.sample = 0});
  const SelectedJob* e = job(selected, study, "e");
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(e->why(), "most bytes read: 9.00 TiB; most read operations: 50; most write operations: 5; highest write IOPS: 7/s");
}

TEST(Selection, WithoutLargeJobsTheTopHundredthIsUsedAndSaid) {
  // 150 jobs: ceil(1.5) = 2 of them. The two that moved most are the last two; the lower median of write operations is the one with fewer.
  std::vector<HandMade> jobs;
  for (int i = 1; i <= 150; ++i)
    jobs.push_back({.id = std::to_string(i), .read_bytes = 1.0 * i, .write_bytes = 2.0 * i, .read_ops = 1, .write_ops = 1000.0 - i});
  const Study study = hand_made_study(jobs);
  const SelectedJobs selected = select_jobs(study, {.sample = 0});
  ASSERT_EQ(selected.notes.size(), 1u);
  EXPECT_NE(selected.notes[0].find("2 jobs"), std::string::npos);
  EXPECT_TRUE(has_reason(job(selected, study, "150"), "median of write operations, of the 1 %"));
  EXPECT_TRUE(has_reason(job(selected, study, "149"), "median of bytes written, of the 1 %"));
}

TEST(Selection, TheRandomGroupIsTheSameForASeedAndHasNoJobTwice) {
  std::vector<HandMade> jobs;
  for (int i = 0; i < 40; ++i) jobs.push_back({.id = std::to_string(i)});  // nothing moves: no other reason
  const Study study = hand_made_study(jobs);
  const auto ids = [&](std::uint64_t seed, std::size_t sample) {
    std::vector<std::size_t> found;
    for (const SelectedJob& one : select_jobs(study, {.sample = sample, .seed = seed}).jobs)
      if (has_reason(&one, "random")) found.push_back(one.at);
    return found;
  };
  EXPECT_EQ(ids(1, 10), ids(1, 10));
  EXPECT_NE(ids(1, 10), ids(2, 10));
  EXPECT_EQ(ids(1, 10).size(), 10u);
  EXPECT_EQ(ids(1, 100).size(), 40u);
  const auto all = ids(1, 100);
  EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), 40u);
}

TEST(Selection, JobsThatAreAskedForComeFirst) {
  const Study study = six_jobs();
  const SelectedJobs selected = select_jobs(study, {.sample = 0, .named = {"c", "gone"}});
  EXPECT_EQ(selected.jobs.at(0).reasons.at(0), "asked for");
  EXPECT_EQ(selected.jobs.at(0).at, 2u);
  EXPECT_EQ(selected.notes, std::vector<std::string>{"Job gone was asked for, but is not among the analysed jobs."});
}

TEST(Selection, OfNoJobsNobody) {
  const SelectedJobs selected = select_jobs(hand_made_study({}), {});
  EXPECT_TRUE(selected.jobs.empty());
  EXPECT_TRUE(selected.notes.empty());
}

}  // namespace
}  // namespace fathom
