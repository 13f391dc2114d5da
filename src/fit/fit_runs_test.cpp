// SPDX-License-Identifier: Apache-2.0
#include "fit/fit_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "simulate/engine.h"

namespace fathom::fit {
namespace {

using namespace simulate;

constexpr double true_bandwidth = 3e8;

/// How long the engine takes to move the bytes on one I/O node whose way to the disks has the true bandwidth.
double simulated_seconds(std::uint64_t bytes, Kind kind) {
  Architecture machine;
  machine.disk_bandwidth = static_cast<std::uint64_t>(true_bandwidth);
  Work work;
  work.nodes.push_back({"0", 128, {}});
  WorkIncrement all{0, 0, picoseconds_per_second, {}};
  all.amounts.bytes[static_cast<std::size_t>(kind)] = bytes;
  all.amounts.operations[static_cast<std::size_t>(kind)] = bytes / MiB;
  EXPECT_TRUE(lay_out(work, {all}));
  Picoseconds end = 0;
  EXPECT_TRUE(run(machine, work, nullptr, [&](const Completion& each) { end = std::max(end, each.stored); }));
  return in_seconds(end);
}

std::vector<RunTime> simulated_runs() {
  std::vector<RunTime> runs;
  for (const Kind kind : {Kind::read, Kind::write})
    for (std::uint64_t i = 1; i <= 10; ++i)
      runs.push_back({static_cast<double>(i * 100 * MiB), simulated_seconds(i * 100 * MiB, kind), kind, 1, 0, ""});
  return runs;
}

TEST(FitRuns, FindsTheBandwidthOfSimulatedRuns) {
  // 1 MiB after the other on the disk link; the rest of the way overlaps but for the first or last one: a line with the slope 1 /
  // bandwidth.
  const auto rows = fit_runs(simulated_runs(), {});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 4u);
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_EQ((*rows)[i].parameter, "disk_link.bandwidth");
    EXPECT_EQ((*rows)[i].kind, i == 0 ? Kind::read : Kind::write);
    EXPECT_NEAR(*(*rows)[i].value, true_bandwidth, 1e-4 * true_bandwidth);
    EXPECT_LE(*(*rows)[i].lower, *(*rows)[i].upper);
    EXPECT_EQ((*rows)[i].observations, 10u);
    EXPECT_EQ((*rows)[i + 1].parameter, "latency");
    EXPECT_LT(std::abs(*(*rows)[i + 1].value), 0.01);
  }
}

TEST(FitRuns, TheIntervalHoldsTheTrueBandwidthInNineteenOfTwenty) {
  // 400 repetitions of the runs, their times 4 % off (standard deviation): 95 % +- 4 x sqrt(0.95 x 0.05 / 800) = 0.031.
  const std::vector<RunTime> exact = simulated_runs();
  int held = 0, fits = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random = Random::stream(11, seed);
    std::vector<RunTime> runs = exact;
    for (RunTime& run : runs) run.seconds *= 1 + 0.04 * random.normal();
    const auto rows = fit_runs(runs, {});
    ASSERT_TRUE(rows);
    for (const std::size_t i : {0u, 2u}) {
      const Fitted& row = (*rows)[i];
      held += *row.lower <= true_bandwidth && (!row.upper || true_bandwidth <= *row.upper);
      ++fits;
    }
  }
  EXPECT_NEAR(static_cast<double>(held) / fits, 0.95, 0.031);
}

TEST(FitRuns, NodesShareAnExternalLinkNotTheDiskLink) {
  // Every node moves 100 MB in 1 s, 200 MB in 2 s, and so on: 100 MB/s for each link.
  std::vector<RunTime> runs;
  for (int i = 1; i <= 6; ++i) runs.push_back({1e8 * i * i, 1.0 * i, Kind::write, 1.0 * i, 0, ""});
  const auto rows = fit_runs(runs, {.link = external_link_bandwidth});
  ASSERT_TRUE(rows);
  EXPECT_EQ((*rows)[0].parameter, "external_link.bandwidth");
  EXPECT_NEAR(*(*rows)[0].value, 1e8, 1);
}

