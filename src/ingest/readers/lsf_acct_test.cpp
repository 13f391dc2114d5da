// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ingest/readers/only_job_test.h"

namespace fathom {
extern const Reader lsf_acct;
namespace {

using namespace std::chrono_literals;

struct Record {
  std::string end = "1389683139", start = "1389642771", hosts = "2 \"16*n1\" \"16*n2\"", status = "64", name = "\"flow\"",
              command = "\"./app\"", index = "0";
};

std::string line(const Record& r) {
  return fmt::format(
      "\"JOB_FINISH\" \"9.11\" {} 404717 22025 33 32 1389642318 0 0 {} \"ann\" \"regular\" \"\" \"\" \"\" \"login\" \"/s\" \"\" \"o\" "
      "\"e\" \"f\" 1 \"n9\" {} {} 60.0 {} {} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 \"\" \"p\" 0 32 \"\" \"\" {} 1 0\n",
      r.end, r.start, r.hosts, r.status, r.name, r.command, r.index);
}

Gathered gathered(std::string_view text) { return *gather(lsf_acct, text, {}); }

Job job_of(const Record& record) { return only_job(lsf_acct, line(record)); }

TEST(LsfAcct, ItsOwnExample) {
  EXPECT_TRUE(lsf_acct.recognises(lsf_acct.example, "lsb.acct"));
  const auto all = gathered(lsf_acct.example);
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  const Job& job = all.batch.jobs[0];
  EXPECT_EQ(job.id, "404717");
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.name, "flow");
  EXPECT_EQ(job.partition, "regular");
  EXPECT_EQ(job.node_list, "n1201,n1234");
  EXPECT_EQ(job.nodes, 2u);
  EXPECT_EQ(job.submit, time_from_seconds(1389642318));
  EXPECT_EQ(job.end - job.start, 40368s);
  EXPECT_EQ(job.state, "COMPLETED");
}

TEST(LsfAcct, HostsNamesAndArrays) {
  EXPECT_EQ(job_of({.hosts = "4 \"n1\" \"n1\" \"n2\" \"n1\""}).node_list, "n1,n2");
  EXPECT_EQ(job_of({.hosts = "0"}).nodes, 0u);
  EXPECT_EQ(job_of({.status = "32"}).state, "FAILED");
  EXPECT_EQ(job_of({.name = "\"say \"\"hi\"\" twice\""}).name, "say \"hi\" twice");
  EXPECT_EQ(job_of({.command = "\"#BSUB -R \"\"span[ptile=16]\"\";run 7\"", .index = "3"}).id, "404717[3]");
}

TEST(LsfAcct, WhatIsNoJobIsCounted) {
  const auto all = gathered(line({.start = "0"}) + "\"JOB_RESIZE\" \"10.1\" 1389683139 1\n" + line({.end = "1389642770"}) +
                            line({.hosts = "9 \"n1\""}) + "\"JOB_FINISH\" \"9.11\" 13\n" + "nothing\n\"open\n" + line({}));
  EXPECT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.account.left_out.at("job never ran"), 1u);
  EXPECT_EQ(all.account.left_out.at("record JOB_RESIZE (only JOB_FINISH is about a job)"), 1u);
  EXPECT_EQ(all.account.rejected, 5u);
}

TEST(LsfAcct, IsNotTakenForOthers) {
  EXPECT_FALSE(lsf_acct.recognises("\"job_id\",\"start\"\n", "jobs.csv"));
  EXPECT_FALSE(lsf_acct.recognises("JOB_FINISH 9.11 13\n", "x"));
}

}  // namespace
}  // namespace fathom
