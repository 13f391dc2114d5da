// SPDX-License-Identifier: Apache-2.0
#include "simulate/sweep_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

namespace fathom::simulate {
namespace {

constexpr Picoseconds s = picoseconds_per_second;

/// Two jobs of two nodes each, which read and write twice.
Work small_work() {
  Work work;
  std::vector<WorkIncrement> increments;
  for (std::uint32_t n = 0; n < 4; ++n) {
    work.nodes.push_back({std::to_string(n), 8, {}});
    for (int i = 0; i < 2; ++i)
      increments.push_back({n, i * 20 * s, (i + 1) * 20 * s, {{(n + 1) * 100 * MiB, (4 - n) * 200 * MiB}, {100, 200}}, 0});
  }
  work.jobs = {{"a", 0, 40 * s, {0, 1}}, {"b", 0, 40 * s, {2, 3}}};
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  return work;
}

Sweep some_sweep() { return *plan_sweep({}, {"external_bandwidth=1Gbit/s,4Gbit/s,10Gbit/s", "burst_buffer=0,1GiB"}); }

bool same(const SweepPoint& a, const SweepPoint& b) {
  const auto equal = [](const std::optional<RatioStatistics>& x, const std::optional<RatioStatistics>& y) {
    return x.has_value() == y.has_value() &&
           (!x || (x->count == y->count && x->average == y->average && x->maximum == y->maximum && x->median == y->median &&
                   x->standard_deviation == y->standard_deviation && x->share_above == y->share_above));
  };
  return a.combination == b.combination && equal(a.io_ratio, b.io_ratio) && equal(a.run_ratio, b.run_ratio) &&
         a.buffered.bytes == b.buffered.bytes && a.buffered.most == b.buffered.most && a.buffered.span == b.buffered.span;
}

TEST(SweepRun, TheSameOnAnyNumberOfThreadsAndProcesses) {
  const Work work = small_work();
  const Sweep sweep = some_sweep();
  const auto alone = run_sweep(sweep, {}, work, {0, 1, 1});
  ASSERT_TRUE(alone) << alone.error().message;
  ASSERT_EQ(alone->size(), 6u);
  EXPECT_EQ((*alone)[4].io_ratio->maximum, 1) << "10 Gbit/s and no buffer is the original";
  EXPECT_GT((*alone)[0].io_ratio->average, (*alone)[2].io_ratio->average) << "a faster link";
  EXPECT_EQ((*alone)[0].buffered.bytes, 0u);
  EXPECT_EQ((*alone)[1].buffered.bytes, 2 * (4 + 3 + 2 + 1) * 200 * MiB) << "every write goes through it";
  for (const unsigned threads : {2u, 3u, 8u})
    for (const std::size_t processes : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{9}}) {
      std::vector<SweepPoint> all;
      for (std::size_t p = 0; p < processes; ++p) {
        const auto part = run_sweep(sweep, {}, work, {p, processes, threads});
        ASSERT_TRUE(part);
        all.insert(all.end(), part->begin(), part->end());
      }
      ASSERT_EQ(all.size(), 6u);
      for (const SweepPoint& each : all) EXPECT_TRUE(same(each, (*alone)[each.combination])) << each.combination;
    }
}

static_assert(std::is_trivially_copyable_v<SweepPoint>);

/// 4 x 2 x 300 requests: the watch is asked every 65,536 events only, so it needs more.
TEST(SweepRun, StopsWithWhatIsDone) {
  Work work;
  work.nodes.push_back({"0", 8, {}});
  ASSERT_TRUE(lay_out(work, {{0, 0, s, {{0, 200'000}, {0, 200'000}}, 0}}));
  std::atomic<int> runs = 0;
  // The original and the first combination may run; whoever comes third stops.
  const auto limited = [&] {
    const int number = runs++;
    return Watch([number](const Moment& moment) {
      EXPECT_GT(moment.requests, 0u);
      EXPECT_GT(moment.time, 0);
      return number < 2;
    });
  };
  const auto done = run_sweep(some_sweep(), {}, work, {0, 1, 1}, limited);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(done->size(), 1u);
  EXPECT_EQ(done->front().combination, 0u);
  EXPECT_TRUE(run_sweep(some_sweep(), {}, work, {0, 1, 2}, [] { return Watch([](const Moment&) { return false; }); })->empty());
}

}  // namespace
}  // namespace fathom::simulate
