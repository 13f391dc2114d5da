// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/readers/only_job_test.h"

namespace fathom {
extern const Reader sge_accounting;
namespace {

using namespace std::chrono_literals;

struct Record {
  std::string start = "1311095354", end = "1311095414", failed = "0", exit_status = "0", environment = "NONE", slots = "1", task = "0",
              category = "-q all", slave = "NONE";
};

std::string line(const Record& r) {
  return fmt::format(
      "q1:n7:grp:ann:a "
      "job:22947:sge:0:1310761621:{}:{}:{}:{}:60:1:1:1:0:0:0:0:1:0:0:0:24:0:0:0:41:549:NONE:dep:{}:{}:{}:60.13:7.3:0.1:{}:0:{}:189:0:0\n",
      r.start, r.end, r.failed, r.exit_status, r.environment, r.slots, r.task, r.category, r.slave);
}

Gathered gathered(std::string_view text) { return *gather(sge_accounting, text, {}); }

Job job_of(const Record& record) { return only_job(sge_accounting, line(record)); }

TEST(SgeAccounting, ItsOwnExample) {
  EXPECT_TRUE(sge_accounting.recognises(sge_accounting.example, "accounting"));
  const auto all = gathered(sge_accounting.example);
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  const Job& job = all.batch.jobs[0];
  EXPECT_EQ(job.id, "22947");
  EXPECT_EQ(job.user, "jdoe");
  EXPECT_EQ(job.name, "mem-test");
  EXPECT_EQ(job.partition, "myqueue");
  EXPECT_EQ(job.node_list, "n0113");
  EXPECT_EQ(job.nodes, 1u);
  EXPECT_EQ(job.submit, time_from_seconds(1310761621));
  EXPECT_EQ(job.end - job.start, 60s);  // as ru_wallclock says
  EXPECT_EQ(job.time_limit, 10h);
  EXPECT_EQ(job.state, "COMPLETED");
}

TEST(SgeAccounting, ParallelJobsHaveSlotsNotNodes) {
  const auto all = gathered(line({.environment = "mpi", .slots = "64"}));
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.batch.jobs[0].nodes, 0u);
  EXPECT_EQ(all.batch.jobs[0].node_list, "");
  ASSERT_EQ(all.account.notices.size(), 1u);
  EXPECT_EQ(job_of({.environment = "smp", .slots = "1"}).nodes, 1u);
}

TEST(SgeAccounting, MillisecondsArraysAndEnds) {
  const Job job = job_of({.start = "1652111622875", .end = "1652124460193"});
  EXPECT_EQ(job.end - job.start, 12837s + 318ms);
  EXPECT_EQ(job_of({.task = "17"}).id, "22947.17");
  EXPECT_EQ(job_of({.failed = "100"}).state, "FAILED");
  EXPECT_EQ(job_of({.exit_status = "137"}).state, "FAILED");
  EXPECT_EQ(job_of({.category = "-l s_rt=7,h_rt=3600"}).time_limit, 1h);
  EXPECT_FALSE(job_of({.category = "-l xh_rt=3600"}).time_limit);
}

TEST(SgeAccounting, WhatIsNoJobIsCounted) {
  const auto all = gathered("# Version: 8.1\n" + line({.start = "0", .end = "0"}) + line({.slave = "1.n8"}) + line({.end = "1311095353"}) +
                            "q1:n7:short\n\n" + line({.start = "soon"}) + line({}));
  EXPECT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.account.left_out.at("job never ran"), 1u);
  EXPECT_EQ(all.account.left_out.at("task of a parallel job (the job has a record of its own)"), 1u);
  EXPECT_EQ(all.account.rejected, 3u);
}

TEST(SgeAccounting, IsNotTakenForOthers) {
  EXPECT_FALSE(sge_accounting.recognises("12/21/2009 15:27:00;E;6.batch;user=a:b:c\n", "x"));
  EXPECT_FALSE(sge_accounting.recognises("a:b:c:d\n", "x"));
  EXPECT_FALSE(sge_accounting.recognises("", "x"));
}

}  // namespace
}  // namespace fathom