TEST(FitRuns, TasksApart) {
  std::vector<RunTime> runs;
  for (int i = 1; i <= 4; ++i)
    for (const int tasks : {1, 8}) runs.push_back({1e8 * i, 1.0 * i / tasks, Kind::read, 1, 1.0 * tasks, ""});
  const auto rows = fit_runs(runs, {.by_tasks = true});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_NEAR(*(*rows)[0].value, 1e8, 1);
  EXPECT_NEAR(*(*rows)[2].value, 8e8, 8);
  EXPECT_EQ((*rows)[2].notes, "8 tasks");
}

TEST(FitRuns, SaysWhatIsMissing) {
  EXPECT_NE(fit_runs({}, {}).error().message.find("no runs"), std::string::npos);
  EXPECT_NE(fit_runs({{1e6, 1, Kind::read, 1, 0, ""}}, {}).error().message.find("at least 3"), std::string::npos);
  std::vector<RunTime> same(5, {1e6, 1, Kind::read, 1, 0, ""});
  EXPECT_NE(fit_runs(same, {}).error().message.find("same size"), std::string::npos);
  for (int i = 1; i <= 3; ++i) same.push_back({1e6 * i, 1.0 * i, Kind::write, 1, 0, ""});
  const auto rows = fit_runs(same, {});  // writes can be fitted; reads are shown all the same
  ASSERT_TRUE(rows);
  EXPECT_EQ((*rows)[0].method, "none");
  EXPECT_FALSE((*rows)[0].value);
  EXPECT_NEAR(*(*rows)[1].value, 1e6, 1e-3);
}

TEST(FitRuns, TimeThatFallsWithBytesIsNoBandwidth) {
  std::vector<RunTime> runs;
  for (int i = 1; i <= 6; ++i) runs.push_back({1e8 * i, 7.0 - i + 0.1 * (i % 2), Kind::read, 1, 0, ""});
  const auto rows = fit_runs(runs, {});
  ASSERT_TRUE(rows);
  EXPECT_FALSE((*rows)[0].value);
  EXPECT_FALSE((*rows)[0].upper);
  EXPECT_NE((*rows)[0].notes.find("does not grow"), std::string::npos);
}

std::string trouble(std::string_view text) {
  LineInput input = LineInput::from_memory("runs.csv", text);
  const auto runs = read_run_times(input);
  return runs ? "" : runs.error().message;
}

TEST(RunTimes, ReadsAndRefuses) {
  LineInput input = LineInput::from_memory("runs.csv",
                                           "\xef\xbb\xbf"
                                           "# measured in May\nKind, Seconds ,bytes,nodes,host\nread,1.5,1e9,2,a\n\nwrite,2,5,,\n");
  const auto runs = read_run_times(input);
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2u);
  EXPECT_EQ((*runs)[0].bytes, 1e9);
  EXPECT_EQ((*runs)[0].seconds, 1.5);
  EXPECT_EQ((*runs)[0].nodes, 2);
  EXPECT_EQ((*runs)[1].nodes, 1);
  EXPECT_EQ((*runs)[1].kind, Kind::write);
  EXPECT_EQ((*runs)[1].where, "runs.csv:5");
  for (const auto& [text, word] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"", "it is empty"},
           {"bytes,kind\n", "no column seconds"},
           {"bytes,seconds,kind\n1,nan,read\n", "seconds must be a number above 0, not 'nan' (runs.csv:2)"},
           {"bytes,seconds,kind\n-1,1,read\n", "bytes must be a number above 0, not '-1'"},
           {"bytes,seconds,kind\n1,inf,read\n", "not 'inf'"},
           {"bytes,seconds,kind\n1,0,read\n", "not '0'"},
           {"bytes,seconds,kind\n1\n", "not ''"},
           {"bytes,seconds,kind,nodes\n1,1,read,-2\n", "nodes must be"},
           {"bytes,seconds,kind\n1,1,readwrite\n", "kind must be read or write, not 'readwrite'"}})
    EXPECT_NE(trouble(text).find(word), std::string::npos) << text << ": " << trouble(text);
}

}  // namespace
}  // namespace fathom::fit
