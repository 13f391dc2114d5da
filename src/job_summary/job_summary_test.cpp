// SPDX-License-Identifier: Apache-2.0
#include "job_summary/job_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "population/study_test.h"

namespace fathom {
namespace {

Study site_of(const std::vector<HandMade>& jobs) {
  Study study = hand_made_study(jobs, {1 << 20}, {4096});
  for (std::size_t i = 0; i < study.machine.jobs.size(); ++i) {
    Job& job = study.machine.jobs[i];
    job.user = "ann";
    job.name = i < 4 ? "relax" : "other";
    job.start = time_from_micros(static_cast<std::int64_t>(i) * 10'000'000'000);
    job.end = time_from_micros(static_cast<std::int64_t>(i) * 10'000'000'000 + 7'200'000'000);
  }
  return study;
}

const Compared& of(const JobSummary& summary, std::string_view column) {
  for (const Compared& each : summary.compared)
    if (each.column == column) return each;
  ADD_FAILURE() << column;
  return summary.compared.front();
}

// Job 3 wrote 40; the others wrote 10, 20, 30, 40, 50: three of five have less (40 is not less). Its three earlier runs (same user, name
// and nodes) wrote 10, 20, 30: the median is 20. Without itself there are five others.
TEST(JobSummary, BesideOthersAndEarlierRuns) {
  std::vector<HandMade> jobs;
  for (const double bytes : {10.0, 20.0, 30.0, 40.0, 40.0, 50.0})
    jobs.push_back({.id = std::to_string(jobs.size()), .write_bytes = bytes, .write_ops = 1});
  const Study all = site_of(jobs);
  const JobSummary summary = summarise(all, 3, all);
  EXPECT_EQ(summary.job.id, "3");
  EXPECT_EQ(summary.others, 5u);
  EXPECT_EQ(summary.earlier, 3u);
  EXPECT_DOUBLE_EQ(summary.usual_duration, 7200);
  EXPECT_DOUBLE_EQ(of(summary, "write_bytes").own, 40);
  EXPECT_DOUBLE_EQ(of(summary, "write_bytes").below.value(), 3.0 / 5);
  EXPECT_DOUBLE_EQ(of(summary, "write_bytes").usual.value(), 20);
}

TEST(JobSummary, AloneThereIsNothingToCompare) {
  const Study all = site_of({{.id = "only", .write_bytes = 10, .write_ops = 1}});
  const JobSummary summary = summarise(all, 0, all);
  EXPECT_EQ(summary.others, 0u);
  EXPECT_FALSE(of(summary, "write_bytes").below);
  EXPECT_NE(summary_text(summary).find("No other job"), std::string::npos);
}

// 300 MB in 10^6 writes, 3 files opened for each 100 of them: 30,000 opens in 7,200 s are 4.2 a second, below the 10 that are many.
TEST(JobSummary, NoticesHaveEvidence) {
  std::vector<HandMade> jobs;
  for (int i = 0; i < 3; ++i)
    jobs.push_back({.id = std::to_string(i), .write_bytes = 1e7, .write_ops = 1e3, .write_active = 0.6, .active = 0.6});
  jobs.push_back({.id = "3", .write_bytes = 3e8, .write_ops = 1e6, .write_active = 0.6, .active = 0.6, .opens = 3e4});
  const Study all = site_of(jobs);
  const JobSummary summary = summarise(all, 3, all);
  ASSERT_FALSE(summary.notices.empty());
  EXPECT_LE(summary.notices.size(), 3u);
  bool more = false;
  for (const SummaryNotice& notice : summary.notices) {
    EXPECT_FALSE(notice.advice.empty());
    EXPECT_TRUE(notice.evidence.find_first_of("0123456789") != std::string::npos) << notice.evidence;
    EXPECT_EQ(notice.advice.find("Open fewer files"), std::string::npos) << notice.advice;
    more = more || notice.advice.find("moved more than usual (data written)") != std::string::npos;  // 3e8 > 3 * 1e7, three earlier runs
  }
  EXPECT_TRUE(more);
}

TEST(JobSummary, OnePageOf80Columns) {
  std::vector<HandMade> jobs;
  for (int i = 0; i < 6; ++i)
    jobs.push_back({.id = std::string(60, 'i') + std::to_string(i),
                    .read_bytes = 1e15,
                    .write_bytes = 1e15,
                    .read_ops = 1e12,
                    .write_ops = 1e12,
                    .write_active = 1,
                    .active = 1,
                    .opens = 1e9});
  Study all = site_of(jobs);
  for (Job& job : all.machine.jobs) {
    job.name = std::string(300, 'n');
    job.user = std::string(100, 'u');
    job.state = std::string(100, 's');
    job.partition = std::string(100, 'p');
  }
  JobSummary summary = summarise(all, 5, all);
  summary.machine = std::string(100, 'm');
  std::istringstream lines(summary_text(summary));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(count, 60);
}

TEST(JobSummary, WhatWasNotMeasuredIsNoZero) {
  Study all = site_of({{.id = "blind", .write_bytes = 10, .write_ops = 1}});
  all.analysis.measured.front().coverage = 0;
  const JobSummary summary = summarise(all, 0, all);
  const std::string text = summary_text(summary);
  EXPECT_NE(text.find("Nothing was measured at its servers while it ran."), std::string::npos) << text;
  EXPECT_NE(text.find("What it read and wrote was not counted."), std::string::npos) << text;
  EXPECT_EQ(text.find("every"), std::string::npos) << text;
  EXPECT_TRUE(summary_json(summary)["sampling_step"].is_null());
}

TEST(JobSummary, PageEscapesNames) {
  Study all = site_of({{.id = "<script>", .write_bytes = 10, .write_ops = 1}});
  all.machine.jobs.front().name = "a<b>&\"c";
  const std::string page = summary_page(summarise(all, 0, all));
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(page.find("a<b>"), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;&amp;&quot;c"), std::string::npos);
}

}  // namespace
}  // namespace fathom
