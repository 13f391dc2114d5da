// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "trace_analysis/finding.h"
#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

std::vector<Finding> found_in(const MadeRun& run) {
  FactsAnalysis facts(run.trace);
  ConcurrencyAnalysis concurrency(Interface::posix);
  run.feed(facts, concurrency);
  return find_all({run.trace, facts.facts(), concurrency.files()});
}

const Finding* find(const std::vector<Finding>& findings, std::string_view name) {
  for (const Finding& each : findings)
    if (each.kind->name == name) return &each;
  return nullptr;
}

bool says(const Finding& finding, std::string_view words) { return finding.evidence.find(words) != std::string::npos; }

/// 8 MPI-IO writes of 1000 bytes on each of two ranks, 1000 us each. Sieving: lock 100, read 300, write 400, unlock 50 of 512 KiB.
MadeRun mpi_writes(bool sieving, double scale = 1) {
  MadeRun run(2);
  const auto f = run.file("/data/shared");
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (int i = 0; i < 8; ++i) {
      const double t = (i * 2000 + rank * 1000) * scale;  // never at the same time
      const std::int64_t at = (i * 2 + rank) * std::int64_t{524288};
      const auto call = run.call(rank, "MPI_File_write_at", f, t, t + 1000 * scale, {at, 1000});
      if (sieving) {
        run.call(rank, "fcntl.lock", f, t, t + 100 * scale, {at, 524288, 0}, call, lock_exclusive);
        run.call(rank, "pread", f, t + 100 * scale, t + 400 * scale, {at, 524288, 0}, call);  // nothing there yet
        run.call(rank, "pwrite", f, t + 400 * scale, t + 800 * scale, {at, 524288}, call);
        run.call(rank, "fcntl.unlock", f, t + 800 * scale, t + 850 * scale, {at, 524288, 0}, call);
      } else {
        run.call(rank, "pwrite", f, t + 100 * scale, t + 900 * scale, {at, 1000}, call);
      }
    }
  }
  return run;
}

// All 16 writes sieve: 16 ms of 16 ms. Asked for 16 x 1000 bytes = 15.6 KiB, moved 16 x 512 KiB = 8 MiB: 524.3 times.
// Reads, locks, unlocks: 450 of 1000 us.
TEST(DataSieving, IsFound) {
  const auto findings = found_in(mpi_writes(true));
  const Finding* found = find(findings, "data_sieving");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->calls, 16u);
  EXPECT_EQ(found->bytes, 16'000u);
  EXPECT_DOUBLE_EQ(found->share_of_time, 1);
  EXPECT_EQ(found->severity, Severity::high);
  EXPECT_EQ(found->kind->hint, "romio_ds_write=disable");
  EXPECT_TRUE(says(*found, "16 of 16 MPI-IO writes, 100 % of MPI-IO write time: 16 cycles")) << found->evidence;
  EXPECT_TRUE(says(*found, "16 locks")) << found->evidence;
  EXPECT_TRUE(says(*found, "(524.3 times)")) << found->evidence;
  EXPECT_TRUE(says(*found, "45.0 % of the time")) << found->evidence;
}

TEST(DataSieving, IsNotFoundWithoutReadingBack) { EXPECT_EQ(find(found_in(mpi_writes(false)), "data_sieving"), nullptr); }

// It cannot be mistaken for anything else: also a run of microseconds is told, where other findings want 1 ms.
TEST(DataSieving, IsToldHoweverShortTheRun) { EXPECT_NE(find(found_in(mpi_writes(true, 0.001)), "data_sieving"), nullptr); }

// A program that reads a range and later writes it is no sieving of MPI-IO's.
TEST(DataSieving, NeedsAnMpiCallAround) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  for (int i = 0; i < 100; ++i) {
    run.call(0, "pread", f, i * 1000, i * 1000 + 400, {0, 8192});
    run.call(0, "pwrite", f, i * 1000 + 400, i * 1000 + 900, {0, 8192});
  }
  EXPECT_EQ(find(found_in(run), "data_sieving"), nullptr);
}

