// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "ingest/readers/only_job_test.h"
#include "tests/support/source_dir.h"

namespace fathom {
extern const Reader pbs_accounting;
namespace {

using namespace std::chrono_literals;

Gathered gathered(std::string_view text, const ReadOptions& options = {}) { return *gather(pbs_accounting, text, options); }

Job ended(std::string_view id, std::string_view fields) {
  return only_job(pbs_accounting,
                  "01/26/2016 00:00:37;E;" + std::string(id) + ";start=1453766281 end=1453766437 " + std::string(fields) + "\n");
}

TEST(PbsAccounting, ItsOwnExample) {
  const auto all = gathered(pbs_accounting.example);
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  const Job& job = all.batch.jobs[0];
  EXPECT_EQ(job.id, "6");
  EXPECT_EQ(job.user, "u0417");
  EXPECT_EQ(job.name, "mpi-hybrid");
  EXPECT_EQ(job.partition, "main");
  EXPECT_EQ(job.node_list, "n13,n12");
  EXPECT_EQ(job.nodes, 2u);
  EXPECT_EQ(job.submit, time_from_seconds(1261424924));
  EXPECT_EQ(job.end - job.start, 36min + 37s);  // as resources_used.walltime says
  EXPECT_EQ(job.time_limit, 4h);
  EXPECT_EQ(job.state, "COMPLETED");
  EXPECT_EQ(all.account.left_out.at("record S (only E, the end of a job, is complete)"), 1u);
  EXPECT_TRUE(all.account.notices.empty());
}

TEST(PbsAccounting, EveryFormOfHostsAndIds) {
  EXPECT_EQ(ended("1.pbs", "exec_host=c1/0*13+c2/0*13").node_list, "c1,c2");
  EXPECT_EQ(ended("1.pbs", "exec_host=c1/0-3+c2/0-7+c1/4").node_list, "c1,c2");
  EXPECT_EQ(ended("1.pbs", "exec_host=c1/0,2-4+c2/0").nodes, 2u);
  EXPECT_EQ(ended("1.pbs", "exec_host=c[1-3]/0-7").nodes, 3u);
  EXPECT_EQ(ended("1.pbs", "exec_host=[hidden]/0*0").nodes, 1u);
  EXPECT_EQ(ended("1.pbs", "Resource_List.nodect=7:ppn=24").nodes, 7u);
  EXPECT_EQ(ended("17[4].pbs.site.org", "").id, "17[4]");
  EXPECT_EQ(ended("18", "Exit_status=271").state, "FAILED");
  EXPECT_EQ(ended("18", "Resource_List.walltime=7200").time_limit, 2h);
  EXPECT_EQ(ended("18", "jobname=\"two words\" user=ann").name, "two words");
  EXPECT_EQ(ended("18", "jobname=\"open user=ann").user, "ann");
}

TEST(PbsAccounting, WhatIsNoJobIsCounted) {
  const auto all = gathered(
      "01/26/2016 00:00:37;E;17[].pbs;start=1453766281 end=1453766437\n"
      "01/26/2016 00:00:37;E;18.pbs;user=ann end=1453766437\n"
      "01/26/2016 00:00:37;E;19.pbs;start=1453766438 end=1453766437\n"
      "01/26/2016 00:00:37;E;.pbs;start=1453766281 end=1453766437\n"
      "01/26/2016 00:00:37;E;20.pbs;start=soon end=1453766437\n"
      "13/26/2016 00:00:37;E;21.pbs;start=1453766281 end=1453766437\n"
      "rubbish\n");
  EXPECT_TRUE(all.batch.jobs.empty());
  EXPECT_EQ(all.account.left_out.size(), 2u);
  EXPECT_EQ(all.account.left_out.at("job never ran"), 1u);
  EXPECT_EQ(all.account.rejected, 5u);
}

TEST(PbsAccounting, WithoutAnEndTheRecordsOwnTimeCounts) {
  ReadOptions options;
  options.timezone = *Zone::named("+01:00");
  const std::string line = "01/26/2016 01:00:37;E;18.pbs;start=1453766281\n";
  // 2016-01-26T00:00:37Z = 1453766437 (date -u -d '2016-01-26 00:00:37' +%s)
  EXPECT_EQ(gathered(line, options).batch.jobs.at(0).end, time_from_seconds(1453766437));
  EXPECT_EQ(gathered(line).account.notices.size(), 1u);
}

TEST(PbsAccounting, RealLinesOfXdmodsShredder) {
  const std::string path = source_dir() + "/../shared/data/xdmod/shredder/pbs/input/accounting-logs.log";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no folder ../shared/data";
  auto input = LineInput::open(path);
  ASSERT_TRUE(input);
  ASSERT_EQ(*reader_for(*input), &pbs_accounting);
  const auto all = gather(pbs_accounting, *std::move(input));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->account.rejected, 0u);
  // id, nodes, node list, start, end, time limit: from output/accounting-logs.json
  struct Expected {
    const char *id, *node_list;
    std::uint64_t nodes;
    std::int64_t start, end, limit;
  };
  const Expected expected[] = {{"6", "i02n33,i02n32,i02n31,i02n30", 4, 1261425023, 1261427220, 14400},
                               {"6", "i02n33,i02n32,i02n31,i02n30", 4, 1261425023, 1261427220, 14400},
                               {"6464684", "n404", 1, 1415589841, 1415599191, 86400},
                               {"2994", "c1,c2,c3,c4,c5", 5, 1453766281, 1453766437, 163},
                               {"2995", "c1,c2", 2, 1453766281, 1453766437, 163},
                               {"7904", "", 1, 1485451424, 1485459831, 345600},
                               {"10711", "node0703", 1, 1588046353, 1588146353, -1},
                               {"10712", "node0703", 1, 1588046363, 1588146363, 345600},
                               {"3073070", "[hostname_2]", 1, 1607291966, 1607328038, 36000}};
  ASSERT_EQ(all->batch.jobs.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const Job& job = all->batch.jobs[i];
    EXPECT_EQ(job.id, expected[i].id);
    EXPECT_EQ(job.node_list, expected[i].node_list);
    EXPECT_EQ(job.nodes, expected[i].nodes);
    EXPECT_EQ(job.start, time_from_seconds(expected[i].start));
    EXPECT_EQ(job.end, time_from_seconds(expected[i].end));
    EXPECT_EQ(job.time_limit.value_or(Duration{-1000000}), std::chrono::seconds{expected[i].limit});
  }
}

}  // namespace
}  // namespace fathom
