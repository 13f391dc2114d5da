// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader darshan_text;

namespace {

using slices::Counter;
using slices::value_of;

constexpr std::string_view header =
    "# darshan log version: 3.41\n# exe: ./a.out\n# uid: 7\n# jobid: 4711\n# start_time: 1700000000\n# end_time: 1700000020\n# nprocs: 2\n";

std::string record(std::string_view module, std::string_view prefix, int rank,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> counters, std::string_view file = "/scratch/f") {
  std::string text;
  for (const auto& [name, value] : counters)
    text += std::string(module) + "\t" + std::to_string(rank) + "\t77\t" + std::string(prefix) + std::string(name) + "\t" +
            std::string(value) + "\t" + std::string(file) + "\t/scratch\tlustre\n";
  return text;
}

std::uint64_t sum(const slices::Process& process, Counter counter) {
  std::uint64_t total = 0;
  for (const slices::Slice& slice : process.slices) total += value_of(slice.values, counter);
  return total;
}

TEST(DarshanText, ItsExample) {
  const auto g = gather(darshan_text, darshan_text.example);
  ASSERT_TRUE(g);
  const JobRun& run = g->batch.runs.at(0);
  ASSERT_EQ(run.slices.processes.size(), 1u);
  const auto& rows = run.slices.processes[0].slices;
  // From second 2 to 10: 2 s in slice 0, 4 s in slice 1, 2 s in slice 2; 8 MiB and 8 writes become 2, 4 and 2.
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(value_of(rows[i].values, Counter::write_bytes), (i == 1 ? 4u : 2u) << 20);
    EXPECT_EQ(value_of(rows[i].values, Counter::write_calls), i == 1 ? 4u : 2u);
  }
  ASSERT_EQ(g->account.notices.size(), 1u);
}

TEST(DarshanText, ModulesAndSharedFiles) {
  const auto g = gather(darshan_text, std::string(header) +
                                          record("POSIX", "POSIX_", -1,
                                                 {{"BYTES_READ", "1000"},
                                                  {"READS", "10"},
                                                  {"OPENS", "2"},
                                                  {"STATS", "3"},
                                                  {"SEEKS", "4"},
                                                  {"WRITES", "-1"},
                                                  {"F_OPEN_START_TIMESTAMP", "1.0"},
                                                  {"F_CLOSE_END_TIMESTAMP", "2.0"},
                                                  {"F_READ_START_TIMESTAMP", "1.1"},
                                                  {"F_READ_END_TIMESTAMP", "1.9"},
                                                  {"F_READ_TIME", "0.5"},
                                                  {"F_META_TIME", "0.25"},
                                                  {"MODE", "438"}}) +
                                          record("MPI-IO", "MPIIO_", -1, {{"BYTES_READ", "900"}, {"F_READ_TIME", "1.5"}}) +
                                          record("STDIO", "STDIO_", 1, {{"BYTES_WRITTEN", "50"}, {"WRITES", "5"}, {"FLUSHES", "1"}}) +
                                          record("STDIO", "STDIO_", 0, {{"BYTES_WRITTEN", "5"}}, "<STDOUT>") +
                                          record("LUSTRE", "LUSTRE_", 0, {{"OSTS", "5"}}));
  ASSERT_TRUE(g);
  const JobRun& run = g->batch.runs.at(0);
  EXPECT_EQ(run.job.name, "a.out");
  ASSERT_EQ(run.slices.processes.size(), 2u);
  const slices::Process &all = run.slices.processes[0], &one = run.slices.processes[1];
  EXPECT_EQ(all.rank, slices::all_ranks);
  EXPECT_EQ(sum(all, Counter::read_bytes), 1000u);
  EXPECT_EQ(sum(all, Counter::read_calls), 10u);
  EXPECT_EQ(sum(all, Counter::write_calls), 0u);
  EXPECT_EQ(sum(all, Counter::opens), 2u);
  EXPECT_EQ(sum(all, Counter::other_calls), 7u);
  EXPECT_EQ(sum(all, Counter::mpi_read_bytes), 900u);  // it tells no times: over the whole run of 20 s, 5 slices
  EXPECT_EQ(all.slices.size(), 5u);
  EXPECT_EQ(sum(all, Counter::read_time), 500'000'000u);
  EXPECT_EQ(value_of(all.slices[0].values, Counter::io_time),
            750'000'000u);  // reading 0.5 s and 0.25 s of other calls; MPI-IO has 1.5 s / 5 in this slice
  EXPECT_EQ(value_of(all.slices[1].values, Counter::io_time), 300'000'000u);
  EXPECT_EQ(one.rank, 1);
  EXPECT_EQ(sum(one, Counter::write_bytes), 50u);
  EXPECT_EQ(sum(one, Counter::other_calls), 1u);
  EXPECT_EQ(g->account.left_out.at("line of a standard stream"), 1u);
  EXPECT_EQ(g->account.left_out.at("line of a module that is not used"), 1u);
  EXPECT_EQ(g->account.rejected, 0u);
}

TEST(DarshanText, WhatCannotBeUsed) {
  const auto g = gather(darshan_text, "POSIX\t0\t1\tPOSIX_READS\t1\tf\t/\tx\n" + std::string(header) +
                                          record("POSIX", "POSIX_", 0, {{"READS", "many"}}) +
                                          "POSIX\tx\t1\tPOSIX_READS\t1\tf\t/\tx\nPOSIX\t0\t1\tREADS\t1\tf\t/\tx\nPOSIX\n" +
                                          record("POSIX", "POSIX_", 1, {{"BYTES_READ", "99999999999999999999999"}}));
  ASSERT_TRUE(g);
  EXPECT_EQ(g->account.rejected, 5u);  // the record before the header is known when the next one begins, and counts then as one of the run
}

}  // namespace
}  // namespace fathom