/// 40 MPI-IO writes of each of two ranks, one POSIX write inside each; `step` from one to the next of a rank.
MadeRun independent_writes(std::uint64_t bytes, std::int64_t step, const char* call_name) {
  MadeRun run(2);
  const auto f = run.file("/data/shared");
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (int i = 0; i < 40; ++i) {
      const double t = i * 200.0 + rank * 100;
      const auto call = run.call(rank, call_name, f, t, t + 100, {i * step + rank * 1'000'000'000, bytes});
      run.call(rank, "pwrite", f, t + 10, t + 90, {i * step + rank * 1'000'000'000, bytes}, call);
    }
  }
  return run;
}

// Of each rank's 40 writes all but the first are elsewhere than the last one ended: 78 of 80.
TEST(StridedWrites, AreFound) {
  const auto findings = found_in(independent_writes(8192, 65536, "MPI_File_write_at"));
  const Finding* found = find(findings, "strided_writes");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->calls, 78u);
  EXPECT_TRUE(says(*found, "78 of 80 POSIX writes")) << found->evidence;
  EXPECT_TRUE(says(*found, "by 2 ranks")) << found->evidence;
  EXPECT_EQ(found->kind->hint, "romio_cb_write=enable");
}

TEST(StridedWrites, AreNotFoundInOtherPatterns) {
  EXPECT_EQ(find(found_in(independent_writes(8192, 8192, "MPI_File_write_at")), "strided_writes"), nullptr);        // contiguous
  EXPECT_EQ(find(found_in(independent_writes(4 << 20, 8 << 20, "MPI_File_write_at")), "strided_writes"), nullptr);  // large
  EXPECT_EQ(find(found_in(independent_writes(8192, 65536, "MPI_File_write_at_all")), "strided_writes"), nullptr);   // collective already
}

/// 4 ranks, 8 rounds of a write each that begin at once; served one after the other, or side by side.
MadeRun rounds(bool queue, bool shared) {
  MadeRun run(4);
  std::vector<std::uint32_t> files;
  for (int i = 0; i < 4; ++i) files.push_back(run.file("/data/" + std::to_string(i)));
  for (int round = 0; round < 8; ++round)
    for (std::uint32_t rank = 0; rank < 4; ++rank)
      run.call(rank, "pwrite", files[shared ? 0 : rank], round * 1000, round * 1000 + (queue ? 100.0 * (rank + 1) : 100.0),
               {round * 65536, 65536});
  return run;
}

// Each round: lengths 100, 200, 300, 400 us; lost 0 + 100 + 200 + 300 = 600 of 1000: 60 % of the time, serialisation 1.
TEST(SharedFileContention, IsFound) {
  const auto findings = found_in(rounds(true, true));
  const Finding* found = find(findings, "shared_file_contention");
  ASSERT_NE(found, nullptr);
  EXPECT_DOUBLE_EQ(found->share_of_time, 0.6);
  EXPECT_TRUE(says(*found, "32 of 32 writes by 4 ranks")) << found->evidence;
  EXPECT_TRUE(says(*found, "serialisation 1.00")) << found->evidence;
  EXPECT_TRUE(says(*found, "60.0 % of the file's POSIX write time")) << found->evidence;
}

TEST(SharedFileContention, IsNotFoundSideBySideNorInFilesOfTheirOwn) {
  EXPECT_EQ(find(found_in(rounds(false, true)), "shared_file_contention"), nullptr);
  EXPECT_EQ(find(found_in(rounds(true, false)), "shared_file_contention"), nullptr);
}

/// Each rank writes for so many microseconds, 1 byte each.
MadeRun uneven(std::vector<double> times) {
  MadeRun run(static_cast<std::uint32_t>(times.size()));
  const auto f = run.file("/data/a");
  for (std::uint32_t rank = 0; rank < times.size(); ++rank)
    if (times[rank] > 0) run.call(rank, "pwrite", f, 0, times[rank], {0, static_cast<std::uint64_t>(times[rank])});
  return run;
}

// 8 ms on rank 2 of 4, nothing on the others: mean 2 ms, 4 times; what is above the mean is 6 of 8 ms.
TEST(RankImbalance, IsFound) {
  const auto findings = found_in(uneven({0, 0, 8000, 0}));
  const Finding* found = find(findings, "rank_imbalance");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->file, no_file);
  EXPECT_DOUBLE_EQ(found->share_of_time, 0.75);
  EXPECT_TRUE(says(*found, "rank 2 spends 0.008 s")) << found->evidence;
  EXPECT_TRUE(says(*found, "4.0 times")) << found->evidence;
}

TEST(RankImbalance, IsNotFoundWhenEvenOrAlone) {
  EXPECT_EQ(find(found_in(uneven({8000, 9000, 8000, 15000})), "rank_imbalance"), nullptr);
  EXPECT_EQ(find(found_in(uneven({8000})), "rank_imbalance"), nullptr);
}

/// 200 requests of one rank, one after the other, 50 us each.
MadeRun requests(const char* name, std::uint64_t bytes, std::int64_t first, std::int64_t step, std::uint32_t ranks = 1) {
  MadeRun run(ranks);
  const auto f = run.file("/data/a");
  for (int i = 0; i < 200; ++i) run.call(static_cast<std::uint32_t>(i) % ranks, name, f, i * 50, i * 50 + 50, {first + i * step, bytes});
  return run;
}

TEST(TinyRequests, AreFound) {
  const auto findings = found_in(requests("pwrite", 100, 0, 100));
  const Finding* found = find(findings, "tiny_requests");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->calls, 200u);
  EXPECT_TRUE(says(*found, "200 of 200 POSIX writes of the file, 100 % of their time")) << found->evidence;
}

