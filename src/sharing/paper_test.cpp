// SPDX-License-Identifier: Apache-2.0
// LWM2's own measurements (Kuo et al., "Environment Matters", Tables 1 to 3, hard disk) against the model, and docs/competition.md against
// both.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "sharing/scenario.h"
#include "tests/support/source_dir.h"

namespace fathom::sharing {
namespace {

constexpr double volume_mib = 16.0 * 1000;  // per application, whatever its size (section 2.3)

/// Write throughput alone in MiB/s by number of processes: Table 1 (a file for each process) and Table 2 (one shared file).
const std::map<int, double> private_alone{{1, 82.6}, {12, 95.5}, {36, 95.0}, {60, 93.5}};
const std::map<int, double> shared_alone{{1, 83.8}, {12, 78.5}, {36, 73.8}, {60, 55.4}};

struct Throughputs {
  double p, q, ratio;  // MiB/s, MiB/s, as printed: 1 to so many
};

/// A row of Table 3: applications of p and q processes side by side.
struct Pair {
  bool shared;
  int p, q;
  Throughputs overall, overlap;
  const std::map<int, double>& alone() const { return shared ? shared_alone : private_alone; }
};

constexpr Pair pairs[] = {
    {false, 1, 12, {47.3, 51.8, 1.1}, {45.0, 52.5, 1.2}},  {false, 1, 36, {46.8, 74.8, 1.6}, {23.6, 77.0, 3.3}},
    {false, 1, 60, {46.8, 82.0, 1.8}, {16.6, 87.1, 5.3}},  {false, 12, 36, {48.3, 69.2, 1.4}, {24.7, 71.6, 2.9}},
    {false, 12, 60, {50.4, 78.8, 1.6}, {19.0, 83.1, 4.4}}, {false, 36, 60, {51.5, 59.9, 1.5}, {41.4, 64.9, 1.6}},
    {true, 1, 12, {49.1, 45.1, 0.9}, {49.6, 43.1, 0.9}},   {true, 1, 36, {43.3, 51.5, 1.2}, {33.8, 54.7, 1.6}},
    {true, 1, 60, {37.9, 45.6, 1.2}, {25.5, 50.6, 2.0}},   {true, 12, 36, {38.3, 50.8, 1.3}, {24.0, 54.4, 2.3}},
    {true, 12, 60, {35.3, 47.8, 1.4}, {16.1, 53.7, 3.3}},  {true, 36, 60, {23.9, 23.7, 1.0}, {24.4, 33.3, 1.4}},
};

/// "Up to 12 processes can reside in one node" (section 2.4).
std::uint64_t nodes_of(int processes) { return (static_cast<std::uint64_t>(processes) + 11) / 12; }

Application application(const char* name, int processes, const std::map<int, double>& alone, double overall) {
  Application made;
  made.name = name;
  made.processes = static_cast<std::uint64_t>(processes);
  made.nodes = nodes_of(processes);
  made.volume = volume_mib * 1048576;
  made.standalone = volume_mib / alone.at(processes);
  made.observed = volume_mib / overall;
  return made;
}

Scenario scenario_of(const Pair& pair, Share share) {
  Scenario scenario;
  scenario.share = share;
  scenario.applications = {application("P", pair.p, pair.alone(), pair.overall.p), application("Q", pair.q, pair.alone(), pair.overall.q)};
  return scenario;
}

struct Outcome {
  double observed, predicted;
  double error() const { return relative_error(predicted, observed); }
};
struct Outcomes {
  Outcome p, q;
  double sum() const { return std::abs(p.error()) + std::abs(q.error()); }
};

Outcomes outcomes_of(const Pair& pair, Share share) {
  const Scenario scenario = scenario_of(pair, share);
  const auto prediction = predict(scenario);
  EXPECT_TRUE(prediction);
  return {{*scenario.applications[0].observed, prediction->concurrent(0)}, {*scenario.applications[1].observed, prediction->concurrent(1)}};
}

TEST(Paper, PrivateFilesOfTwelveAndMoreProcessesWithinTwelvePercent) {
  // "... with a relative error less than 12 % in private mode with the exception of runs comprising of sequential application(s)"
  // (section 4.3).
  int seen = 0;
  for (const Pair& pair : pairs) {
    if (pair.shared || pair.p < 12) continue;
    const Outcomes found = outcomes_of(pair, Share::process);
    for (const Outcome& each : {found.p, found.q}) {
      EXPECT_LT(std::abs(each.error()), 0.12) << pair.p << " " << pair.q;
      ++seen;
    }
    // Eqs. 1 and 2 by hand, from the printed throughputs.
    const double st_s = volume_mib / private_alone.at(pair.p), st_l = volume_mib / private_alone.at(pair.q);
    EXPECT_DOUBLE_EQ(found.q.predicted, st_l * (pair.p + pair.q) / pair.q);
    EXPECT_DOUBLE_EQ(found.p.predicted, st_s + st_l);
  }
  EXPECT_EQ(seen, 6);
}

TEST(Paper, ASingleProcessTakesTheShareOfANode) {
  // "the one-process application tends to be able to take the bandwidth that a 12-process application would get" (section 4.2).
  double by_process = 0, by_node = 0;
  for (const Pair& pair : pairs) {
    if (pair.shared || pair.p > 1) continue;
    const double process = outcomes_of(pair, Share::process).sum(), node = outcomes_of(pair, Share::node).sum();
    EXPECT_LT(node, process) << pair.q;
    by_process += process;
    by_node += node;
    for (const Outcome& each : {outcomes_of(pair, Share::node).p, outcomes_of(pair, Share::node).q})
      EXPECT_LT(std::abs(each.error()), 0.09) << pair.q;
    // The overlap's ratio (1.2, 3.3, 5.3) is near q's nodes (1, 3, 5) and far from its processes (12, 36, 60).
    const double seen = pair.overlap.q / pair.overlap.p;
    EXPECT_LT(std::abs(std::log(seen / static_cast<double>(nodes_of(pair.q)))), std::log(1.2)) << pair.q;
    EXPECT_GT(std::log(pair.q / seen), std::log(10)) << pair.q;
  }
  EXPECT_NEAR(by_process, 0.906, 0.001);
  EXPECT_NEAR(by_node, 0.381, 0.001);
}

TEST(Paper, SharedFilesAreMissedAndByHowMuch) {
  // A disk that slows down with the number of writers is not in the model: it says (36, 60) is faster than it is, and single processes
  // differ.
  double multiple = 0, worst = 0;
  for (const Pair& pair : pairs) {
    if (!pair.shared) continue;
    const Outcomes found = outcomes_of(pair, Share::process);
    if (pair.p > 1) multiple += found.sum();
    worst = std::max({worst, std::abs(found.p.error()), std::abs(found.q.error())});
    if (pair.p == 12) {
      EXPECT_LT(std::abs(found.p.error()), 0.09);  // "the bias in certain configurations is still low"
      EXPECT_LT(std::abs(found.q.error()), 0.09);
    }
    if (pair.p == 36) {
      EXPECT_LT(found.p.error(), -0.24);
      EXPECT_LT(found.q.error(), -0.31);
    }
  }
  EXPECT_NEAR(multiple, 0.772, 0.001);
  EXPECT_NEAR(worst, 0.378, 0.001);
}

TEST(Paper, TwoEqualApplicationsTakeTwiceAsLong) {
  // Two of 60 processes: the paper saw 1.8 times (private) and 2.8 times (shared); constant capacity can only say 2.
  for (const bool shared : {false, true}) {
    const auto prediction = predict(scenario_of({shared, 60, 60, {1, 1, 1}, {1, 1, 1}}, Share::process));
    ASSERT_TRUE(prediction);
    EXPECT_DOUBLE_EQ(prediction->slowdown(0), 2);
    EXPECT_DOUBLE_EQ(prediction->slowdown(1), 2);
    EXPECT_NEAR(relative_error(2, shared ? 2.8 : 1.8), shared ? -0.286 : 0.111, 0.001);
  }
  // A capacity that depends on the writers can hold what was measured, if somebody measured it: 2 x 55.4 / 2.8 MiB/s with 120 writers.
  Scenario measured = scenario_of({true, 60, 60, {1, 1, 1}, {1, 1, 1}}, Share::process);
  measured.bandwidth = Capacity({{60, 55.4 * 1048576}, {120, 2 * 55.4 / 2.8 * 1048576}});
  const auto prediction = predict(measured);
  ASSERT_TRUE(prediction);
  EXPECT_NEAR(prediction->slowdown(0), 2.8, 1e-12);
}

TEST(Paper, WhatIsPrintedAndDoesNotAgree) {
  // A printed ratio may come from throughputs before rounding: half of the last digit either way. One of 24 cannot.
  for (const Pair& pair : pairs)
    for (const Throughputs* each : {&pair.overall, &pair.overlap}) {
      const double least = (each->q - 0.05) / (each->p + 0.05) - 0.05, most = (each->q + 0.05) / (each->p - 0.05) + 0.05;
      const bool misprint = !pair.shared && pair.p == 36 && each == &pair.overall;  // 59.9 / 51.5 = 1.16, printed 1:1.5
      EXPECT_EQ(each->ratio < least || each->ratio > most, misprint) << pair.p << " " << pair.q;
    }
  // Shared (36, 60): at the overlap's rates Q would end at 16,000 / 33.3 = 480 s, but its overall throughput says 675 s.
  EXPECT_GT(volume_mib / 23.7, 1.4 * volume_mib / 33.3);
}

TEST(Paper, TheDocumentationHasTheseNumbers) {
  std::ifstream file(source_dir() + "/docs/competition.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(page.empty());
  for (const Pair& pair : pairs) {
    const Outcomes process = outcomes_of(pair, Share::process), node = outcomes_of(pair, Share::node);
    const std::string row =
        fmt::format("| {} | {}, {} | {:.1f} | {:.1f} | {:+.1f} % | {:.1f} | {:.1f} | {:+.1f} % | {:+.1f} % | {:+.1f} % |",
                    pair.shared ? "shared" : "private", pair.p, pair.q, process.p.observed, process.p.predicted, 100 * process.p.error(),
                    process.q.observed, process.q.predicted, 100 * process.q.error(), 100 * node.p.error(), 100 * node.q.error());
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(Paper, TheExamplesAreItsNumbers) {
  const auto check = [](const char* file, const Pair& pair, Share share) {
    const auto example = Scenario::load(source_dir() + "/examples/competition/" + file);
    ASSERT_TRUE(example) << example.error().message;
    const auto found = predict(*example);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(example->share, share);
    const Outcomes wanted = outcomes_of(pair, share);
    EXPECT_NEAR(found->concurrent(0), wanted.p.predicted, 0.01) << file;  // the files have seconds with three digits behind the point
    EXPECT_NEAR(found->concurrent(1), wanted.q.predicted, 0.01) << file;
    EXPECT_NEAR(example->applications[0].observed.value_or(0), wanted.p.observed, 0.001) << file;
    EXPECT_NEAR(example->applications[1].observed.value_or(0), wanted.q.observed, 0.001) << file;
  };
  check("private-12-60.toml", pairs[4], Share::process);
  check("private-1-60.toml", pairs[2], Share::node);
  check("shared-36-60.toml", pairs[11], Share::process);
}

}  // namespace
}  // namespace fathom::sharing
