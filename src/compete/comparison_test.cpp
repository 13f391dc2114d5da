// SPDX-License-Identifier: Apache-2.0
#include "compete/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;

/// Owns the profiles that the applications point to.
struct Side {
  std::vector<Profile> profiles;
  std::vector<Application> applications;
  explicit Side(std::vector<Profile> given, Direction direction = Direction::write) : profiles(std::move(given)) {
    auto prepared = prepare(profiles, labels(profiles), direction);
    EXPECT_TRUE(prepared);
    if (prepared) applications = *std::move(prepared);
  }
};

Comparison compared(std::vector<Profile> profiles, const Options& options = {}) {
  const Side side(std::move(profiles), options.direction);
  return compare(side.applications, options);
}

/// `count` processes, `per_node` on each node, which all do the same.
Profile alike(const std::string& name, std::uint32_t count, std::uint32_t per_node, std::int64_t first,
              const std::vector<std::uint64_t>& bytes, std::int64_t length = 4 * second) {
  std::vector<Process> processes;
  for (std::uint32_t p = 0; p < count; ++p)
    processes.push_back(writer(name + std::to_string(p / per_node), p, first, bytes, Counter::write_bytes, length));
  return application(name, std::move(processes), length);
}

std::vector<std::uint64_t> runs(std::initializer_list<std::pair<std::size_t, std::uint64_t>> parts) {
  std::vector<std::uint64_t> all;
  for (const auto& [count, bytes] : parts) all.insert(all.end(), count, bytes);
  return all;
}

bool says(const Comparison& comparison, std::string_view text) {
  for (const std::string& notice : comparison.notices)
    if (notice.find(text) != std::string::npos) return true;
  return false;
}

std::string all_of(const Comparison& comparison) {
  std::string text;
  for (const std::string& notice : comparison.notices) text += notice + "\n";
  return text;
}

TEST(Compare, TwelveAgainstSixtyAsInTable3) {
  // Slices of 3 s. Small: 12 processes write 4,750 B a slice for 100 slices, then 25,000 B for 64 more. Large: 60 write 4,155 B for the
  // same 100. Active overlap: 100 slices = 300 s. Small: 12 x 4,750 / 3 = 19,000 B/s; large: 60 x 4,155 / 3 = 83,100 B/s; ratio 4.3737
  // (Table 3: 1:4.4). Overall: small (12 x (475,000 + 1,600,000)) / 492 s = 24,900,000 / 492 = 50,609.756 B/s; large 83,100 B/s;
  // ratio 1.64197.
  const auto c = compared({alike("small", 12, 12, 0, runs({{100, 4750}, {64, 25000}}), 3 * second),
                           alike("large", 60, 12, 0, runs({{100, 4155}}), 3 * second)});
  EXPECT_EQ(c.active.first, 0);
  EXPECT_EQ(c.active.slices, 100);
  ASSERT_EQ(c.contenders.size(), 2u);
  const auto &small = c.contenders[0], &large = c.contenders[1];
  EXPECT_DOUBLE_EQ(*small.overlap, 19000);
  EXPECT_DOUBLE_EQ(*large.overlap, 83100);
  EXPECT_NEAR(*large.overlap_ratio, 4.3737, 1e-4);
  EXPECT_DOUBLE_EQ(*small.overlap_ratio, 1);
  EXPECT_NEAR(*small.overall, 50609.756, 1e-3);
  EXPECT_DOUBLE_EQ(*large.overall, 83100);
  EXPECT_NEAR(*large.overall_ratio, 1.64197, 1e-5);
  EXPECT_EQ(small.bytes, 24'900'000u);
  EXPECT_EQ(small.overlap_bytes, 5'700'000u);
  EXPECT_EQ(small.nodes, 1u);
  EXPECT_EQ(large.nodes, 5u);
  EXPECT_EQ(length_of(c.together), 300 * second);
  // Bytes of a process in the overlap: 12 x 475,000 and 60 x 415,500. Mean (12 x 475,000 + 60 x 415,500) / 72 = 425,416.67;
  // variance (12 x 49,583.33^2 + 60 x 9,916.67^2) / 72 = 491,701,388.9; deviation 22,174.34; relative 0.0521238.
  EXPECT_NEAR(*c.spread, 0.0521238, 1e-6);
  EXPECT_NEAR(*small.spread, 0, 1e-12);
  EXPECT_TRUE(c.notices.empty()) << all_of(c);
}