TEST(TinyRequests, AreNotFoundInLargeOrBufferedOnes) {
  EXPECT_EQ(find(found_in(requests("pwrite", 8192, 0, 8192)), "tiny_requests"), nullptr);
  EXPECT_EQ(find(found_in(requests("fwrite", 100, 0, 100)), "tiny_requests"), nullptr);
}

MadeRun opens(int files, int times) {
  MadeRun run(1);
  double t = 0;
  for (int f = 0; f < files; ++f) {
    const auto file = run.file("/data/" + std::to_string(f));
    for (int i = 0; i < times; ++i, t += 100) {
      run.call(0, "open", file, t, t + 40);
      run.call(0, "read", file, t + 40, t + 50, {0, 4096});
      run.call(0, "close", file, t + 50, t + 60);
    }
  }
  return run;
}

// 50 opens of 40 us in 50 x 60 us of I/O: two thirds.
TEST(RepeatedOpens, AreFound) {
  const auto findings = found_in(opens(1, 50));
  const Finding* found = find(findings, "repeated_opens");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->share_of_time, 2.0 / 3, 1e-12);
  EXPECT_TRUE(says(*found, "50 opens by 1 rank:")) << found->evidence;
  EXPECT_EQ(find(findings, "many_opens"), nullptr);
}

TEST(ManyOpens, AreFound) {
  const auto findings = found_in(opens(150, 1));
  const Finding* found = find(findings, "many_opens");
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(says(*found, "150 opens of 150 files")) << found->evidence;
  EXPECT_EQ(find(findings, "repeated_opens"), nullptr);
}

TEST(ManyOpens, AreNotFoundInAFew) { EXPECT_TRUE(found_in(opens(20, 2)).empty()); }

/// A file of 2 MiB, read from beginning to end `times` times in pieces of 64 KiB; optionally with a byte written between.
MadeRun reading(int times, bool writing) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  double t = 0;
  for (int n = 0; n < times; ++n) {
    for (int i = 0; i < 32; ++i, t += 100) run.call(0, "pread", f, t, t + 100, {i * 65536, 65536});
    if (writing) run.call(0, "pwrite", f, t, t + 1, {0, 1});
    t += 10;
  }
  return run;
}

// Three times 2 MiB: 4 of 6 MiB again.
TEST(Rereads, AreFound) {
  const auto findings = found_in(reading(3, false));
  const Finding* found = find(findings, "rereads");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->bytes, 4u << 20);
  EXPECT_EQ(found->calls, 64u);
  EXPECT_NEAR(found->share_of_time, 2.0 / 3, 1e-9);
  EXPECT_TRUE(says(*found, "64 of 96 reads")) << found->evidence;
}

