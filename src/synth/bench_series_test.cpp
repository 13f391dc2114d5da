// SPDX-License-Identifier: Apache-2.0
#include "synth/bench_series.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom {
namespace {

BenchTest find(std::string_view name, std::uint64_t nodes) {
  for (const BenchTest& test : all_bench_tests())
    if (name_of(test) == name && test.nodes == nodes) return test;
  ADD_FAILURE() << name;
  return {};
}

TEST(BenchSeries, HasTheTestsOfTheTables) {
  std::set<std::pair<std::string, std::uint64_t>> names;
  for (const BenchTest& test : all_bench_tests()) names.emplace(name_of(test), test.nodes);
  EXPECT_EQ(names.size(), 40u);
  EXPECT_TRUE(names.contains({"bench-posix-task-local-r512Ki", 64}));
  EXPECT_FALSE(names.contains({"bench-posix-task-local-16Ki", 64}));
}

/// D Table 4.7, 128 tasks: -99, -98, -93, -93, -93, -93, -74 %; 256 tasks: -99, -93, -75 %.
TEST(BenchSeries, CollectiveCallsBecomeFewRequests) {
  // 128 x 4 Ki = 0.5 MiB: one block, 1 of 128 requests (-99.2 %).
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-4Ki", 32)), 1u);
  // 128 x 16 Ki = 2 MiB: two blocks (-98.4 %).
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-16Ki", 32)), 2u);
  // 128 x 64 Ki = 8 MiB: one for each of eight aggregators (-93.75 %); so is any sum up to 8 x 4 MiB: 128 x 256 Ki.
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-64Ki", 32)), 8u);
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-r64Ki", 32)), 8u);
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-256Ki", 32)), 8u);
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-r512Ki", 32)), 8u);
  // 128 MiB: 16 MiB for each aggregator, in four buffers of 4 MiB: 32 of 128 (-75 %).
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-1024Ki", 32)), 32u);
  // 256 tasks, 16 aggregators: 1 MiB in one block (-99.6 %); 64 MiB in 16 (-93.75 %); 256 MiB in 64 (-75 %).
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-4Ki", 64)), 1u);
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-r512Ki", 64)), 16u);
  EXPECT_EQ(collective_requests(find("bench-mpiio-shared-1024Ki", 64)), 64u);
}

/// Of every test: the bytes that the I/O nodes count on `work` are those of the tasks, to the byte; so are commands, opens and closes with
/// the published additions; and the counters come 1 to 5 s late.
TEST(BenchSeries, CountersAreTheTasksCallsAndWhatIsAdded) {
  const std::int64_t start = 1'272'844'800'000'000;
  std::uint64_t number = 0;
  for (const BenchTest& test : all_bench_tests()) {
    SCOPED_TRACE(name_of(test));
    const BenchRun run = run_of(test, 0, start, 7, number++);
    Counters counted{}, program{};
    std::int64_t first_flow = INT64_MAX, last_flow = 0;
    for (const Flow& flow : run.flows) {
      ASSERT_LT(flow.server, test.nodes / nodes_per_io_node);
      ASSERT_LT(flow.begin, flow.end);
      add_to(flow.filesystem == 0 ? counted : program, flow.until(flow.end));
      if (flow.filesystem == 0) first_flow = std::min(first_flow, flow.begin);
      last_flow = std::max(last_flow, flow.end);
    }
    Counters done{};
    std::int64_t first_call = INT64_MAX, last_call = 0;
    for (const BenchTruthRow& row : run.rows) {
      const bool writing = row.call.phase == BenchPhase::write;
      done[index(writing ? Counter::write_bytes : Counter::read_bytes)] += row.call.bytes;
      if (row.call.call == BenchCall::read || row.call.call == BenchCall::write)
        done[index(writing ? Counter::write_ops : Counter::read_ops)] += row.count;
      if (row.call.call == BenchCall::open) done[index(Counter::opens)] += row.count;
      if (row.call.call == BenchCall::close) done[index(Counter::closes)] += row.count;
      first_call = std::min(first_call, row.call.start / 1000);
      last_call = std::max(last_call, row.call.end / 1000);
    }
    const BenchParameters& p = run.head.parameters;
    const bool collective = p.interface == BenchInterface::mpiio && p.layout == BenchLayout::shared;
    const std::uint64_t per_round = collective ? collective_requests(test) : p.tasks;
    EXPECT_EQ(done[index(Counter::write_ops)], p.tasks * p.count);
    EXPECT_EQ(done[index(Counter::opens)], 2 * p.tasks);
    EXPECT_EQ(counted[index(Counter::read_bytes)], done[index(Counter::read_bytes)]);
    EXPECT_EQ(counted[index(Counter::write_bytes)], done[index(Counter::write_bytes)]);
    EXPECT_EQ(counted[index(Counter::read_ops)], per_round * p.count);
    EXPECT_EQ(counted[index(Counter::write_ops)], per_round * p.count);
    const bool own = p.layout == BenchLayout::task_local, mpi = p.interface == BenchInterface::mpiio;
    // +50 % and +75 % of opens with task-local files, +25 % with a shared one; +25 % of closes for MPI-IO with task-local files.
    EXPECT_EQ(counted[index(Counter::opens)] + program[index(Counter::opens)], 2 * p.tasks * (own ? (mpi ? 7u : 6u) : 5u) / 4);
    EXPECT_EQ(counted[index(Counter::closes)], 2 * p.tasks * (own && mpi ? 5u : 4u) / 4);
    EXPECT_GE(first_flow - first_call, 0.9 * 1e6);
    EXPECT_LE(last_flow - last_call, 5 * 1e6);
    EXPECT_GT(first_call, start);
    EXPECT_LT(last_call, run.end);
    EXPECT_GE(run.end - start, 240 * 1'000'000);
    EXPECT_LE(run.end - start, 2400 * std::int64_t{1'000'000});
  }
}

TEST(BenchSeries, IsTheSameForTheSameSeedOnly) {
  const BenchTest test = find("bench-posix-shared-r64Ki", 32);
  const BenchRun once = run_of(test, 0, 0, 1, 2), again = run_of(test, 0, 0, 1, 2), other = run_of(test, 0, 0, 2, 2);
  EXPECT_EQ(once.end, again.end);
  EXPECT_EQ(once.rows.back().call.end, again.rows.back().call.end);
  EXPECT_EQ(once.flows.back().until(INT64_MAX), again.flows.back().until(INT64_MAX));
  EXPECT_NE(once.rows.back().call.end, other.rows.back().call.end);
}

}  // namespace
}  // namespace fathom