TEST(Compare, TheSpreadIsThatOfAPopulation) {
  // Two slices. a: 1+1 and 2+2, b: 3+3, bytes 2, 4, 6: mean 4, variance (4 + 0 + 4) / 3 = 8/3, deviation 1.63299, relative 0.408248.
  const auto c = compared(
      {application("a", {writer("n1", 1, 0, {1, 1}), writer("n1", 2, 0, {2, 2})}), application("b", {writer("n2", 3, 0, {3, 3})})});
  EXPECT_NEAR(*c.spread, 0.408248, 1e-6);
  // Of a alone: 2 and 4: mean 3, deviation 1.
  EXPECT_NEAR(*c.contenders[0].spread, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*c.contenders[1].spread, 0, 1e-12);
}

TEST(Compare, OneIdleProcessCutsTheActiveOverlap) {
  // All write in slices 0..9, but for one process in slice 3: runs 0..2 and 4..9, the longest has 6.
  const auto c = compared({application("a", {writer("n1", 1, 0, runs({{10, 1}})), writer("n1", 2, 0, {1, 1, 1, 0, 1, 1, 1, 1, 1, 1})}),
                           application("b", {writer("n2", 3, 0, runs({{10, 1}}))})});
  EXPECT_EQ(c.active.first, 4);
  EXPECT_EQ(c.active.slices, 6);
  EXPECT_EQ(c.contenders[0].overlap_bytes, 12u);
}

TEST(Compare, ASliceThatIsThereWithNoBytesCutsToo) {
  Process opens_only = writer("n1", 1, 0, runs({{5, 1}}));
  opens_only.slices[2].values = {};
  set(opens_only.slices[2].values, Counter::opens, 7);
  const auto c = compared({application("a", {opens_only}), application("b", {writer("n2", 2, 0, runs({{5, 1}}))})});
  EXPECT_EQ(c.active.first, 0);
  EXPECT_EQ(c.active.slices, 2);
}

TEST(Compare, OfRunsOfTheSameLengthTheFirst) {
  const auto c =
      compared({application("a", {writer("n1", 1, 0, {0, 1, 1, 0, 1, 1, 0, 1})}), application("b", {writer("n2", 2, 0, runs({{8, 1}}))})});
  EXPECT_EQ(c.active.first, 1);
  EXPECT_EQ(c.active.slices, 2);
}

TEST(Compare, ADirectionHasItsOwnOverlap) {
  // a reads in 0..3 and writes in 4..5; b reads in 2..5 and writes in 4..7.
  const auto mixed = [](std::uint32_t pid, std::vector<std::uint64_t> reads, std::vector<std::uint64_t> writes) {
    Process process = writer("n" + std::to_string(pid), pid, 0, std::vector<std::uint64_t>(reads.size(), 1));
    for (std::size_t i = 0; i < reads.size(); ++i) {
      set(process.slices[i].values, Counter::read_bytes, reads[i]);
      set(process.slices[i].values, Counter::write_bytes, writes[i]);
    }
    return process;
  };
  const std::vector<Profile> two = {application("a", {mixed(1, {5, 5, 5, 5, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 1, 0, 0})}),
                                    application("b", {mixed(2, {0, 0, 7, 7, 7, 7, 0, 0}, {0, 0, 0, 0, 1, 1, 1, 1})})};
  const auto reading = compared(two, {.direction = Direction::read}), writing = compared(two),
             both = compared(two, {.direction = Direction::both});
  EXPECT_EQ(reading.active.first, 2);
  EXPECT_EQ(reading.active.slices, 2);
  EXPECT_EQ(reading.contenders[1].overlap_bytes, 14u);
  EXPECT_EQ(writing.active.first, 4);
  EXPECT_EQ(writing.active.slices, 2);
  EXPECT_EQ(both.active.first, 2);
  EXPECT_EQ(both.active.slices, 4);
  EXPECT_EQ(both.contenders[1].overlap_bytes, 7u * 4 + 2);
}

TEST(Compare, AProcessThatNeverWroteIsLeftOutAndSaidSo) {
  const auto c = compared(
      {application("a", {writer("n1", 1, 0, {1, 1}), writer("n3", 2, 0, {0, 0})}), application("b", {writer("n2", 3, 0, {1, 1})})});
  EXPECT_EQ(c.active.slices, 2);
  EXPECT_EQ(c.contenders[0].processes, 2u);
  EXPECT_EQ(c.contenders[0].movers, 1u);
  EXPECT_EQ(c.contenders[0].nodes, 1u);
  EXPECT_TRUE(says(c, "1 of 2 processes of a never wrote anything")) << all_of(c);
}

