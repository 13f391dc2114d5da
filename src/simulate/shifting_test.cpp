// SPDX-License-Identifier: Apache-2.0
// Time shifting and the re-scheduler (Figs. 5.10 to 5.12 of the dissertation), with numbers that can be followed by hand: one compute node
// per I/O node, reads only, 1000 bytes a second on the external link. The disk link and the tree have 10^15 bytes/s: 1000 bytes take 1 ps
// on each, so that x kB take x s and 2x ps originally, 2x s and 2x ps with half the bandwidth: exactly x s longer.
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "simulate/comparison.h"

namespace fathom::simulate {
namespace {

constexpr Picoseconds s = picoseconds_per_second;

Architecture with_external(std::uint64_t bytes_per_second) {
  Architecture a;
  a.tree_bandwidth = a.disk_bandwidth = 1'000'000'000'000'000;
  a.external_bandwidth = bytes_per_second;
  return a;
}

WorkIncrement reading(std::uint32_t node, Picoseconds start, std::uint64_t kilobytes) {
  WorkIncrement each{node, start, start + 10 * s, {}};
  each.amounts.bytes[0] = kilobytes * 1000;
  each.amounts.operations[0] = 1;
  return each;
}

Work laid_out(std::size_t nodes, std::vector<WorkJob> jobs, std::vector<WorkIncrement> increments) {
  Work work;
  for (std::size_t n = 0; n < nodes; ++n) work.nodes.push_back({std::to_string(n), 1, {}});
  work.jobs = std::move(jobs);
  const auto done = lay_out(work, std::move(increments));
  EXPECT_TRUE(done) << done.error().message;
  return work;
}

/// When the requests of each node leave it, in the changed run.
std::map<std::uint32_t, std::vector<Picoseconds>> issued(const Architecture& changed, const Work& work, Comparison* comparison = nullptr) {
  std::map<std::uint32_t, std::vector<Picoseconds>> starts;
  auto found = compare(changed, with_external(1000), work, [&](const Completion& each) { starts[each.node].push_back(each.issued); });
  EXPECT_TRUE(found) << found.error().message;
  if (comparison != nullptr) *comparison = *std::move(found);
  return starts;
}

TEST(Shifting, ComputationIsKept) {
  // Fig. 5.10. Reads of 2 kB at 0, 10 and 20 s: 2 s each, 8 s of computation between. At half the bandwidth 4 s each: each increment 2 s
  // later than the one before it.
  const Work work = laid_out(1, {}, {reading(0, 0, 2), reading(0, 10 * s, 2), reading(0, 20 * s, 2)});
  EXPECT_EQ(issued(with_external(500), work)[0], (std::vector<Picoseconds>{0, 12 * s, 24 * s}));
  // Twice the bandwidth: 1 s each, 1 s earlier each time.
  EXPECT_EQ(issued(with_external(2000), work)[0], (std::vector<Picoseconds>{0, 9 * s, 18 * s}));
}

TEST(Shifting, OverdrawnIncrements) {
  // 12 kB take longer than the 10 s to the next increment, whose 2 kB wait from 10 to 12 s; all done after 14 s (and 24 + 4 ps), then 6 s
  // of computation. At half the bandwidth: 24 s, then 4 s, all done after 28 s (and as many ps), and the third begins as long after that as
  // before.
  const Work work = laid_out(1, {}, {reading(0, 0, 12), reading(0, 10 * s, 2), reading(0, 20 * s, 2)});
  const auto slow = issued(with_external(500), work)[0];
  EXPECT_EQ(slow, (std::vector<Picoseconds>{0, 24 * s + 24, 34 * s}));
  // Four times the bandwidth: 3 s, and the second, for which nobody computed, follows at once: done at 3.5 s; the third 6 s later.
  const auto fast = issued(with_external(4000), work)[0];
  EXPECT_EQ(fast, (std::vector<Picoseconds>{0, 3 * s + 24, 9 * s + s / 2}));
}

TEST(Shifting, JobsStartTogether) {
  // Figs. 5.11 and 5.12. Job a on node 0 until 10 s, with 2 kB at 0; job b on nodes 0 and 1 from 10 to 20 s, with 2 kB on each at 10 s. At
  // half the bandwidth node 0 is ready for b at 12 s, node 1 at 10 s: b starts at 12 s on both, and takes 12 s (10 s, and 2 s more I/O).
  const Work work =
      laid_out(2, {{"a", 0, 10 * s, {0}}, {"b", 10 * s, 20 * s, {0, 1}}}, {reading(0, 0, 2), reading(0, 10 * s, 2), reading(1, 10 * s, 2)});
  Comparison found;
  auto starts = issued(with_external(500), work, &found);
  EXPECT_EQ(starts[0], (std::vector<Picoseconds>{0, 12 * s}));
  EXPECT_EQ(starts[1], (std::vector<Picoseconds>{12 * s}));
  ASSERT_EQ(found.jobs.size(), 2u);
  for (const JobComparison& job : found.jobs) {
    EXPECT_EQ(job.run_time.changed, 12 * s);
    EXPECT_EQ(job.run_time.original, 10 * s);
    EXPECT_NEAR(*job.io_time.ratio(), 2, 1e-9);
  }
  // Both read 2 kB on the disk link at the same moment: node 1 waits 2 ps for node 0.
  EXPECT_EQ(found.jobs[1].io_time.changed, 4 * s + 6);
}

TEST(Shifting, NoResynchronisationInsideAJob) {
  // Node 0 reads 4 kB at 0, node 1 reads 1 kB; both read again at 10 s. Half the bandwidth: 4 s and 1 s later, each on its own. The job
  // ends when the later node does.
  const Work work =
      laid_out(2, {{"a", 0, 20 * s, {0, 1}}}, {reading(0, 0, 4), reading(1, 0, 1), reading(0, 10 * s, 1), reading(1, 10 * s, 1)});
  Comparison found;
  auto starts = issued(with_external(500), work, &found);
  EXPECT_EQ(starts[0], (std::vector<Picoseconds>{0, 14 * s}));
  EXPECT_EQ(starts[1], (std::vector<Picoseconds>{0, 11 * s}));
  EXPECT_EQ(found.jobs[0].run_time.changed, 25 * s);
}

TEST(Shifting, IncrementsThatStraddleAJobsStartBeginWithIt) {
  // Interval (5, 15] has 7 s of job b (8 to 20 s) and 3 s of job a: it is b's, and begins at 8 s.
  const Work work = laid_out(1, {{"a", 0, 8 * s, {0}}, {"b", 8 * s, 20 * s, {0}}}, {reading(0, 5 * s, 1)});
  Comparison found;
  EXPECT_EQ(issued(with_external(500), work, &found)[0], (std::vector<Picoseconds>{8 * s}));
  EXPECT_EQ(found.jobs[0].io_time.changed, 0);
  EXPECT_EQ(found.jobs[0].io_time.ratio(), std::nullopt);
  EXPECT_EQ(found.jobs[1].io_time.changed, 2 * s + 2);
}

TEST(Shifting, OverlappingJobsAreRefused) {
  Work work;
  work.nodes.push_back({"R00-N0", 1, {}});
  work.jobs = {{"a", 0, 10 * s, {0}}, {"b", 9 * s, 20 * s, {0}}};
  const auto done = lay_out(work, {});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("'a' and 'b' are on I/O node R00-N0 at the same time (9.0"), std::string::npos)
      << done.error().message;
}

/// Jobs one after the other on random sets of nodes, with random I/O, some of it overdrawn.
Work made_work(Random& random) {
  const auto nodes = static_cast<std::uint32_t>(random.whole(1, 6));
  std::vector<WorkJob> jobs;
  std::vector<WorkIncrement> increments;
  std::vector<Picoseconds> free(nodes);
  for (int j = 0; j < 12; ++j) {
    WorkJob job{std::to_string(j), 0, 0, {}};
    for (std::uint32_t n = 0; n < nodes; ++n)
      if (random.chance(0.5)) job.nodes.push_back(n);
    if (job.nodes.empty()) continue;
    for (const std::uint32_t n : job.nodes) job.start = std::max(job.start, free[n]);
    job.start += random.whole(0, 3) * s;
    job.end = job.start + random.whole(0, 40) * s;
    for (const std::uint32_t n : job.nodes) free[n] = job.end;
    jobs.push_back(std::move(job));
  }
  for (std::uint32_t n = 0; n < nodes; ++n)
    for (int i = 0; i < 30; ++i)
      if (random.chance(0.6)) {
        WorkIncrement each = reading(n, i * 10 * s, static_cast<std::uint64_t>(random.whole(0, 15)));
        each.amounts.bytes[1] = static_cast<std::uint64_t>(random.whole(0, 5000));
        increments.push_back(each);
      }
  return laid_out(nodes, std::move(jobs), std::move(increments));
}

TEST(Shifting, TheSameArchitectureChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Work work = made_work(random);
    const Architecture a = with_external(1000);
    std::vector<Completion> plain, shifted;
    ASSERT_TRUE(run(a, work, nullptr, [&](const Completion& each) { plain.push_back(each); }));
    const auto found = compare(a, a, work, [&](const Completion& each) { shifted.push_back(each); });
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(plain, shifted) << "seed " << seed;
    for (const JobComparison& job : found->jobs) {
      EXPECT_EQ(job.io_time.changed, job.io_time.original);
      EXPECT_EQ(job.run_time.changed, job.run_time.original);
    }
  }
}