TEST(Rereads, AreNotFoundOnceOrAfterWriting) {
  EXPECT_EQ(find(found_in(reading(1, false)), "rereads"), nullptr);
  EXPECT_EQ(find(found_in(reading(3, true)), "rereads"), nullptr);
}

TEST(UnalignedRequests, AreFound) {
  const auto findings = found_in(requests("pwrite", 100'000, 13, 100'000, 2));
  const Finding* found = find(findings, "unaligned_requests");
  ASSERT_NE(found, nullptr);
  // 13 + 100000 i is a multiple of 4096 for no i: it is odd.
  EXPECT_TRUE(says(*found, "200 of 200 writes above 4 KiB begin at no multiple of 4 KiB")) << found->evidence;
}

TEST(UnalignedRequests, AreNotFoundAlignedOrOfOneRank) {
  EXPECT_EQ(find(found_in(requests("pwrite", 65536, 0, 65536, 2)), "unaligned_requests"), nullptr);
  EXPECT_EQ(find(found_in(requests("pwrite", 100'000, 13, 100'000, 1)), "unaligned_requests"), nullptr);
}

// A stripe of 1 MiB by a hint: steps of 64 KiB begin inside it 15 of 16 times: 200 - 13 = 187.
TEST(UnalignedRequests, KnowTheStripe) {
  MadeRun run = requests("pwrite", 65536, 0, 65536, 2);
  run.trace.files[0].hints = {"striping_unit=1048576"};
  const auto findings = found_in(run);
  ASSERT_NE(find(findings, "unaligned_requests"), nullptr);
  EXPECT_EQ(find(findings, "unaligned_requests")->calls, 187u);
}

MadeRun syncing(int every) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  for (int i = 0; i < 400; ++i) {
    run.call(0, "pwrite", f, i * 100, i * 100 + 10, {i * 8192, 8192});
    if (i % every == 0) run.call(0, "fsync", f, i * 100 + 10, i * 100 + 100);
  }
  return run;
}

TEST(SyncStorm, IsFound) {
  const auto findings = found_in(syncing(2));
  const Finding* found = find(findings, "sync_storm");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->calls, 200u);
  // 200 x 90 us of syncs, 400 x 10 us of writes.
  EXPECT_NEAR(found->share_of_time, 18.0 / 22, 1e-12);
}

TEST(SyncStorm, IsNotFoundInAFew) { EXPECT_EQ(find(found_in(syncing(40)), "sync_storm"), nullptr); }

TEST(Findings, HaveAllTheirWords) {
  for (const FindingKind* kind : all_finding_kinds()) {
    EXPECT_FALSE(kind->name.empty() || kind->what.empty() || kind->advice.empty() || kind->where.empty() || kind->threshold.empty())
        << kind->name;
  }
}

// Opening by MPI-IO takes 100 times as long as the 16 writes: ranks meet there, which is no I/O. The POSIX open inside is: 1 of 17 ms.
TEST(Findings, MeetingInOpenIsNoIo) {
  MadeRun run = mpi_writes(true);
  const auto open = run.call(0, "MPI_File_open", 0, 20'000, 1'620'000);
  run.call(0, "open", 0, 20'000, 21'000, {}, open);
  const auto findings = found_in(run);
  ASSERT_NE(find(findings, "data_sieving"), nullptr);
  EXPECT_NEAR(find(findings, "data_sieving")->share_of_time, 16.0 / 17, 1e-12);
}

// A run of an hour in which 16 ms of I/O go wrong: not worth a word. (0.01 % of an hour is 360 ms on each rank.)
TEST(Findings, LittleOfALongRunIsNotTold) {
  MadeRun run = mpi_writes(true);
  run.trace.end = run.trace.start + 3'600'000'000'000;
  EXPECT_TRUE(found_in(run).empty());
}

}  // namespace
}  // namespace fathom::trace
