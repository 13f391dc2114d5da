// SPDX-License-Identifier: Apache-2.0
// What holds for every set of applications, tried on many made at random: sums, order, and a slow way to find the active overlap.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "compete/comparison.h"
#include "slices/heat_map.h"
#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;
using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

Process made_process(Random& random, std::uint32_t pid) {
  std::vector<std::uint64_t> bytes(5 + below(random, 30));
  for (auto& b : bytes) b = below(random, 8) == 0 ? 0 : 1 + below(random, 1000);
  Process process = writer("node" + std::to_string(below(random, 4)), pid, static_cast<std::int64_t>(below(random, 6)), bytes,
                           below(random, 4) == 0 ? Counter::read_bytes : Counter::write_bytes);
  for (Slice& slice : process.slices) set(slice.values, Counter::opens, below(random, 3));
  process.ended_well = below(random, 10) != 0;
  return process;
}

std::vector<Profile> made(Random& random) {
  std::vector<Profile> all;
  std::uint32_t pid = 0;
  const std::size_t applications = 2 + below(random, 3);
  for (std::size_t a = 0; a < applications; ++a) {
    std::vector<Process> processes;
    for (std::size_t p = 0, n = 1 + below(random, 5); p < n; ++p) processes.push_back(made_process(random, pid++));
    all.push_back(application("app" + std::to_string(a), std::move(processes)));
  }
  return all;
}

/// Every slice asked of every process.
ActiveOverlap slow_overlap(const std::vector<Profile>& profiles, Direction direction) {
  ActiveOverlap longest, current;
  for (std::int64_t number = 0; number < 64; ++number) {
    bool all = true;
    for (const Profile& profile : profiles) {
      bool anyone = false;
      for (const Process& process : profile.processes) {
        std::uint64_t ever = 0, now = 0;
        for (const Slice& slice : process.slices) {
          ever += moved(slice.values, direction);
          if (slice.number == number) now = moved(slice.values, direction);
        }
        anyone |= ever > 0;
        all &= ever == 0 || now > 0;
      }
      all &= anyone;
    }
    current = all ? ActiveOverlap{current.slices == 0 ? number : current.first, current.slices + 1} : ActiveOverlap{};
    if (current.slices > longest.slices) longest = current;
  }
  return longest;
}

Comparison compared(const std::vector<Profile>& profiles, const Options& options) {
  const auto prepared = prepare(profiles, labels(profiles), options.direction);
  EXPECT_TRUE(prepared);
  return compare(*prepared, options);
}

/// All numbers that must not depend on any order, by application.
std::map<std::string, std::vector<double>> numbers(const Comparison& c) {
  std::map<std::string, std::vector<double>> all;
  all["together"] = {static_cast<double>(length_of(c.together)),
                     static_cast<double>(c.active.first),
                     static_cast<double>(c.active.slices),
                     c.spread.value_or(-1),
                     c.fairness.nearer ? static_cast<double>(*c.fairness.nearer) : -1.0,
                     static_cast<double>(c.fairness.slices),
                     static_cast<double>(c.notices.size())};
  for (const Contender& one : c.contenders)
    all[one.label] = {static_cast<double>(one.processes),
                      static_cast<double>(one.movers),
                      static_cast<double>(one.nodes),
                      static_cast<double>(one.bytes),
                      static_cast<double>(one.overlap_bytes),
                      one.overall.value_or(-1),
                      one.overlap.value_or(-1),
                      one.spread.value_or(-1),
                      static_cast<double>(one.phase.first),
                      static_cast<double>(one.phase.slices)};
  return all;
}

void expect_same(const std::map<std::string, std::vector<double>>& a, const std::map<std::string, std::vector<double>>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [key, values] : a) {
    ASSERT_TRUE(b.contains(key)) << key;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], b.at(key)[i], 1e-9 * (1 + std::abs(values[i]))) << key << " " << i;
  }
}

class MadeAtRandom : public testing::TestWithParam<int> {
 protected:
  Random random{static_cast<std::uint64_t>(GetParam())};
  std::vector<Profile> profiles = made(random);
};

TEST_P(MadeAtRandom, SumsOverSlicesAreTheTotals) {
  for (const Profile& profile : profiles) {
    Values totals{};
    for (const Process& process : profile.processes)
      for (const Slice& slice : process.slices)
        for (std::size_t c = 0; c < totals.size(); ++c) totals[c] += slice.values[c];
    const auto series = add_up(profile);
    ASSERT_TRUE(series);
    Values summed{};
    for (const Sum& sum : series->sums)
      for (std::size_t c = 0; c < summed.size(); ++c) summed[c] += sum.values[c];
    EXPECT_EQ(summed, totals);
    const HeatMap map = heat_map(all_processes(profile), {series->first, series->last()}, 1 + below(random, 40), 1 + below(random, 6));
    double read = 0, written = 0;
    for (const double bytes : map.bytes[0]) read += bytes;
    for (const double bytes : map.bytes[1]) written += bytes;
    EXPECT_EQ(read, static_cast<double>(moved(totals, Direction::read)));
    EXPECT_EQ(written, static_cast<double>(moved(totals, Direction::write)));
  }
}

TEST_P(MadeAtRandom, TheActiveOverlapIsTheOneFoundSlowly) {
  for (const Direction direction : {Direction::read, Direction::write, Direction::both}) {
    const ActiveOverlap expected = slow_overlap(profiles, direction), found = compared(profiles, {.direction = direction}).active;
    EXPECT_EQ(found.slices, expected.slices);
    EXPECT_EQ(found.first, expected.slices > 0 ? expected.first : found.first);
  }
}

TEST_P(MadeAtRandom, TheOrderOfProcessesAndApplicationsChangesNothing) {
  for (const Direction direction : {Direction::write, Direction::both})
    for (const bool trim : {false, true}) {
      const auto before = numbers(compared(profiles, {direction, trim}));
      std::vector<Profile> shuffled = profiles;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      for (Profile& profile : shuffled) std::shuffle(profile.processes.begin(), profile.processes.end(), random);
      expect_same(before, numbers(compared(shuffled, {direction, trim})));
    }
}

TEST_P(MadeAtRandom, SharesAddUpToOne) {
  const Comparison c = compared(profiles, {});
  for (const Shares* shares : {&c.fairness.observed, &c.fairness.expected[0], &c.fairness.expected[1]}) {
    double sum = 0;
    for (const double share : *shares) sum += share;
    EXPECT_NEAR(sum, c.active.slices > 0 ? 1 : sum, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MadeAtRandom, testing::Range(0, 200));

}  // namespace
}  // namespace fathom::compete
