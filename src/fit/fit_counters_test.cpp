// SPDX-License-Identifier: Apache-2.0
#include "fit/fit_counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "fit/continuous.h"
#include "fit/least_bandwidth.h"
#include "simulate/engine.h"

namespace fathom::fit {
namespace {

using namespace simulate;

constexpr Picoseconds s = picoseconds_per_second;
constexpr std::uint64_t MB = 1'000'000;

WorkIncrement moved(std::uint32_t node, Picoseconds start, Picoseconds end, Kind kind, std::uint64_t bytes, std::uint64_t operations) {
  WorkIncrement each{node, start, end, {}};
  each.amounts.bytes[static_cast<std::size_t>(kind)] = bytes;
  each.amounts.operations[static_cast<std::size_t>(kind)] = operations;
  return each;
}

Work work_of(std::uint32_t nodes, std::vector<WorkIncrement> increments, std::uint32_t compute_nodes = 16) {
  Work work;
  for (std::uint32_t n = 0; n < nodes; ++n) work.nodes.push_back({"s" + std::to_string(n), compute_nodes, {}});
  EXPECT_TRUE(lay_out(work, std::move(increments)));
  return work;
}

/// What counters read every 10 s see of a machine that is asked for much at once, and has nothing to do before and after.
struct Machine {
  Architecture architecture;
  std::uint32_t nodes = 1, compute_nodes = 16;

