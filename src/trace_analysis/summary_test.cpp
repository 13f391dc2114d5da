// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/summary.h"

#include <gtest/gtest.h>

#include "trace/file_totals.h"
#include "trace/made_trace_test.h"
#include "trace_analysis/walk.h"

namespace fathom::trace {
namespace {

constexpr std::int64_t ms = 1'000'000;

Result<Summary> summarise(const Trace& trace) {
  SummaryAnalysis analysis(trace);
  TRY_VOID(walk_trace(trace, {&analysis}));
  return analysis.summary();
}

/// Two ranks write 1 MiB each through MPI-IO: 100 ms and 300 ms inside the calls, of which POSIX took 50 ms and 150 ms for as many bytes.
/// So 0.4 s in MPI-IO and 0.2 s in POSIX; bandwidths are made of these elsewhere (trace_analysis/bandwidth).
TEST(Summary, BytesAndTimeOfMpiIo) {
  MadeTrace made;
  for (int rank = 0; rank < 2; ++rank) {
    MadeProcess& process = made.process({.rank = rank, .ranks = 2});
    const auto file = process.open_file("/a");
    const std::int64_t length = (rank == 0 ? 100 : 300) * ms;
    process.call(CallId::fcntl_lock, 0, 1 * ms, {.object = file, .depth = 1});
    process.call(CallId::pwrite, 1 * ms, 1 * ms + length / 2, {.object = file, .offset = 0, .bytes = 1 << 20, .depth = 1});
    process.call(CallId::fcntl_unlock, length - ms, length, {.object = file, .depth = 1});
    process.call(CallId::MPI_File_write_all, 0, length, {.object = file, .offset = 0, .bytes = 1 << 20});
  }
  MadeProcess& launcher = made.process();
  launcher.call(CallId::write, 0, 10, {.object = launcher.open_file("/log"), .bytes = 100});
  const auto trace = open_trace(made.write());
  ASSERT_TRUE(trace);
  const auto summary = summarise(*trace);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ranks, 2u);
  EXPECT_EQ(summary->files, 1u);
  EXPECT_EQ(summary->events, 9u);
  const LayerTotals &posix = summary->layers[static_cast<std::size_t>(Interface::posix)],
                    &mpi = summary->layers[static_cast<std::size_t>(Interface::mpiio)];
  EXPECT_EQ(mpi.bytes[1], 2u << 20);
  EXPECT_NEAR(static_cast<double>(mpi.time[1]), 400.0 * ms, 100);  // ticks are rounded to a few nanoseconds
  EXPECT_NEAR(static_cast<double>(posix.time[1]), 200.0 * ms, 100);
  EXPECT_EQ(summary->layers[0].lock_calls, 2u);
  EXPECT_EQ(summary->layers[0].unlock_calls, 2u);
  const auto totals = file_totals(*trace);
  ASSERT_TRUE(totals);
  EXPECT_EQ((*totals)[0].units, 2u);
  EXPECT_EQ((*totals)[0].write_bytes, 2u << 20);
  EXPECT_EQ((*totals)[0].write_calls, 2u);
}

/// MPI_File_write that is made of MPI_File_write_at moves its bytes once; pipes count nowhere.
TEST(Summary, NothingCountsTwice) {
  MadeTrace made;
  MadeProcess& process = made.process();
  const auto file = process.open_file("/a");
  const auto pipe = process.open_file("/p", {.kind = FileKind::pipe});
  process.call(CallId::MPI_File_write_at, 10, 20, {.object = file, .offset = 0, .bytes = 100, .depth = 1});
  process.call(CallId::MPI_File_write, 5, 25, {.object = file, .bytes = 100});
  process.call(CallId::MPI_File_write_at, 30, 40, {.object = file, .offset = 0, .bytes = 100});
  process.call(CallId::write, 50, 60, {.object = pipe, .bytes = 1000});
  const auto trace = open_trace(made.write());
  const auto summary = summarise(*trace);
  const LayerTotals& mpi = summary->layers[static_cast<std::size_t>(Interface::mpiio)];
  EXPECT_EQ(mpi.bytes[1], 200u);
  EXPECT_EQ(mpi.transfers[1], 2u);
  EXPECT_EQ(mpi.time[1], 20 + 10);
  EXPECT_EQ(summary->layers[0].calls, 0u);
}

}  // namespace
}  // namespace fathom::trace
