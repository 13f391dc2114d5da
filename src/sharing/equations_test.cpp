// SPDX-License-Identifier: Apache-2.0
// The equations of LWM2 as special cases of the general course, and courses small enough to check by hand.
#include <gtest/gtest.h>

#include <vector>

#include "sharing/course.h"

namespace fathom::sharing {
namespace {

using Competitors = std::vector<Competitor>;

Course alone_times(const Competitors& competitors) { return share_out(competitors, Capacity(1)); }

TEST(Equations, OneAndTwoTheLargerEndsFirst) {
  // Eq. 1: t_L = st_L (np_L + np_S) / np_L. Eq. 2: t_S = st_S + st_L. The stand-alone times are Table 1's; they differ a little,
  // as in the paper's own use of the equations.
  for (const auto& [small, large] : {std::pair{12, 36}, {12, 60}, {36, 60}, {1, 60}, {7, 7}}) {
    const auto np_s = static_cast<std::uint64_t>(small), np_l = static_cast<std::uint64_t>(large);
    const double st_s = 167.5, st_l = 167.5 - (small == large ? 0 : 1.25);
    const Course course = alone_times({{0, st_s, np_s, np_s}, {0, st_l, np_l, np_l}});
    const double t_l = st_l * static_cast<double>(np_l + np_s) / static_cast<double>(np_l);
    EXPECT_DOUBLE_EQ(course.turns[1].length, t_l) << small << " " << large;
    EXPECT_DOUBLE_EQ(course.turns[0].length, st_s + st_l) << small << " " << large;
  }
}

TEST(Equations, ThreeAndFourGoBack) {
  // Eq. 3: st_L = t_L np_L / (np_L + np_S). Eq. 4: st_S = t_S - t_L np_L / (np_L + np_S). Observed run times of Table 3, private (12, 60).
  const double t_s = 16000 / 50.4, t_l = 16000 / 78.8;
  const std::vector<Observation> seen{{0, t_s, 12, 12}, {0, t_l, 60, 60}};
  const std::vector<double> alone = work_done(observed_course(seen, Capacity(1)), seen);
  EXPECT_DOUBLE_EQ(alone[1], t_l * 60 / 72);
  EXPECT_DOUBLE_EQ(alone[0], t_s - t_l * 60 / 72);
}

TEST(Course, TwoEqualOnesTakeTwiceAsLong) {
  const Course course = share_out(Competitors{{0, 1000, 60, 60}, {0, 1000, 60, 60}}, Capacity(100));
  for (const Turn& turn : course.turns) EXPECT_EQ(turn.length, 20);  // each has 50 of 100 a second
  ASSERT_EQ(course.segments.size(), 1u);
  EXPECT_EQ(course.segments[0].rate(60), 50);
}

TEST(Course, OneComesLater) {
  // 100 a second. A (weight 1) wants 1000 from 0, B (weight 3) wants 600 from 4.
  // 0..4: A alone, 400. From 4: A 25, B 75 a second; B ends after 8 s at 12, when A has 400 + 200. 12..16: A alone with the last 400.
  const Course course = share_out(Competitors{{0, 1000, 1, 1}, {4, 600, 3, 3}}, Capacity(100));
  EXPECT_DOUBLE_EQ(course.turns[0].length, 16);
  EXPECT_DOUBLE_EQ(course.turns[1].length, 8);
  ASSERT_EQ(course.segments.size(), 3u);
  const double ends[] = {4, 12, 16}, rates[] = {100, 25, 100};
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_DOUBLE_EQ(course.segments[s].end, ends[s]);
    EXPECT_DOUBLE_EQ(course.segments[s].rate(1), rates[s]);
  }
  ASSERT_EQ(course.segments_of(1).size(), 1u);
  EXPECT_DOUBLE_EQ(course.segments_of(1)[0].rate(3), 75);
}

TEST(Course, CapacityFollowsTheNumberOfWriters) {
  // 100 a second for one writer, 60 for three, in between by a straight line: 80 for two.
  const Capacity capacity({{1, 100}, {3, 60}});
  EXPECT_EQ(capacity.at(1), 100);
  EXPECT_DOUBLE_EQ(capacity.at(2), 80);
  EXPECT_EQ(capacity.at(3), 60);
  EXPECT_EQ(capacity.at(0), 100);
  EXPECT_EQ(capacity.at(1000), 60);
  // A and B of one writer each, 400 each, from 0: 40 a second each, both end at 10. C of three comes at 5: five writers are beyond the
  // table. From 5: 60 in all, A and B have 12 each of 60 (weights 1, 1, 3), C has 36. A and B have 200 left: 16.67 s, till 21.67; C then
  // has 600 of its 900, and the last 300 at 60 take 5 s: 26.67.
  const Course course = share_out(Competitors{{0, 400, 1, 1}, {0, 400, 1, 1}, {5, 900, 3, 3}}, capacity);
  EXPECT_DOUBLE_EQ(course.turns[0].length, 5 + 200.0 / 12);
  EXPECT_DOUBLE_EQ(course.turns[1].length, 5 + 200.0 / 12);
  EXPECT_DOUBLE_EQ(course.turns[2].length, 200.0 / 12 + 5);
}

TEST(Course, NobodyAndOne) {
  const Course nobody = share_out({}, Capacity(100));
  EXPECT_TRUE(nobody.turns.empty());
  EXPECT_TRUE(nobody.segments.empty());
  EXPECT_EQ(nobody.length(), 0);
  const Course one = share_out(Competitors{{7, 1000, 5, 5}}, Capacity(100));
  EXPECT_EQ(one.origin, 7);
  EXPECT_EQ(one.turns[0].length, 10);
  ASSERT_EQ(one.segments.size(), 1u);
  EXPECT_EQ(one.segments[0].rate(5), 100);
}

TEST(Course, TiesAndWorkOfNothing) {
  // Three that start together, two of which end together (100 / 1 and 300 / 3 at the same level), one that wants nothing, and one that
  // starts in the very moment in which they end: it meets the long one only. Weights 1, 3, 4 at 80 a second: 10, 30, 40; at 10 the first
  // two end, the third has 400 of 480; from 10 it shares with the newcomer (weight 4, 80): 40 each, both end at 12.
  const Course course = share_out(Competitors{{0, 100, 1, 1}, {0, 300, 3, 3}, {0, 480, 4, 4}, {0, 0, 2, 2}, {10, 80, 4, 4}}, Capacity(80));
  const double lengths[] = {10, 10, 12, 0, 2};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(course.turns[i].length, lengths[i]) << i;
  EXPECT_EQ(course.segments.size(), 2u);
  EXPECT_TRUE(course.segments_of(3).empty());
}

TEST(Course, AGapIsNoSegment) {
  const Course course = share_out(Competitors{{0, 100, 1, 1}, {50, 100, 1, 1}}, Capacity(100));
  ASSERT_EQ(course.segments.size(), 2u);
  EXPECT_EQ(course.segments[1].begin, 50);
  EXPECT_EQ(course.length(), 51);
  EXPECT_EQ(course.busy(), 2);
}

TEST(Course, UnixTimesCostNoDigits) {
  // The same as OneComesLater, in microseconds: at 1.7e9 a double has steps of 0.24 us.
  const double now = 1.7e9;
  const Course course = share_out(Competitors{{now, 1000, 1, 1}, {now, 600, 3, 3}}, Capacity(1e9));
  // 600 at 750e6 a second: 0.8 us; then 1000 - 200 at 1e9: 0.8 us more.
  EXPECT_DOUBLE_EQ(course.turns[1].length, 0.8e-6);
  EXPECT_DOUBLE_EQ(course.turns[0].length, 1.6e-6);
}

}  // namespace
}  // namespace fathom::sharing
