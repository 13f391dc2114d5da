// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "ingest/reader.h"
#include "tests/support/source_dir.h"

namespace fathom {
extern const Reader swf;
namespace {

using namespace std::chrono_literals;

const std::string real = source_dir() + "/../shared/data/swf/";

Gathered gathered(std::string_view text) { return *gather(swf, text); }

TEST(Swf, ItsOwnExample) {
  const auto all = gathered(swf.example);
  ASSERT_EQ(all.batch.jobs.size(), 2u);
  const Job &first = all.batch.jobs[0], &second = all.batch.jobs[1];
  EXPECT_EQ(first.id, "1");
  EXPECT_EQ(first.user, "u1");
  EXPECT_EQ(first.name, "");
  EXPECT_EQ(first.nodes, 128u);
  EXPECT_EQ(first.submit, no_time);  // the wait is unknown: what is given is the start
  EXPECT_EQ(first.start, time_from_seconds(749458803));
  EXPECT_EQ(first.end, time_from_seconds(749458803 + 1451));
  EXPECT_EQ(first.state, "");
  EXPECT_EQ(second.submit, time_from_seconds(749458803 + 1460));
  EXPECT_EQ(second.start, time_from_seconds(749458803 + 1490));
  EXPECT_EQ(second.end - second.start, 3726s);
  EXPECT_EQ(second.time_limit, 2h);
  EXPECT_EQ(second.name, "app2");
  EXPECT_EQ(second.partition, "batch");
  EXPECT_EQ(second.state, "COMPLETED");
  EXPECT_EQ(all.account.rejected, 0u);
  EXPECT_EQ(all.account.notices.size(), 1u);
}

TEST(Swf, ProcessorsBecomeNodesWhereTheHeaderSaysHow) {
  // 64 processors on 16 nodes: four each; 6 processors need two nodes, 4 one. Where none are known, those requested count.
  const auto all = gathered(
      "; Version: 2.2\n; UnixStartTime: 1000\n; MaxNodes: 16\n; MaxProcs: 64\n"
      "1 0 0 10 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "2 0 0 10.5 -1 -1 -1 4 -1 -1 0 1 1 1 1 1 -1 -1\n"
      "3 0 0 10 -1 -1 -1 -1 -1 -1 1 -1 1 1 1 1 -1 -1\n");
  ASSERT_EQ(all.batch.jobs.size(), 3u);
  EXPECT_EQ(all.batch.jobs[0].nodes, 2u);
  EXPECT_EQ(all.batch.jobs[1].nodes, 1u);
  EXPECT_EQ(all.batch.jobs[1].end, time_from_micros(1010500000));
  EXPECT_EQ(all.batch.jobs[1].partition, "q1");
  EXPECT_EQ(all.batch.jobs[2].nodes, 0u);
  EXPECT_EQ(all.batch.jobs[2].user, "");
}

TEST(Swf, WhatIsLeftOutAndWhatIsRejected) {
  const auto all = gathered(
      "; UnixStartTime: 1000\n"
      "1 0 5 0 6 -1 -1 -1 -1 -1 5 1 1 1 1 1 -1 -1\n"
      "2 0 5 -1 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "3 0 5 9 6 -1 -1 -1 -1 -1 2 1 1 1 1 1 -1 -1\n"
      "4 -1 5 9 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "5 0 5 1e300 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "6 0 5 nan 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "7 0 5\n");
  EXPECT_TRUE(all.batch.jobs.empty());
  EXPECT_EQ(all.account.left_out.size(), 3u);
  EXPECT_EQ(all.account.left_out.at("job never ran"), 1u);
  EXPECT_EQ(all.account.rejected, 4u);
}

TEST(Swf, IsRecognisedByHeaderOrEighteenNumbers) {
  EXPECT_TRUE(swf.recognises(";\n; Computer: x\n", "x"));
  EXPECT_TRUE(swf.recognises("1 0 -1 10 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n", "x"));
  EXPECT_FALSE(swf.recognises("; a comment\nwrite_bytes 3\n", "x"));
  EXPECT_FALSE(swf.recognises("1 0 -1 10 6 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1\n", "x"));
}

TEST(Swf, RealLogOfNasa) {
  const std::string zip = real + "NASA-iPSC-1993-3.1-cln.swf.zip";
  const std::string scratch = testing::TempDir() + "nasa.swf";
  if (!std::filesystem::exists(zip)) GTEST_SKIP() << "no folder ../shared/data";
  if (std::system(fmt::format("unzip -p '{}' > '{}' 2>/dev/null", zip, scratch).c_str()) != 0) GTEST_SKIP() << "no unzip here";
  auto input = LineInput::open(scratch);
  ASSERT_TRUE(input);
  ASSERT_EQ(*reader_for(*input), &swf);
  const auto all = gather(swf, *std::move(input));
  std::filesystem::remove(scratch);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->batch.jobs.size(), 18239u);  // MaxJobs in its header
  EXPECT_EQ(all->account.rejected, 0u);
  // StartTime: Fri Oct 01 00:00:03 PDT 1993 in its header
  EXPECT_EQ(format_iso8601(all->batch.jobs.front().start), "1993-10-01T07:00:03Z");
}

TEST(Swf, RealLogWithoutHeaderAndWithMoreColumns) {
  const std::string path = real + "wagap-2013.swf.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no folder ../shared/data";
  auto input = LineInput::open(path);
  ASSERT_TRUE(input);
  ASSERT_EQ(*reader_for(*input), &swf);
  const auto all = gather(swf, *std::move(input));
  ASSERT_TRUE(all);
  // 17,900 lines; jobs 4185 and 4199 have the run time -(submit + wait): their end was unknown to whoever wrote the log.
  EXPECT_EQ(all->account.jobs, 17898u);
  EXPECT_EQ(all->account.rejected, 2u);
  EXPECT_EQ(all->account.first_rejects.at(0).line, 4186u);
  // Its first line: submitted at 1356996147, no wait, 56011 s.
  EXPECT_EQ(all->batch.jobs.front().start, time_from_seconds(1356996147));
  EXPECT_EQ(all->batch.jobs.front().end, time_from_seconds(1356996147 + 56011));
  EXPECT_EQ(all->account.notices.size(), 3u);
}

}  // namespace
}  // namespace fathom
