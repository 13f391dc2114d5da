// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/bandwidth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

constexpr Direction r = Direction::read, w = Direction::write;

// Two ranks write 1000 bytes each by MPI_File_write_all: rank 0 in 10 us, rank 1 in 30 us; each has one pwrite inside, of 5 and 10 us.
// Bytes 2000. Time in MPI-IO 40 us: effective 2000 / 40e-6 = 50 MB/s; mean over 2 ranks 20 us: perceived 100 MB/s = 2 x effective.
// POSIX time 15 us: effective 133.3 MB/s. First start 0, last end 30 us: span 66.7 MB/s.
// POSIX calls at 2-7 and 12-22: busy 15 us, 133.3 MB/s. Bounds: 100 <= 133.3 <= 266.7: both hold.
TEST(Bandwidth, PerceivedIsEffectiveTimesRanks) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  const auto zero = run.call(0, "MPI_File_write_all", f, 0, 10, {0, 1000});
  run.call(0, "pwrite", f, 2, 7, {0, 1000}, zero);
  const auto one = run.call(1, "MPI_File_write_all", f, 0, 30, {1000, 1000});
  run.call(1, "pwrite", f, 12, 22, {1000, 1000}, one);
  BandwidthAnalysis analysis(run.trace);
  run.feed(analysis);
  const Bandwidth& all = analysis.all();
  EXPECT_EQ(all.of(Interface::mpiio, w).calls, 2u);
  EXPECT_EQ(all.of(Interface::mpiio, w).bytes, 2000u);
  EXPECT_EQ(all.of(Interface::mpiio, w).time, 40'000);
  EXPECT_NEAR(all.of(Interface::mpiio, w).effective(), 50e6, 1e-3);
  EXPECT_NEAR(all.perceived(w), 100e6, 1e-3);
  EXPECT_NEAR(all.of(Interface::posix, w).effective(), 2000 / 15e-6, 1);
  EXPECT_NEAR(all.of(Interface::mpiio, w).span(), 2000 / 30e-6, 1);
  EXPECT_EQ(all.lower_bound(w), Bound::holds);
  EXPECT_EQ(all.upper_bound(w), Bound::holds);
  EXPECT_EQ(all.of(Interface::mpiio, r).calls, 0u);
  EXPECT_TRUE(std::isnan(all.perceived(r)));
  ASSERT_EQ(analysis.files().size(), 1u);
  EXPECT_NEAR(analysis.files()[0].perceived(w), 100e6, 1e-3);
}

// A program without MPI-IO: POSIX is what it waits for. 4 ranks, one of which reads 400 bytes in 4 us: the mean over 4 ranks is 1 us, so
// perceived is 400 MB/s; of the file, which only this rank used, 100 MB/s.
TEST(Bandwidth, PosixOnly) {
  MadeRun run(4);
  const auto f = run.file("/data/a");
  run.call(2, "read", f, 1, 5, {0, 400});
  BandwidthAnalysis analysis(run.trace);
  run.feed(analysis);
  EXPECT_EQ(analysis.all().perceived_at(r), Interface::posix);
  EXPECT_NEAR(analysis.all().perceived(r), 400e6, 1e-3);
  EXPECT_NEAR(analysis.files()[0].perceived(r), 100e6, 1e-3);
  EXPECT_EQ(analysis.files()[0].ranks, 1u);
  EXPECT_EQ(analysis.all().lower_bound(r), Bound::unknown);
  // Four processes without MPI: the other three may be shells. The mean is over the one that reads.
  for (Process& process : run.trace.processes) process.rank = -1;
  BandwidthAnalysis processes(run.trace);
  run.feed(processes);
  EXPECT_NEAR(processes.all().perceived(r), 100e6, 1e-3);
}

// Non-blocking: 5 us in the call, 20 us in the wait, 100 us of computing between them: 25 us count. A split collective: 3 + 7 us of
// reading. The wait for the write comes while a read of another file is under way, and still is the write's.
TEST(Bandwidth, WaitsBelongToWhatTheyComplete) {
  MadeRun run(1);
  const auto f = run.file("/data/a"), g = run.file("/data/b");
  run.call(0, "MPI_File_iwrite_at", f, 0, 5, {0, 5000});
  run.call(0, "MPI_File_read_all_begin", g, 10, 13, {0, 700});
  run.call(0, "MPI_Wait", f, 105, 125);
  run.call(0, "MPI_File_read_all_end", g, 130, 137);
  BandwidthAnalysis analysis(run.trace);
  run.feed(analysis);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, w).time, 25'000);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, w).calls, 1u);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, r).time, 10'000);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, r).bytes, 700u);
}

