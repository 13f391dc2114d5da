// SPDX-License-Identifier: Apache-2.0
#include "ingest/darshan_run.h"
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader darshan_dxt;
extern const Reader darshan_text;

namespace {

using slices::Counter;
using slices::value_of;

constexpr std::string_view header =
    "# darshan log version: 3.41\n# exe: /home/ana/solver -n 3\n# uid: 999999998\n# jobid: 4711\n# start_time: 1700000000\n# end_time: "
    "1700000020\n# nprocs: 2\n";

JobRun read(std::string_view text, const ReadOptions& options = {}) {
  auto gathered = gather(darshan_dxt, text, options);
  EXPECT_TRUE(gathered.has_value());
  EXPECT_EQ(gathered->batch.runs.size(), 1u);
  return gathered->batch.runs.at(0);
}

TEST(DarshanDxt, ItsExample) {
  const JobRun run = read(darshan_dxt.example);
  EXPECT_EQ(run.job.id, "4711");
  EXPECT_EQ(run.job.name, "solver");
  EXPECT_EQ(run.job_named_by, "Darshan");
  EXPECT_EQ(run.job.start, time_from_seconds(1700000000));
  EXPECT_EQ(run.job.end, time_from_seconds(1700000020));
  EXPECT_EQ(run.job.node_list, "node7");
  EXPECT_EQ(run.command, "/home/ana/solver --steps 10");
  EXPECT_EQ(run.ranks, 2);
  ASSERT_EQ(run.slices.processes.size(), 1u);
  const slices::Process& process = run.slices.processes[0];
  EXPECT_EQ(process.rank, 0);
  EXPECT_EQ(process.host, "node7");
  // 1700000000 = 4 * 425000000. The write from second 2 to 10 has 2 s in slice 0, 4 s in slice 1, 2 s in slice 2: 8 MiB become 2, 4 and 2;
  // it ends in slice 2. The read from 11.5 to 11.6 lies in slice 2.
  ASSERT_EQ(process.slices.size(), 3u);
  constexpr std::uint64_t mib = 1 << 20;
  for (std::int64_t i = 0; i < 3; ++i) {
    const slices::Slice& slice = process.slices[static_cast<std::size_t>(i)];
    EXPECT_EQ(slice.number, 425000000 + i);
    EXPECT_EQ(value_of(slice.values, Counter::write_bytes), (i == 1 ? 4 : 2) * mib);
    EXPECT_EQ(value_of(slice.values, Counter::write_time), (i == 1 ? 4u : 2u) * 1'000'000'000u);
    EXPECT_EQ(value_of(slice.values, Counter::write_calls), i == 2 ? 1u : 0u);
    EXPECT_EQ(value_of(slice.values, Counter::read_bytes), i == 2 ? mib : 0u);
    EXPECT_EQ(value_of(slice.values, Counter::read_calls), i == 2 ? 1u : 0u);
    EXPECT_EQ(value_of(slice.values, Counter::io_time),
              value_of(slice.values, Counter::write_time) + value_of(slice.values, Counter::read_time));
  }
}

TEST(DarshanDxt, LayersAndRanks) {
  const JobRun run = read(std::string(header) +
                          "# DXT, rank: 1, hostname: n1\n X_MPIIO 1 write 0 0 100 0.0 3.0\n X_POSIX 1 write 0 0 60 1.0 2.0 [3] [4]\n"
                          "# DXT, rank: 0, hostname: n0\n X_POSIX 0 read 0 0 0 1.0 1.0 139823019705024\n");
  ASSERT_EQ(run.slices.processes.size(), 2u);
  EXPECT_EQ(run.slices.processes[0].rank, 0);
  EXPECT_EQ(value_of(run.slices.processes[0].slices.at(0).values, Counter::read_calls), 1u);  // a read at the end of a file
  const slices::Values& values = run.slices.processes[1].slices.at(0).values;
  EXPECT_EQ(value_of(values, Counter::mpi_write_bytes), 100u);
  EXPECT_EQ(value_of(values, Counter::write_bytes), 60u);
  EXPECT_EQ(value_of(values, Counter::write_calls), 1u);
  EXPECT_EQ(value_of(values, Counter::mpi_time), 3'000'000'000u);
  EXPECT_EQ(value_of(values, Counter::io_time), 3'000'000'000u);  // the write of POSIX was made inside
  EXPECT_EQ(run.hosts, (std::vector<std::string>{"n0", "n1"}));
  EXPECT_EQ(run.job.nodes, 2u);
}

TEST(DarshanDxt, SlicesOfAnotherLengthAndAnotherJob) {
  ReadOptions options;
  options.step = std::chrono::seconds(1);
  options.job = "mine";
  const JobRun run = read(darshan_dxt.example, options);
  EXPECT_EQ(run.job.id, "mine");
  EXPECT_EQ(run.job_named_by, "--job");
  EXPECT_EQ(run.slices.length, 1'000'000'000);
  EXPECT_EQ(run.slices.processes.at(0).slices.size(), 9u);  // seconds 2 to 9, and 11
}

TEST(DarshanDxt, HeadersItRefuses) {
  EXPECT_FALSE(gather(darshan_dxt, "# darshan log version: 3.41\n# jobid: 1\n"));
  EXPECT_FALSE(gather(darshan_dxt, "# start_time: 1700000000\n"));
  EXPECT_FALSE(gather(darshan_dxt, "# jobid: 1\n# start_time: 99999999999\n"));  // beyond what nanoseconds hold
  EXPECT_TRUE(gather(darshan_dxt, "# jobid: 1\n# start_time: 4600000000\n"));    // the year 2115
}

TEST(DarshanDxt, WhatCannotBeUsed) {
  const auto g = gather(
      darshan_dxt, " X_POSIX 0 write 0 0 1 0 1\n" + std::string(header) +
                       " X_POSIX x write 0 0 1 0 1\n X_POSIX 0 seek 0 0 1 0 1\n X_POSIX 0 write 0 0 -1 0 1\n X_POSIX 0 write 0 0 1 2 1\n"
                       " X_POSIX 0 write 0 0 1 0 1e18\n X_POSIX 0 write 0 0 99999999999999999 0 1\n X_POSIX 0 write\nsomething else\n");
  ASSERT_TRUE(g);
  EXPECT_EQ(g->account.rejected, 8u);
  EXPECT_EQ(g->account.left_out.at("line that is no segment"), 1u);
  EXPECT_TRUE(g->batch.runs.at(0).slices.processes.empty());
}

TEST(DarshanDxt, TooManySlicesAreAnError) {
  const auto g = gather(darshan_dxt, std::string(header) + " X_POSIX 0 write 0 0 1000000 0 900000000\n");
  ASSERT_FALSE(g);
  EXPECT_NE(g.error().message.find("--step"), std::string::npos);
}

// Slices are 4 s long. Each stretch of 12 s from a multiple of 4 begins and ends in slices of its own and has one between, which is the one
// after the first: 3 slices each. 34 of them have 102, more than 100.
TEST(DarshanDxt, TooManySlicesStopTheReading) {
  SeriesTable series;
  Harvest harvest(series, SIZE_MAX, [](Batch&) {});
  harvest.begin_source("job.txt", 1);
  const ReadOptions options;
  DarshanRun run(options, harvest, 100);
  run.comment("# jobid: 4711");
  run.comment("# start_time: 1700000000");
  int added = 0;
  for (; added < 1000 && !run.full(); ++added)
    EXPECT_TRUE(run.add(0, "n0", *run.stretch(12.0 * added, 12.0 * added + 12), Counter::write_bytes, 1000));
  EXPECT_EQ(added, 34);
  const auto delivered = run.deliver("job.txt");
  ASSERT_FALSE(delivered);
  EXPECT_NE(delivered.error().message.find("more than 100 of all processes"), std::string::npos) << delivered.error().message;

  DarshanRun fits(options, harvest, 100);  // the same slices again, and again, are no more slices
  fits.comment("# jobid: 4711");
  fits.comment("# start_time: 1700000000");
  for (int i = 0; i < 1000; ++i) fits.add(0, "n0", *fits.stretch(4.0 * (i % 100), 4.0 * (i % 100) + 4), Counter::write_bytes, 1000);
  EXPECT_FALSE(fits.full());
  EXPECT_TRUE(fits.deliver("job.txt"));
}

TEST(DarshanDxt, ALongHostNameIsCut) {
  const JobRun run =
      read(std::string(header) + "# DXT, rank: 0, hostname: " + std::string(1000, 'n') + "\n X_POSIX 0 write 0 0 1000 0 1\n");
  EXPECT_EQ(run.hosts, (std::vector<std::string>{std::string(255, 'n')}));
}

TEST(DarshanDxt, RecognisesItsOwn) {
  EXPECT_EQ(recognised(darshan_dxt.example), "darshan_dxt");
  EXPECT_EQ(recognised(darshan_text.example), "darshan_text");
  EXPECT_FALSE(darshan_dxt.recognises("# start_time: 1\n", ""));
}

}  // namespace
}  // namespace fathom