TEST(Compare, AProcessThatWroteALineIsNamedAndCanBeLeftOut) {
  // The parent of a writes 10 bytes at the end, in slice 3; both writers write in 0..2.
  const std::vector<Profile> two = {application("a", {writer("n1", 1, 0, {9, 9, 9}), writer("n1", 7, 0, {0, 0, 0, 10})}),
                                    application("b", {writer("n2", 3, 0, {9, 9, 9, 9})})};
  const auto strict = compared(two);
  EXPECT_EQ(strict.active.slices, 0);
  EXPECT_TRUE(says(strict, "process 7 of a on n1 did so in 1 slice only, 10 B in all")) << all_of(strict);
  const auto prepared = prepare(two, labels(two), Direction::write, 11);
  ASSERT_TRUE(prepared);
  const auto without = compare(*prepared, {});
  EXPECT_EQ(without.active.slices, 3);
  EXPECT_EQ(without.contenders[0].movers, 1u);
  EXPECT_TRUE(says(without, "1 of 2 processes of a wrote less than 11 B")) << all_of(without);
}

TEST(Compare, AnApplicationThatNeverWroteHasNoOverlap) {
  const auto c =
      compared({application("a", {writer("n1", 1, 0, {1, 1})}), application("b", {writer("n2", 3, 0, {1, 1}, Counter::read_bytes)})});
  EXPECT_EQ(c.active.slices, 0);
  EXPECT_FALSE(c.contenders[0].overlap);
  EXPECT_FALSE(c.spread);
  EXPECT_TRUE(says(c, "b never wrote anything")) << all_of(c);
  EXPECT_EQ(c.notices.size(), 1u);
}

TEST(Compare, ApplicationsThatDoNotOverlap) {
  const auto c = compared({application("a", {writer("n1", 1, 0, {1, 1})}), application("b", {writer("n2", 2, 2, {1, 1})})});
  EXPECT_EQ(length_of(c.together), 0);
  EXPECT_EQ(c.active.slices, 0);
  EXPECT_DOUBLE_EQ(*c.contenders[0].overall, 0.25);
  EXPECT_TRUE(says(c, "they did not run at the same time: a ran from 1970-01-01T00:00:00Z to 1970-01-01T00:00:08Z, b ran from"))
      << all_of(c);
}

TEST(Compare, TogetherIsWhenEachHasAProcess) {
  // a: processes 0-8 s and 12-20 s; b: 4-16 s. Together 4-8 s and 12-16 s.
  const auto c = compared(
      {application("a", {writer("n1", 1, 0, {1, 0}), writer("n1", 2, 3, {1, 1})}), application("b", {writer("n2", 3, 1, {1, 1, 1})})});
  ASSERT_EQ(c.together.size(), 2u);
  EXPECT_EQ(c.together[0].begin, 4 * second);
  EXPECT_EQ(c.together[0].end, 8 * second);
  EXPECT_EQ(c.together[1].begin, 12 * second);
  EXPECT_EQ(length_of(c.together), 8 * second);
  // Process 1 wrote in slice 0, process 2 in 3 and 4: never both.
  EXPECT_TRUE(says(c, "no slice in which every process wrote something")) << all_of(c);
}

TEST(Compare, TrimLeavesOutStartUpAndEnding) {
  // a: 20 s of start-up, 40 bytes in 10 slices, 8 s of ending: overall 40 / 68 s, trimmed 40 / 40 s. b writes throughout its 17 slices.
  const std::vector<Profile> two = {application("a", {writer("n1", 1, 0, runs({{5, 0}, {10, 4}, {2, 0}}))}),
                                    application("b", {writer("n2", 2, 0, runs({{17, 1}}))})};
  const auto whole = compared(two), trimmed = compared(two, {.direction = Direction::write, .trim = true});
  EXPECT_DOUBLE_EQ(*whole.contenders[0].overall, 40.0 / 68);
  EXPECT_DOUBLE_EQ(*trimmed.contenders[0].overall, 1);
  EXPECT_EQ(whole.contenders[0].phase.start_up, 20 * second);
  EXPECT_EQ(trimmed.contenders[0].phase.ending, 8 * second);
  EXPECT_EQ(length_of(whole.together), 68 * second);
  EXPECT_EQ(length_of(trimmed.together), 40 * second);
  EXPECT_EQ(trimmed.active.slices, whole.active.slices);
}

