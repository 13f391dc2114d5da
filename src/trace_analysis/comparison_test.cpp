// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

/// RIOT's case: 8 collective writes of 1000 bytes on each of two ranks; with data sieving each takes 1000 us, half of it reading; without
/// 400 us.
MadeRun flash(bool sieving) {
  MadeRun run(2);
  const auto f = run.file("/data/shared");
  for (int i = 0; i < 8; ++i) {
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      const double t = i * 1000;
      const std::int64_t at = (i * 2 + rank) * std::int64_t{8192};
      const auto call = run.call(rank, "MPI_File_write_all", f, t, t + (sieving ? 1000 : 400), {at, 1000});
      if (sieving) run.call(rank, "pread", f, t, t + 500, {at, 8192}, call);
      run.call(rank, "pwrite", f, t + (sieving ? 500 : 0), t + (sieving ? 900 : 400), {at, sieving ? 8192u : 1000u}, call);
    }
  }
  return run;
}

void fill(RunNumbers& numbers, const MadeRun& run) {
  Walk walk(run.trace, numbers.analyses());
  for (const Event& event : run.events()) walk.take(event);
  walk.finish();
}

const ComparedRow* row(const std::vector<ComparedRow>& rows, std::string_view section, std::string_view what) {
  for (const ComparedRow& each : rows)
    if (each.section == section && each.what == what) return &each;
  return nullptr;
}

TEST(Comparison, WithAndWithoutDataSieving) {
  const MadeRun with = flash(true), without = flash(false);
  RunNumbers a(with.trace), b(without.trace);
  fill(a, with);
  fill(b, without);
  const auto rows = compare(a, b);
  // 16000 bytes in 8 ms on each rank: 2 MB/s; in 3.2 ms: 5 MB/s: 2.5 times.
  const ComparedRow* perceived = row(rows, "write", "perceived bandwidth");
  ASSERT_NE(perceived, nullptr);
  EXPECT_NEAR(perceived->a, 2e6, 1e-3);
  EXPECT_NEAR(perceived->ratio(), 2.5, 1e-9);
  EXPECT_NEAR(row(rows, "write", "bytes, posix")->a, 16 * 8192, 0);
  EXPECT_NEAR(row(rows, "call", "MPI_File_write_all: mean time of a call")->ratio(), 0.4, 1e-9);
  EXPECT_NEAR(row(rows, "decomposition", "MPI-IO write time in: read")->a, 0.5, 1e-12);
  EXPECT_EQ(row(rows, "decomposition", "MPI-IO write time in: read")->b, 0);
  const ComparedRow* finding = row(rows, "finding", "data_sieving /data/shared");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->note, "gone");
  EXPECT_TRUE(std::isnan(finding->ratio()));
  // MPI-IO itself reads nothing in either run: no such rows; the POSIX reads of sieving have one.
  EXPECT_EQ(row(rows, "read", "calls, mpiio"), nullptr);
  EXPECT_EQ(row(rows, "read", "calls, posix")->b, 0);
  const auto back = compare(b, a);
  EXPECT_EQ(row(back, "finding", "data_sieving /data/shared")->note, "new");
}

}  // namespace
}  // namespace fathom::trace