// One Waitall for two writes and, after them, a read: the tracer tells each of the three inside it. The 10 us are the oldest one's, a
// write's; a later wait for another read is that read's.
TEST(Bandwidth, OneWaitForSeveral) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  run.call(0, "MPI_File_iwrite_at", f, 0, 1, {0, 10});
  run.call(0, "MPI_File_iwrite_at", f, 1, 2, {10, 10});
  run.call(0, "MPI_File_iread_at", f, 2, 3, {0, 10});
  const auto wait = run.call(0, "MPI_Wait", f, 10, 20, {0, 30});
  for (int i = 0; i < 3; ++i) run.call(0, "MPI_Wait", f, 20, 20, {i * 10, 10}, wait);
  run.call(0, "MPI_File_iread_at", f, 30, 31, {0, 10});
  run.call(0, "MPI_Wait", f, 40, 45, {0, 10});
  BandwidthAnalysis analysis(run.trace);
  run.feed(analysis);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, w).time, 12'000);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, r).time, 7'000);
  EXPECT_EQ(analysis.all().of(Interface::mpiio, r).bytes, 20u);
}

// Pipes and launchers are not data; a read inside fread is the same data once; a failed write has moved nothing; a short one its result.
TEST(Bandwidth, CountsDataOnce) {
  MadeRun run(2);
  run.trace.units[1].launcher = true;
  const auto f = run.file("/data/a"), pipe = run.file("pipe:[7]", FileKind::pipe);
  run.call(0, "write", pipe, 0, 1, {no_offset, 100});
  run.call(1, "write", f, 0, 1, {0, 100});
  const auto outer = run.call(0, "fread", f, 2, 6, {0, 10});
  run.call(0, "read", f, 3, 5, {0, 4096}, outer);
  run.call(0, "write", f, 7, 8, {0, 50, -28});
  run.call(0, "write", f, 8, 9, {0, 50, 20});
  BandwidthAnalysis analysis(run.trace);
  run.feed(analysis);
  EXPECT_EQ(analysis.all().of(Interface::posix, r).bytes, 10u);
  EXPECT_EQ(analysis.all().of(Interface::posix, r).time, 4'000);
  EXPECT_EQ(analysis.all().of(Interface::posix, w).bytes, 20u);
  EXPECT_EQ(analysis.all().of(Interface::posix, w).calls, 2u);
  EXPECT_EQ(analysis.files().size(), 1u);
}

// Data sieving: 1000 bytes asked for, 8000 written and 8000 read by POSIX. Two ranks, MPI calls of 10 us, POSIX writes at 1-9 of both: busy
// 8 us, 16000 / 8e-6 = 2 GB/s; perceived MPI 2000 / 10e-6 = 200 MB/s. With one slow POSIX write outside of MPI (1 byte, 10 ms) the lower
// bound breaks: 16001 / 10.008 ms = 1.6 MB/s.
TEST(Bandwidth, BoundsAreReportedNotAsserted) {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const auto call = run.call(rank, "MPI_File_write_at", f, 0, 10, {0, 1000});
    run.call(rank, "pwrite", f, 1, 9, {0, 8000}, call);
  }
  BandwidthAnalysis before(run.trace);
  run.feed(before);
  EXPECT_EQ(before.all().lower_bound(w), Bound::holds);
  run.call(0, "write", f, 100, 10'100, {0, 1});
  BandwidthAnalysis after(run.trace);
  run.feed(after);
  EXPECT_EQ(after.all().lower_bound(w), Bound::does_not_hold);
  EXPECT_EQ(after.all().upper_bound(w), Bound::holds);
  // Two threads of one rank at once: busy 8 us for 16 us of calls, and one rank: 2x, above effective x 1.
  MadeRun threads(1);
  const auto g = threads.file("/data/a");
  threads.call(0, "pwrite", g, 1, 9, {0, 8000});
  threads.call(0, "pwrite", g, 1, 9, {8000, 8000});
  BandwidthAnalysis threaded(threads.trace);
  threads.feed(threaded);
  EXPECT_EQ(threaded.all().upper_bound(w), Bound::does_not_hold);
}

}  // namespace
}  // namespace fathom::trace
