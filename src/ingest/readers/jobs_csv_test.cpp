// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ingest/reader.h"

namespace fathom {
extern const Reader jobs_csv;
namespace {

using namespace std::chrono_literals;

Gathered gathered(std::string_view text) { return *gather(jobs_csv, text); }

TEST(JobsCsv, ItsOwnExample) {
  const auto all = gathered(jobs_csv.example);
  ASSERT_EQ(all.batch.jobs.size(), 2u);
  const Job& first = all.batch.jobs[0];
  EXPECT_EQ(first.id, "4711");
  EXPECT_EQ(first.name, "relax, coarse");
  EXPECT_EQ(first.nodes, 512u);
  EXPECT_EQ(first.servers, (std::vector<std::string>{"ion-R00-M0-0", "ion-R00-M0-1"}));
  EXPECT_EQ(first.start, time_from_seconds(1310000000));
  EXPECT_EQ(first.end, time_from_micros(1310007200500000));
  EXPECT_EQ(format_iso8601(all.batch.jobs[1].start), "2011-07-07T03:15:00Z");
  EXPECT_EQ(all.batch.jobs[1].end, no_time);
  EXPECT_TRUE(all.account.notices.empty());
  EXPECT_EQ(all.account.rejected, 0u);
}

TEST(JobsCsv, AllColumnsInAnyOrder) {
  const auto all = gathered(
      "\xef\xbb\xbfstate,partition,End,START,timelimit,submit,node_list,servers,job_id,colour,nodes\r\n"
      "DONE,long,2020-01-01 02:00:00,2020-01-01 01:00:00,1-00:00:00,2020-01-01,\"n[1-3],m\",b;a; a,7,red,\r\n");
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  const Job& job = all.batch.jobs[0];
  EXPECT_EQ(job.state, "DONE");
  EXPECT_EQ(job.partition, "long");
  EXPECT_EQ(job.time_limit, 24h);
  EXPECT_EQ(job.start - job.submit, 1h);
  EXPECT_EQ(job.nodes, 4u);
  EXPECT_EQ(job.servers, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(all.account.notices,
            (std::vector<std::string>{"times carry no zone: taken as UTC (--timezone to change)", "columns that are not used: colour"}));
}

TEST(JobsCsv, BadLinesAreRejected) {
  const auto all = gathered(
      "job_id,start,end,nodes,name\n"
      "1,5,4,1,x\n"
      "2,soon,4,1,x\n"
      "3,1,later,1,x\n"
      "4,1,2,many,x\n"
      ",1,2,1,x\n"
      "6,1,2,1,\"two\n"
      "lines\"\n"
      "7,1,2,1\n"
      "8,,,1,x\n"
      "9,1,2,1,ok\n");
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.batch.jobs[0].id, "9");
  EXPECT_EQ(all.account.rejected, 8u);
  EXPECT_EQ(all.account.first_rejects.at(0).why, "the job ends before it starts");
  EXPECT_EQ(all.account.left_out.at("job never ran"), 1u);
}

TEST(JobsCsv, NeedsItsHeader) {
  EXPECT_FALSE(gather(jobs_csv, "1,2,3\n"));
  EXPECT_FALSE(gather(jobs_csv, ""));
}

TEST(JobLogs, NoFormatIsTakenForAnother) {
  const std::string_view others[] = {
      "_fs_io_s_ _n_ 10.22.0.106 _nn_ rw02 _rc_ 0 _t_ 1579358234 _tu_ 53212 _cl_ gpfs _fs_ scratch _d_ 48 _br_ 205 _bw_ 7 _oc_ 2\n",
      "snapshot_time             1704924117.040584137 secs.nsecs\nread_bytes 1705491 samples [bytes] 1048576 1048576 1788336930816\n",
      "obdfilter.scratch-OST0042.job_stats=\njob_stats:\n- job_id:          815871\n",
      "t,server,filesystem,read_bytes\n1,a,b,3\n",
      "1286581760 1286581759 tycho1 lmt_ost 2;tycho1;0.000000;14.468557;lc1-OST0010;1\n",
      "\n",
      "{}\n"};
  for (const Reader* reader : all_readers()) {
    if (reader->name != "slurm_sacct" && reader->name != "pbs_accounting" && reader->name != "swf" && reader->name != "jobs_csv") continue;
    for (const std::string_view other : others) EXPECT_FALSE(reader->recognises(other, "x")) << reader->name << ": " << other;
    for (const Reader* other : all_readers())
      EXPECT_EQ(reader->recognises(other->example, "x"), reader == other) << reader->name << " and " << other->name;
  }
}

}  // namespace
}  // namespace fathom
