// SPDX-License-Identifier: Apache-2.0
#include "mine/optics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "mine/reference_test.h"

namespace fathom::mine {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using Points = std::vector<Point>;
using Numbers = std::vector<double>;
using Indices = std::vector<std::uint32_t>;

TEST(Optics, NoPointAndOnePoint) {
  EXPECT_TRUE(optics(Points{}, {}).order.empty());
  const Reachability one = optics(Points{{3, 4}}, {.min_points = 2, .max_eps = 1});
  EXPECT_EQ(one.order, Indices{0});
  EXPECT_EQ(one.reachability, Numbers{infinite});
  EXPECT_EQ(one.core_distance, Numbers{infinite});
  EXPECT_EQ(one.predecessor, Indices{no_point});
}

TEST(Optics, SevenPointsOnALine) {
  // x =              0  1  3  10  11  13  30, min_points 3, max_eps 8. Third nearest, the point itself the first:
  // core distance    3  2  3   3   2   3  19 > 8: none.
  // 0 begins. From 0: max(3, 1) = 3 to point 1, max(3, 3) = 3 to point 2; of equal ones the lowest: point 1, from 0.
  // From 1: max(2, 2) = 2 to point 2, better than 3: point 2 from 1. Point 3 is 9 away: too far.
  // From 2 (x = 3): point 3 at 7, point 4 at 8, just within max_eps: point 3 from 2 with 7.
  // From 3 (x = 10): max(3, 1) = 3 to point 4, max(3, 3) = 3 to point 5: point 4 from 3.
  // From 4 (x = 11): max(2, 2) = 2 to point 5. Point 6 is 17 away from the nearest.
  const Reachability found = optics(Points{{0, 0}, {1, 0}, {3, 0}, {10, 0}, {11, 0}, {13, 0}, {30, 0}}, {.min_points = 3, .max_eps = 8});
  EXPECT_EQ(found.order, (Indices{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found.core_distance, (Numbers{3, 2, 3, 3, 2, 3, infinite}));
  EXPECT_EQ(found.reachability, (Numbers{infinite, 3, 2, 7, 3, 2, infinite}));
  EXPECT_EQ(found.predecessor, (Indices{no_point, 0, 1, 2, 3, 4, no_point}));
}

TEST(Optics, OrderFollowsDensityAndNotTheIndex) {
  // y =            0  9  1  8  2, min_points 2: core distances 1 each. From 0: point 2 at 1. From 2: point 4 at 1. From 4: point 3 at 6,
  // point 1 at 7. From 3: point 1 at 1.
  const Reachability found = optics(Points{{5, 0}, {5, 9}, {5, 1}, {5, 8}, {5, 2}}, {.min_points = 2});
  EXPECT_EQ(found.order, (Indices{0, 2, 4, 3, 1}));
  EXPECT_EQ(found.reachability, (Numbers{infinite, 1, 1, 6, 1}));
  EXPECT_EQ(found.predecessor, (Indices{no_point, 3, 0, 4, 2}));
}

TEST(Optics, EqualPoints) {
  // Three points at (0, 0), two at (3, 4), min_points 3. Core distance 0 at the first place, 5 at the second (two at 0, the third at 5).
  // 0, then 2 and 4 at 0 from point 0, which was first; then point 1 at 5 from 0. Point 3 has 5 from 0 and max(5, 0) = 5 from 1:
  // no improvement, so its predecessor stays 0.
  const Reachability found = optics(Points{{0, 0}, {3, 4}, {0, 0}, {3, 4}, {0, 0}}, {.min_points = 3});
  EXPECT_EQ(found.order, (Indices{0, 2, 4, 1, 3}));
  EXPECT_EQ(found.core_distance, (Numbers{0, 5, 0, 5, 0}));
  EXPECT_EQ(found.reachability, (Numbers{infinite, 5, 0, 5, 0}));
  EXPECT_EQ(found.predecessor, (Indices{no_point, 0, 0, 0, 0}));
}

TEST(Optics, FewerPointsThanMinPointsReachNothing) {
  const Reachability found = optics(Points{{0, 0}, {0, 0}, {1, 0}}, {.min_points = 4});
  EXPECT_EQ(found.order, (Indices{0, 1, 2}));
  EXPECT_EQ(found.reachability, Numbers(3, infinite));
  EXPECT_EQ(found.core_distance, Numbers(3, infinite));
}

TEST(Optics, ZeroMaxEpsJoinsEqualPointsOnly) {
  const Reachability found = optics(Points{{1, 1}, {2, 2}, {1, 1}}, {.min_points = 2, .max_eps = 0});
  EXPECT_EQ(found.order, (Indices{0, 2, 1}));
  EXPECT_EQ(found.reachability, (Numbers{infinite, infinite, 0}));
}

void expect_as_reference(const Points& points, const OpticsSettings& settings, const std::string& what) {
  const Reachability found = optics(points, settings), wanted = reference_optics(points, settings);
  ASSERT_EQ(found.order, wanted.order) << what;
  ASSERT_EQ(found.core_distance, wanted.core_distance) << what;
  ASSERT_EQ(found.reachability, wanted.reachability) << what;
  ASSERT_EQ(found.predecessor, wanted.predecessor) << what;
}

/// Spread evenly, on a grid with many ties and equal points, in clusters of very different densities, or on few lines.
Points drawn(std::int64_t kind, std::size_t count, Random& random) {
  const auto side = random.whole(1, 12);
  Points points(count);
  for (Point& each : points) {
    const double wide = std::pow(10.0, static_cast<double>(random.whole(-4, 0))), centre = static_cast<double>(random.whole(0, 3));
    switch (kind) {
      case 0: each = {random.uniform(), random.uniform()}; break;
      case 1: each = {static_cast<double>(random.whole(0, side)), static_cast<double>(random.whole(0, side))}; break;
      case 2: each = {centre + wide * random.normal(), -centre + wide * random.normal()}; break;
      default: each = {static_cast<double>(random.whole(0, 2)), random.uniform()}; break;
    }
  }
  return points;
}

TEST(Optics, IsTheDefinitionOnRandomPoints) {
  Random random(2);
  for (int round = 0; round < 600; ++round) {
    const auto kind = random.whole(0, 3);
    const Points points = drawn(kind, static_cast<std::size_t>(random.whole(1, 150)), random);
    OpticsSettings settings{static_cast<std::uint32_t>(random.whole(1, 9))};
    if (random.chance(0.6)) settings.max_eps = kind == 1 ? static_cast<double>(random.whole(1, 4)) : random.lognormal(0.1, 1);
    expect_as_reference(points, settings, "round " + std::to_string(round) + " kind " + std::to_string(kind));
    if (HasFatalFailure()) return;
  }
}

TEST(Optics, IsTheDefinitionOnManyPoints) {
  Random random(3);
  for (std::int64_t kind = 0; kind < 4; ++kind) expect_as_reference(drawn(kind, 1500, random), {.min_points = 12}, std::to_string(kind));
}

TEST(Optics, EqualPointsByTheTenThousands) {
  // Quadratic time would be minutes. All even points are at the origin, all odd ones a step to the right of the odd one before.
  Points points(100'000);
  for (std::size_t i = 1; i < points.size(); i += 2) points[i].x = static_cast<double>(i + 1) / 2;
  const Reachability found = optics(points, {.min_points = 3});
  // min_points 3 on a line of steps: core distance 1, but 2 at the end, and 1 next to the origin. First all at the origin, then step by
  // step.
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    ASSERT_EQ(found.order[i], 2 * i);
    ASSERT_EQ(found.order[50'000 + i], 2 * i + 1);
    ASSERT_EQ(found.reachability[2 * i], i == 0 ? infinite : 0);
    ASSERT_EQ(found.reachability[2 * i + 1], 1);
  }
}

}  // namespace
}  // namespace fathom::mine