TEST(Shifting, EveryNodeKeepsItsComputation) {
  // A node without jobs to wait for: the time outside of I/O before its last step is the same on any architecture.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<WorkIncrement> increments;
    for (int i = 0; i < 20; ++i) increments.push_back(reading(0, i * 10 * s, static_cast<std::uint64_t>(random.whole(0, 14))));
    increments.push_back(reading(0, 1000 * s, 1));
    const Work work = laid_out(1, {}, increments);
    const auto computed = [](const Outcome& outcome) { return outcome.nodes[0].end - outcome.nodes[0].io_time; };
    const auto original = run(with_external(1000), work);
    ASSERT_TRUE(original);
    for (const std::uint64_t bandwidth : {300u, 999u, 5000u}) {
      const auto found = compare(with_external(bandwidth), with_external(1000), work);
      ASSERT_TRUE(found);
      EXPECT_EQ(computed(found->changed), computed(*original)) << "seed " << seed;
    }
  }
}

TEST(Statistics, OfRatios) {
  // 1, 1.1, 1.2, 2.7: average 1.5; deviations -0.5, -0.4, -0.3, 1.2: squares sum to 1.94, / 3; 1.1 itself is not above 1.1.
  const auto found = statistics({2.7, 1.0, 1.2, 1.1});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->average, 1.5);
  EXPECT_NEAR(*found->standard_deviation, 0.80415587, 1e-8);
  EXPECT_DOUBLE_EQ(found->median, 1.15);
  EXPECT_DOUBLE_EQ(found->maximum, 2.7);
  EXPECT_DOUBLE_EQ(found->share_above, 0.5);
  EXPECT_FALSE(statistics({}));
  EXPECT_FALSE(statistics({1})->standard_deviation);
}

}  // namespace
}  // namespace fathom::simulate