  std::vector<WorkIncrement> counted(Kind kind, std::uint64_t bytes_each, std::uint64_t request) const {
    std::vector<WorkIncrement> asked;
    for (std::uint32_t n = 0; n < nodes; ++n) asked.push_back(moved(n, 23 * s, 30 * s, kind, bytes_each, bytes_each / request));
    const Work work = work_of(nodes, asked, compute_nodes);
    std::vector<std::vector<Amounts>> seen(nodes);
    const auto k = static_cast<std::size_t>(kind);
    EXPECT_TRUE(run(architecture, work, nullptr, [&](const Completion& each) {
      auto& own = seen[each.node];
      const auto slot = static_cast<std::size_t>(each.stored / (10 * s));
      if (own.size() < slot + 2) own.resize(slot + 2);
      own[slot].bytes[k] += each.bytes;
      ++own[slot].operations[k];
    }));
    std::vector<WorkIncrement> found;
    for (std::uint32_t n = 0; n < nodes; ++n)
      for (std::size_t i = 0; i < seen[n].size(); ++i) {
        const auto start = static_cast<Picoseconds>(i) * 10 * s;
        found.push_back({n, start, start + 10 * s, seen[n][i]});
      }
    return found;
  }
};

std::vector<Fitted> fitted(const Architecture& architecture, const Work& work, CounterFitOptions options = {}) {
  auto rows = fit_counters(architecture, work, options);
  EXPECT_TRUE(rows) << rows.error().message;
  return *rows;
}

TEST(FitCounters, FindsTheExternalLink) {
  // 9 GB at 100 MB/s take 90 s from 23 s on: intervals from 30 to 110 s are full, of which those from 40 to 100 s have full neighbours.
  for (const Kind kind : {Kind::read, Kind::write})
    for (const std::uint64_t bandwidth : {100 * MB, 40 * MB}) {
      Machine machine;
      machine.architecture.external_bandwidth = bandwidth;
      const Work work = work_of(1, machine.counted(kind, 9000 * MB, MB));
      const Fitted row = fitted({}, work)[static_cast<std::size_t>(kind)];
      EXPECT_EQ(row.method, "continuous intervals");
      EXPECT_EQ(row.kind, kind);
      ASSERT_TRUE(row.value);
      EXPECT_NEAR(*row.value, static_cast<double>(bandwidth), 0.01 * static_cast<double>(bandwidth));
      EXPECT_LE(*row.lower, *row.value);
      EXPECT_GE(row.observations, 6u);
    }
}

TEST(FitCounters, OneComputeNodePaysForEveryHop) {
  // One compute node with one request of 1 MB in flight: 1 / 100 s on the external link and 1 / 891 s on the tree (850 MiB/s), one after
  // the other, 89.9 MB/s at the counter. The rate alone would say so; simulated counters match at 100 MB/s.
  Machine machine;
  machine.architecture.external_bandwidth = 100 * MB;
  machine.compute_nodes = 1;
  const Work work = work_of(1, machine.counted(Kind::read, 9000 * MB, MB), 1);
  const LinkLoad load = external_link_loads(work, Kind::read).front();
  EXPECT_NEAR(find_continuous(std::span(&load, 1), 0.05).sustained, 89.9e6, 1e6);
  EXPECT_NEAR(*fitted({}, work)[0].value, 100e6, 1e6);
}

TEST(FitCounters, FindsTheDiskLinkThatServersShare) {
  Machine machine;
  machine.nodes = 4;
  machine.architecture.disk_bandwidth = 200 * MB;
  const Work work = work_of(4, machine.counted(Kind::write, 4500 * MB, MB));
  const std::vector<Fitted> rows = fitted({}, work);
  EXPECT_EQ(rows[3].parameter, "disk_link.bandwidth");
  ASSERT_TRUE(rows[3].value);
  EXPECT_NEAR(*rows[3].value, 200e6, 2e6);
  EXPECT_EQ(rows[2].method, "none");  // nothing was read
}

TEST(FitCounters, BurstsGiveABoundOnly) {
  // 500 MB in one interval of 10 s: the link did at least 50 MB/s, and nothing says that it could not do more.
  const Work work = work_of(1, {moved(0, 0, 10 * s, Kind::read, 0, 0), moved(0, 10 * s, 20 * s, Kind::read, 500 * MB, 500),
                                moved(0, 20 * s, 30 * s, Kind::read, 0, 0)});
  const Fitted row = fitted({}, work)[0];
  EXPECT_EQ(row.method, "lower bound");
  EXPECT_FALSE(row.value);
  EXPECT_FALSE(row.upper);
  EXPECT_NEAR(*row.lower, 50e6, 0.01 * 50e6);
}

TEST(FitCounters, APlateauBelowTheFastestIntervalIsNoLimit) {
  std::vector<WorkIncrement> increments;
  for (int i = 0; i < 8; ++i) increments.push_back(moved(0, i * 10 * s, (i + 1) * 10 * s, Kind::write, i == 6 ? 900 * MB : 300 * MB, 300));
  const Fitted row = fitted({}, work_of(1, increments))[1];
  EXPECT_EQ(row.method, "lower bound");
  EXPECT_NEAR(*row.lower, 90e6, 1e6);
  EXPECT_NE(row.notes.find("1 interval is faster"), std::string::npos) << row.notes;
}

TEST(FitCounters, AScenarioThatIsTooSlowIsSaid) {
  std::vector<WorkIncrement> increments;
  for (int i = 0; i < 8; ++i) increments.push_back(moved(0, i * 10 * s, (i + 1) * 10 * s, Kind::read, 300 * MB, 300));
  Architecture slow;
  slow.tree_bandwidth = 1 * MB;
  const Fitted row = fitted(slow, work_of(1, increments))[0];
  EXPECT_EQ(row.method, "none");
  EXPECT_NE(row.notes.find("no bandwidth is enough"), std::string::npos);
}

TEST(FitCounters, ServersApart) {
  std::vector<WorkIncrement> increments;
  for (int i = 0; i < 8; ++i)
    for (const std::uint32_t n : {0u, 1u})
      increments.push_back(moved(n, i * 10 * s, (i + 1) * 10 * s, Kind::read, (n + 1) * 300 * MB, 300));
  const std::vector<Fitted> rows = fitted({}, work_of(2, increments), {.by_server = true});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_NEAR(*rows[0].value, 30e6, 0.3e6);
  EXPECT_NEAR(*rows[1].value, 60e6, 0.6e6);
  EXPECT_EQ(rows[1].server, "s1");
  EXPECT_NE(rows[0].notes.find("other servers were faster"), std::string::npos);
  EXPECT_EQ(rows[1].notes.find("other servers"), std::string::npos);
}

TEST(FitCounters, TheIntervalHoldsTheTrueBandwidthInNineteenOfTwenty) {
  // What the simulated machine counts in each full interval is 1 % off (standard deviation), as if others disturbed it: the mean of
  // n intervals is then the truth +- 1 % / sqrt(n), and Student's interval holds it in 95 % of all cases. 300 repetitions: 95 % +- four
  // times sqrt(0.95 x 0.05 / 300) = 0.05.
  Machine machine;
  machine.architecture.external_bandwidth = 50 * MB;
  machine.architecture.ciod_buffer = 16 * MiB;
  const std::vector<WorkIncrement> exact = machine.counted(Kind::read, 4500 * MB, 5 * MB);
  int held = 0, estimates = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random = Random::stream(3, seed);
    std::vector<WorkIncrement> noisy = exact;
    for (WorkIncrement& each : noisy)
      each.amounts.bytes[0] = static_cast<std::uint64_t>(static_cast<double>(each.amounts.bytes[0]) * (1 + 0.01 * random.normal()));
    const Fitted row = fitted({}, work_of(1, noisy))[0];
    if (!row.value) continue;
    ++estimates;
    held += *row.lower <= 50e6 && 50e6 <= *row.upper;
  }
  EXPECT_GT(estimates, 290);
  EXPECT_NEAR(static_cast<double>(held) / estimates, 0.95, 0.05);
}

TEST(LinkLoad, SeriesOfAServerAreAddedWhereTheyAgree) {
  std::vector<WorkIncrement> increments;
  for (int i = 0; i < 3; ++i)
    for (const std::uint32_t series : {0u, 1u}) {
      increments.push_back(moved(0, i * 10 * s, (i + 1) * 10 * s, Kind::read, 100 * MB, 100));
      increments.back().series = series;
    }
  auto loads = external_link_loads(work_of(1, increments), Kind::read);
  ASSERT_EQ(loads.size(), 1u);
  ASSERT_EQ(loads[0].intervals.size(), 3u);
  EXPECT_EQ(loads[0].intervals[1].bytes, 200 * MB);
  EXPECT_TRUE(loads[0].intervals[1].follows);
  for (WorkIncrement& each : increments)
    if (each.series == 1) each.start += 3 * s, each.end += 3 * s;
  // 3 s apart: what ends within the same 10 s is one interval of 13 s.
  loads = external_link_loads(work_of(1, increments), Kind::read);
  ASSERT_EQ(loads.size(), 1u);
  ASSERT_EQ(loads[0].intervals.size(), 3u);
  EXPECT_EQ(loads[0].intervals[1].bytes, 200 * MB);
  EXPECT_EQ(loads[0].intervals[1].end - loads[0].intervals[1].start, 13 * s);
  EXPECT_FALSE(loads[0].intervals[1].exact);
}

TEST(LinkLoad, ServersSampledAtDifferentTimesMakeLongerIntervals) {
  std::vector<WorkIncrement> increments;
  for (int i = 0; i < 4; ++i) {
    increments.push_back(moved(0, i * 10 * s, (i + 1) * 10 * s, Kind::read, 100 * MB, 100));
    increments.push_back(moved(1, i * 10 * s + 4 * s, (i + 1) * 10 * s + 4 * s, Kind::read, 100 * MB, 100));
  }
  const std::vector<LinkLoad> loads = disk_link_loads(work_of(2, increments), Kind::read);
  ASSERT_EQ(loads.size(), 5u);  // of 1, 2, 4, 8 and 16 steps
  ASSERT_EQ(loads[0].intervals.size(), 4u);
  EXPECT_FALSE(loads[0].intervals[0].exact);
  EXPECT_EQ(loads[0].intervals[0].end - loads[0].intervals[0].start, 14 * s);
  EXPECT_NEAR(loads[0].intervals[0].rate(), 200e6 / 14, 1);
  EXPECT_NEAR(loads[1].intervals[0].rate(), 400e6 / 24, 1);
  // All four steps are one interval of 44 s: 20 MB/s really, of which 800 MB / 44 s are sure.
  EXPECT_NEAR(loads[2].intervals[0].rate(), 800e6 / 44, 1);
  const Fitted row = fitted({}, work_of(2, increments))[2];
  EXPECT_EQ(row.method, "lower bound");
  // Somewhat more, since the first server must be done after 40 s, while the second shares the link with it.
  EXPECT_GT(*row.lower, 0.999 * 800e6 / 44);
  EXPECT_LT(*row.lower, 20e6);
}

}  // namespace
}  // namespace fathom::fit
