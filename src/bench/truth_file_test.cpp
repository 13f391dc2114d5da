// SPDX-License-Identifier: Apache-2.0
#include "bench/truth_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace fathom {
namespace {

namespace fs = std::filesystem;

Result<BenchTruth> read_text(std::string_view text) {
  LineInput input = LineInput::from_memory("t.csv", text);
  return read_bench_truth(input);
}

constexpr std::string_view head = "# fathom bench truth 1\n# interface: posix\n# layout: shared\n# size: 100\n";
constexpr std::string_view header = "task,phase,call,file,offset,bytes,start,end,duration,count\n";

std::string with(std::string_view rows) { return std::string(head) + std::string(header) + std::string(rows); }

TEST(BenchTruthFile, IsReadAsItWasWritten) {
  const std::string path = (fs::temp_directory_path() / fmt::format("fathom-truth-{}.csv", ::getpid())).string();
  BenchTruthHead written;
  written.parameters = {.interface = BenchInterface::mpiio,
                        .layout = BenchLayout::shared,
                        .tasks = 2,
                        .size = 512,
                        .random_sizes = true,
                        .count = 3,
                        .seed = 9};
  written.job_id = "j12";
  written.nodes = 64;
  TaskOutcome one, two;
  two.task = 1;
  const std::int64_t second = 1'000'000'000, t = 1'700'000'000 * second;
  one.calls = {{.phase = BenchPhase::write, .call = BenchCall::open, .start = t + 1500, .end = t + 2500, .duration = 1000},
               {.phase = BenchPhase::write,
                .call = BenchCall::write,
                .offset = 0,
                .bytes = 400,
                .start = t + 3000,
                .end = t + 4000,
                .duration = 999},
               {.phase = BenchPhase::write, .call = BenchCall::sync, .start = t + 4000, .end = t + 5000},
               {.phase = BenchPhase::write, .call = BenchCall::close, .start = t + 5000, .end = t + 6000}};
  two.calls = {
      {.phase = BenchPhase::read, .call = BenchCall::read, .offset = 400, .bytes = 70, .start = t + second, .end = t + 2 * second},
      {.phase = BenchPhase::read, .call = BenchCall::read, .offset = 470, .bytes = 30, .start = t + second, .end = t + 2 * second}};
  ASSERT_TRUE(write_bench_truth(path, written, {one, two}));
  const auto truth = read_bench_truth(path);
  fs::remove(path);
  ASSERT_TRUE(truth) << truth.error().message;
  EXPECT_EQ(truth->head.job_id, "j12");
  EXPECT_EQ(truth->head.nodes, 64u);
  EXPECT_EQ(truth->head.parameters.interface, BenchInterface::mpiio);
  EXPECT_EQ(truth->head.parameters.layout, BenchLayout::shared);
  EXPECT_EQ(request_text(truth->head.parameters), "random max 512");
  EXPECT_EQ(truth->head.parameters.seed, 9u);
  EXPECT_EQ(truth->rows, 6u);
  // read_bytes, write_bytes, read_ops, write_ops, opens, closes, dirs, inode_updates
  EXPECT_EQ(truth->amounts, (Counters{100, 400, 2, 1, 1, 1, 0, 0}));
  EXPECT_EQ(truth->first, time_from_micros(1'700'000'000'000'001));  // 1.5 us, of which whole microseconds are kept
  EXPECT_EQ(truth->last, time_from_seconds(1'700'000'002));
}

TEST(BenchTruthFile, GivesItsRows) {
  LineInput input = LineInput::from_memory("t.csv", with("3,read,read,f,40,900,1.5,2.25,0.75,9\n0,write,close,g,0,0,2,3,1,1\n"));
  std::vector<BenchTruthRow> rows;
  ASSERT_TRUE(read_bench_truth(input, [&](const BenchTruthRow& row) { rows.push_back(row); }));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].task, 3u);
  EXPECT_EQ(rows[0].call.call, BenchCall::read);
  EXPECT_EQ(rows[0].call.phase, BenchPhase::read);
  EXPECT_EQ(rows[0].call.offset, 40u);
  EXPECT_EQ(rows[0].call.bytes, 900u);
  EXPECT_EQ(rows[0].call.start, 1'500'000'000);
  EXPECT_EQ(rows[0].call.duration, 750'000'000);
  EXPECT_EQ(rows[0].count, 9u);
  EXPECT_EQ(rows[1].call.phase, BenchPhase::write);
  EXPECT_FALSE(read_text(with("0,read,read,f,0,1,253402300799,253402300799,0,1\n")));
}

TEST(BenchTruthFile, ARowMayStandForManyCalls) {
  const auto truth = read_text(with("0,read,read,f,0,900,1,2,1,9\n0,read,close,f,0,0,2,3,1,4\n"));
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->amounts, (Counters{900, 0, 9, 0, 0, 4, 0, 0}));
}

TEST(BenchTruthFile, WhatIsWrongIsToldWithItsLine) {
  const auto why = [](const std::string& text) {
    const auto truth = read_text(text);
    return truth ? std::string() : truth.error().message;
  };
  EXPECT_NE(why("# fathom bench truth 2\n").find("it has format 2, this program knows format 1 (t.csv:1)"), std::string::npos);
  EXPECT_NE(why("# fathom bench truth x\n").find("not a truth file of fathom bench (t.csv:1)"), std::string::npos);
  EXPECT_NE(why("task,phase\n").find("not a truth file of fathom bench (t.csv:1)"), std::string::npos);
  EXPECT_NE(why(with("0,read,read,f,0,x,1,2,1,9\n")).find("(t.csv:6)"), std::string::npos);
  EXPECT_NE(why(with("0,read,seek,f,0,1,1,2,1,9\n")).find("call is none of"), std::string::npos);
  EXPECT_NE(why(with("0,wait,read,f,0,1,1,2,1,9\n")).find("phase is neither"), std::string::npos);
  EXPECT_NE(why(with("0,read,read,f,0,1,now,2,1,9\n")).find("not a time"), std::string::npos);
  EXPECT_NE(why(with("0,read,read\n")).find("not a whole number"), std::string::npos);
  EXPECT_NE(why(with("0,read,read,f,0,18446744073709551615,1,2,1,9\n0,read,read,f,0,1,1,2,1,9\n")).find("beyond 64 bits"),
            std::string::npos);
  EXPECT_NE(why(std::string(head)).find("no header line"), std::string::npos);
  EXPECT_NE(why(std::string(head) + "task,phase,call\n").find("a column is missing"), std::string::npos);
  EXPECT_NE(why("# fathom bench truth 1\n" + std::string(header)).find("do not say interface"), std::string::npos);
  EXPECT_NE(why("# fathom bench truth 1\n# interface: nfs\n").find("neither posix nor mpiio (t.csv:2)"), std::string::npos);
}

TEST(BenchTruthFile, AFullDiskIsAnError) {
  const auto written = write_bench_truth("/dev/full", {}, {});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("/dev/full: No space left on device"), std::string::npos);
}

}  // namespace
}  // namespace fathom