TEST(Compare, AKilledProcessEndsTheActiveOverlap) {
  Process killed = writer("n1", 1, 0, {1, 1, 1});
  killed.ended_well = false;
  const auto c =
      compared({application("a", {killed, writer("n1", 2, 0, runs({{9, 1}}))}), application("b", {writer("n2", 3, 0, runs({{9, 1}}))})});
  EXPECT_EQ(c.active.slices, 3);
  EXPECT_TRUE(says(c, "1 process of a did not end well while all applications ran, the first at 1970-01-01T00:00:12Z")) << all_of(c);
  // One that dies when the others are gone changes nothing.
  Process later = writer("n1", 1, 0, runs({{12, 1}}));
  later.ended_well = false;
  EXPECT_TRUE(compared({application("a", {later}), application("b", {writer("n2", 3, 0, runs({{9, 1}}))})}).notices.empty());
}

TEST(Compare, AClockSetInTheWindowIsSaidOncePerNode) {
  Process a = writer("n1", 1, 0, runs({{9, 1}})), b = writer("n1", 2, 0, runs({{9, 1}})), c = writer("n2", 3, 0, runs({{9, 1}})),
          late = writer("n3", 4, 0, runs({{20, 1}}));
  a.steps = {{.at = 9 * second, .by = -2 * second}};
  b.steps = {{.at = 9 * second + 1000, .by = -2 * second}};
  late.steps = {{.at = 60 * second, .by = second}};  // when the other application is over
  const auto found = compared({application("a", {a, b}), application("b", {c, late})});
  ASSERT_EQ(found.notices.size(), 1u) << all_of(found);
  EXPECT_TRUE(says(found, "the clock of n1 was set back by 2 s at 1970-01-01T00:00:09Z")) << all_of(found);
}

TEST(Compare, NodesWithBothApplications) {
  // Node x has one process of a and three of b, node y one of b. Nodes: a 1/4, b 3/4 + 1.
  const Side side({application("a", {writer("x", 1, 0, {1})}),
                   application("b", {writer("x", 2, 0, {1}), writer("x", 3, 0, {1}), writer("x", 4, 0, {1}), writer("y", 5, 0, {1})})});
  EXPECT_EQ(weights(side.applications, Share::process), (std::vector<double>{1, 4}));
  EXPECT_EQ(weights(side.applications, Share::node), (std::vector<double>{0.25, 1.75}));
  EXPECT_TRUE(says(compare(side.applications, {}), "a and b share 1 node (x)"));
}

TEST(Compare, DifferentLengthsAreRefused) {
  const std::vector<Profile> two = {application("a", {writer("n1", 1, 0, {1})}),
                                    application("b", {writer("n2", 2, 0, {1}, Counter::write_bytes, second / 2)}, second / 2)};
  const auto prepared = prepare(two, labels(two), Direction::write);
  ASSERT_FALSE(prepared);
  EXPECT_NE(prepared.error().message.find("those of a are 4 s long, those of b 0.5 s"), std::string::npos) << prepared.error().message;
}

TEST(Compare, PairsOfThree) {
  // a and b write in 0..3, b and c in 2..5, a and c in 2..3 only, all three in 2..3.
  const Side side({application("a", {writer("n1", 1, 0, {1, 1, 1, 1})}), application("b", {writer("n2", 2, 0, runs({{6, 2}}))}),
                   application("c", {writer("n3", 3, 2, {4, 4, 4, 4})})});
  EXPECT_EQ(compare(side.applications, {}).active.slices, 2);
  const auto found = pairs(side.applications, {});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].comparison.active.slices, 4);
  EXPECT_DOUBLE_EQ(*found[0].comparison.contenders[1].overlap_ratio, 2);
  EXPECT_EQ(found[1].a, 0u);
  EXPECT_EQ(found[1].b, 2u);
  EXPECT_EQ(found[1].comparison.active.slices, 2);
  EXPECT_EQ(found[2].comparison.active.slices, 4);
}

TEST(Labels, AreShortAndDifferent) {
  const auto profile = [](std::string directory, std::string name) {
    Profile made;
    made.directory = std::move(directory);
    made.name = std::move(name);
    return made;
  };
  EXPECT_EQ(labels(std::vector<Profile>{profile("runs/1", "imb"), profile("runs/2", "ior")}), (std::vector<std::string>{"imb", "ior"}));
  EXPECT_EQ(labels(std::vector<Profile>{profile("runs/1", "imb"), profile("runs/2/", "imb")}), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(labels(std::vector<Profile>{profile("a/run", "imb"), profile("b/run", "imb")}), (std::vector<std::string>{"run", "run #2"}));
  EXPECT_EQ(labels(std::vector<Profile>{profile("run", "ior"), profile("b/run", "imb"), profile("c", "imb")}),
            (std::vector<std::string>{"ior", "run", "c"}));
}

}  // namespace
}  // namespace fathom::compete
