// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <vector>

#include "synth/harbour_checkpoint.h"
#include "synth/harbour_counters.h"
#include "synth/harbour_trace.h"
#include "trace/trace.h"

namespace fathom::quayside {
namespace {

/// The first run of the checkpoint writer, cut to its first two checkpoints.
PlannedJob short_run() {
  SynthOptions options;
  options.days = 0.1;
  for (PlannedJob& job : plan(options))
    if (job.application->kind == Kind::checkpoint) {
      job.bursts.resize(2);
      return job;
    }
  return {};
}

TEST(Harbour, JobsHaveTheirNodesToThemselves) {
  const std::vector<PlannedJob> jobs = plan({});
  EXPECT_GT(jobs.size(), 40u);
  int traced = 0;
  for (std::size_t a = 0; a < jobs.size(); ++a) {
    traced += jobs[a].traced;
    EXPECT_LE(jobs[a].first_node + jobs[a].application->nodes, node_count);
    for (std::size_t b = a + 1; b < jobs.size(); ++b) {
      const bool at_once = jobs[a].start < jobs[b].end && jobs[b].start < jobs[a].end;
      const bool apart = jobs[a].first_node + jobs[a].application->nodes <= jobs[b].first_node ||
                         jobs[b].first_node + jobs[b].application->nodes <= jobs[a].first_node;
      EXPECT_TRUE(!at_once || apart) << jobs[a].id << " " << jobs[b].id;
    }
  }
  EXPECT_EQ(traced, 1);
  SynthOptions few;
  few.jobs = 10;
  EXPECT_EQ(plan(few).size(), 10u);
}

TEST(Harbour, WhatReachesTheServersComesFromTheCalls) {
  const PlannedJob job = short_run();
  Traffic traffic(1, 1000);
  std::map<std::uint32_t, std::int64_t> last_end;
  const RunTruth truth = play(job, 0, traffic, [&](const ClientCall& call) {
    EXPECT_GE(call.start, last_end[call.rank]);
    EXPECT_GT(call.end, call.start);
    last_end[call.rank] = call.end;
  });
  EXPECT_EQ(last_end.size(), ranks);
  EXPECT_EQ(truth.client_read, ranks * input_bytes);
  EXPECT_EQ(truth.server_read, ranks / ranks_per_node * input_bytes);  // each node once
  EXPECT_EQ(truth.client_write, 2u * ranks * calls_per_checkpoint * call_bytes);
  // 47,008 is an odd multiple of 32: calls begin equally often at every multiple of 32 of a page, and whole pages around them are 4096 - 32
  // bytes more on average.
  EXPECT_EQ(truth.server_write, 2u * ranks * calls_per_checkpoint * (call_bytes + page - 32));
  // The 2,937 MiB of a checkpoint have 2,937 borders of stripes, and each is crossed by a request that is cut there, but for those that
  // fall on one.
  const std::uint64_t requests = truth.server_requests - 4 * 64;
  EXPECT_NEAR(static_cast<double>(requests), 2.0 * (ranks * calls_per_checkpoint + 2937), 0.01 * 2 * 2937);
  // Half a second on the way; then 3.35 GB at 110 MB/s take 30 s, the calls 24 s: in the middle of a burst 3 s behind.
  EXPECT_NEAR(truth.delay, 3.5, 1);
  Amounts sum{};
  for (std::uint32_t ost = 0; ost < ost_count; ++ost)
    for (const auto& [at, amounts] : traffic.of(0, ost)) add_to(sum, amounts);
  EXPECT_EQ(sum, (Amounts{truth.server_read, truth.server_write, 4 * 64, requests}));
}

TEST(Harbour, CountersShowWhatWasDoneUntilTheyAreRead) {
  Traffic traffic(1, 400);
  traffic.add(0, 3, 0, {0, 100, 0, 1});
  traffic.add(traffic.nobody(), 3, 0, {0, 7, 0, 1});
  traffic.add(0, 3, 2, {0, 50, 0, 1});
  std::vector<std::vector<JobEntry>> tables;
  std::vector<std::uint64_t> written;
  read_counters(traffic, 401, [&](const OstReading& reading) {
    if (reading.ost == 3) tables.push_back(reading.jobs), written.push_back(reading.values[1]);
    return true;
  });
  EXPECT_EQ(written[1] - written[0], 107u);
  EXPECT_EQ(written[3] - written[1], 50u);
  EXPECT_TRUE(tables[0].empty());
  ASSERT_EQ(tables[3].size(), 1u);
  EXPECT_EQ(tables[3][0].values[1], 150u);
  EXPECT_EQ(tables[3][0].changed, reading_time(3) - second);
  EXPECT_EQ(tables[182].size(), 1u);  // 1,791 s after the last request
  EXPECT_TRUE(tables[183].empty());   // 1,801 s
}

TEST(Harbour, ItsTraceIsReadBack) {
  const PlannedJob job = short_run();
  TraceFolder made(job);
  Traffic traffic(1, 1000);
  std::uint64_t calls = 0;
  const RunTruth truth = play(job, 0, traffic, [&](const ClientCall& call) {
    ++calls;
    made.take(call);
  });
  EXPECT_EQ(truth.calls, calls - 2 * 3 * ranks);  // three files, each opened and closed
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("fathom-harbour-{}", job.id);
  ASSERT_TRUE(made.write(folder.string()));
  const auto trace = trace::open_trace(folder);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->records, calls);
  EXPECT_EQ(trace->processes.size(), ranks);
  EXPECT_EQ(trace->ranks(), ranks);
  EXPECT_EQ(trace->processes[0].job, fmt::format("{}", job.id));
  EXPECT_TRUE(trace->processes[0].has_slices);
}

}  // namespace
}  // namespace fathom::quayside
