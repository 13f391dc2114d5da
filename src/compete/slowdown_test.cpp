// SPDX-License-Identifier: Apache-2.0
#include "compete/slowdown.h"

#include <gtest/gtest.h>

#include "slices/made_profile_test.h"

namespace fathom::compete {
namespace {

using namespace slices;

/// 1 process on a node of its own writes in slices [first, first + count) of 1 s; `processes` on `nodes` for the other.
struct Two {
  std::vector<Profile> profiles;
  std::vector<Application> applications;
  Two(std::int64_t small_first, std::size_t small_count, std::int64_t large_first, std::size_t large_count, std::uint32_t processes = 3) {
    std::vector<Process> many;
    for (std::uint32_t p = 0; p < processes; ++p)
      many.push_back(writer("l", p, large_first, std::vector<std::uint64_t>(large_count, 10), Counter::write_bytes, second));
    profiles = {
        application("small", {writer("s", 99, small_first, std::vector<std::uint64_t>(small_count, 10), Counter::write_bytes, second)},
                    second),
        application("large", many, second)};
    auto prepared = prepare(profiles, labels(profiles), Direction::write);
    EXPECT_TRUE(prepared);
    applications = *std::move(prepared);
  }
  Slowdowns slowdown(std::optional<Alone> small, std::optional<Alone> large, Share share = Share::process) const {
    const std::vector<std::optional<Alone>> alone = {small, large};
    return slowdowns(applications, alone, Direction::write, share);
  }
};

TEST(Slowdown, IsTheEquationsOfThePaper) {
  // 1 process against 3, both 90 s alone, at once. Eq. 1: large = 90 x (3 + 1) / 3 = 120 s. Eq. 2: small = 90 + 90 = 180 s. Observed just
  // so.
  const Slowdowns found = Two(1000, 180, 1000, 120).slowdown(Alone{90, {}}, Alone{90, {}});
  const Slowdown &small = found.applications[0], &large = found.applications[1];
  EXPECT_NEAR(*small.predicted, 180, 1e-9);
  EXPECT_NEAR(*large.predicted, 120, 1e-9);
  EXPECT_NEAR(*small.error, 0, 1e-12);
  EXPECT_NEAR(*small.factor, 2, 1e-12);
  EXPECT_NEAR(*large.factor, 4.0 / 3, 1e-12);
  // Eqs. 3 and 4: large 120 x 3/4 = 90 s; small 180 - 90 = 90 s.
  EXPECT_NEAR(*large.inferred, 90, 1e-9);
  EXPECT_NEAR(*small.inferred, 90, 1e-9);
  EXPECT_NEAR(*small.inferred_error, 0, 1e-12);
  EXPECT_TRUE(found.notices.empty());
}

TEST(Slowdown, ErrorsAreRelativeToWhatWasObserved) {
  // Predicted 120 s and 180 s as before, observed 125 s and 160 s: -4 % and +12.5 %.
  const Slowdowns found = Two(1000, 160, 1000, 125).slowdown(Alone{90, {}}, Alone{90, {}});
  EXPECT_NEAR(*found.applications[1].error, -0.04, 1e-12);
  EXPECT_NEAR(*found.applications[0].error, 0.125, 1e-12);
}

TEST(Slowdown, StartsDiffer) {
  // small from 1000 s, 100 s alone; large from 1050 s, 60 s alone. Small has 50 s done when large comes; then large gets 3/4: 60 / (3/4) =
  // 80 s, to 1130. Small does 80 x 1/4 = 20 s of work meanwhile; 30 s are left: to 1160. So 160 s and 80 s; the inverse from just these.
  const Slowdowns found = Two(1000, 160, 1050, 80).slowdown(Alone{100, {}}, Alone{60, {}});
  EXPECT_NEAR(*found.applications[0].predicted, 160, 1e-9);
  EXPECT_NEAR(*found.applications[1].predicted, 80, 1e-9);
  EXPECT_NEAR(*found.applications[0].inferred, 100, 1e-9);
  EXPECT_NEAR(*found.applications[1].inferred, 60, 1e-9);
}

TEST(Slowdown, SharesPerNode) {
  // One node each: both get half. 90 s alone each, at once: both 180 s.
  const Slowdowns found = Two(1000, 180, 1000, 180).slowdown(Alone{90, {}}, Alone{90, {}}, Share::node);
  EXPECT_NEAR(*found.applications[0].predicted, 180, 1e-9);
  EXPECT_NEAR(*found.applications[1].predicted, 180, 1e-9);
}

TEST(Slowdown, InfersTimesAloneFromOneRun) {
  const Slowdowns found = Two(1000, 180, 1000, 120).slowdown({}, {});
  EXPECT_FALSE(found.applications[0].predicted);
  EXPECT_FALSE(found.applications[0].factor);
  EXPECT_NEAR(*found.applications[0].inferred, 90, 1e-9);
  EXPECT_TRUE(found.notices.empty());
}

TEST(Slowdown, SaysWhatIsMissingForAPrediction) {
  const Slowdowns found = Two(1000, 180, 1000, 120).slowdown(Alone{90, {}}, {});
  EXPECT_FALSE(found.applications[0].predicted);
  EXPECT_NEAR(*found.applications[0].factor, 2, 1e-12);
  ASSERT_EQ(found.notices.size(), 1u);
  EXPECT_NE(found.notices[0].find("that of large is missing"), std::string::npos) << found.notices[0];
}

TEST(Slowdown, SaysWhenTheWorkWasAnother) {
  // small wrote 180 x 10 bytes.
  EXPECT_TRUE(Two(1000, 180, 1000, 120).slowdown(Alone{90, 1800}, Alone{90, {}}).notices.empty());
  const Slowdowns found = Two(1000, 180, 1000, 120).slowdown(Alone{90, 900}, Alone{90, {}});
  ASSERT_EQ(found.notices.size(), 1u);
  EXPECT_NE(found.notices[0].find("small moved 900 B alone and 1.76 KiB beside the others"), std::string::npos) << found.notices[0];
}

TEST(Slowdown, WhoeverMovesNothingDoesNotCount) {
  std::vector<Profile> two = {application("a", {writer("n", 1, 0, {1, 1})}),
                              application("b", {writer("m", 2, 0, {1, 1}, Counter::read_bytes)})};
  const auto prepared = prepare(two, labels(two), Direction::write);
  ASSERT_TRUE(prepared);
  const std::vector<std::optional<Alone>> alone = {Alone{8, {}}, std::nullopt};
  const Slowdowns found = slowdowns(*prepared, alone, Direction::write, Share::process);
  EXPECT_NEAR(*found.applications[0].predicted, 8, 1e-9);
  EXPECT_FALSE(found.applications[1].concurrent);
}

}  // namespace
}  // namespace fathom::compete
