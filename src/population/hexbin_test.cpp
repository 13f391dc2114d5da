// SPDX-License-Identifier: Apache-2.0
#include "population/hexbin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"

namespace fathom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double distance(const HexGrid& grid, double u, double v, HexGrid::Place place) {
  const auto [x, y] = grid.centre(place);
  return std::hypot((u - x) / grid.rx, (v - y) / grid.ry);
}

TEST(HexGrid, NeighboursStandAsTheContractSays) {
  // In a row sqrt(3) rx apart, rows 1.5 ry apart, odd rows shifted by half a step.
  const HexGrid grid{2, 3};
  EXPECT_EQ(grid.centre({0, 0}), (std::array<double, 2>{0, 0}));
  EXPECT_DOUBLE_EQ(grid.centre({1, 0})[0], 2 * std::numbers::sqrt3);
  EXPECT_DOUBLE_EQ(grid.centre({0, 1})[0], std::numbers::sqrt3);
  EXPECT_DOUBLE_EQ(grid.centre({0, 1})[1], 4.5);
  EXPECT_DOUBLE_EQ(grid.centre({0, -1})[0], std::numbers::sqrt3);
}

TEST(HexGrid, EveryPointIsInTheHexagonWithTheNearestCentre) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const HexGrid grid{random.uniform(0.01, 2), random.uniform(0.01, 2)};
    const double u = random.uniform(-20, 20) * grid.rx, v = random.uniform(-20, 20) * grid.ry;
    const HexGrid::Place found = grid.place_of(u, v);
    const double own = distance(grid, u, v, found);
    ASSERT_LE(own, 1 + 1e-9);  // the corners of a hexagon are one radius away
    for (std::int64_t row = found.row - 2; row <= found.row + 2; ++row)
      for (std::int64_t column = found.column - 2; column <= found.column + 2; ++column)
        ASSERT_GE(distance(grid, u, v, {column, row}), own - 1e-9) << u << " " << v;
  }
}

TEST(Hexbin, CountsEveryJobOnceWhereverItIs) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    std::vector<double> x, y;
    for (int i = 0; i < 500; ++i) {
      x.push_back(random.chance(0.1) ? 0 : random.chance(0.05) ? nan : random.lognormal(1e9, 4));
      y.push_back(random.chance(0.1) ? 0 : random.lognormal(1e3, 2));
    }
    const bool linear = random.chance(0.3);
    if (linear)
      for (double& v : y) v = random.uniform();
    const Hexbin bins = hexbin(x, Scale::log, y, linear ? Scale::linear : Scale::log, 32);
    std::uint64_t sum = bins.undefined + bins.off_axis, undefined = 0, off_axis = 0;
    for (const Hexagon& hexagon : bins.hexagons) sum += hexagon.count;
    for (std::size_t i = 0; i < x.size(); ++i) {
      undefined += std::isnan(x[i]);
      off_axis += !std::isnan(x[i]) && (x[i] == 0 || (!linear && y[i] == 0));
    }
    ASSERT_EQ(sum, 500u) << "seed " << seed;
    ASSERT_EQ(bins.undefined, undefined) << "seed " << seed;
    ASSERT_EQ(bins.off_axis, off_axis) << "seed " << seed;
    ASSERT_LE(bins.hexagons.size(), 34u * 40u);
  }
}

TEST(Hexbin, CornersOfFractionsAreCentres) {
  // Intensity 0 and 1 are common: their jobs stand in hexagons of their own, at (0, 0), (1, 1), (0, 1).
  const std::vector<double> x = {0, 0, 1, 1, 1, 0}, y = {0, 0, 1, 1, 1, 1};
  const Hexbin bins = hexbin(x, Scale::linear, y, Scale::linear, 24);
  ASSERT_EQ(bins.hexagons.size(), 3u);
  for (const Hexagon& hexagon : bins.hexagons) {
    EXPECT_NEAR(hexagon.x, std::round(hexagon.x), 1e-12);
    EXPECT_NEAR(hexagon.y, std::round(hexagon.y), 1e-12);
    EXPECT_EQ(hexagon.count, std::round(hexagon.x) == 1 ? 3u : std::round(hexagon.y) == 1 ? 1u : 2u);
  }
}

TEST(Hexbin, OneJobAndNone) {
  const std::vector<double> one = {1024};
  const Hexbin bins = hexbin(one, Scale::log, one, Scale::log, 32);
  ASSERT_EQ(bins.hexagons.size(), 1u);
  EXPECT_GT(bins.grid.rx, 0);
  // The centre is within a radius of the point, in decades.
  EXPECT_NEAR(std::log10(bins.hexagons[0].x), std::log10(1024), bins.grid.rx);
  EXPECT_TRUE(hexbin({}, Scale::log, {}, Scale::log, 32).hexagons.empty());
}

}  // namespace
}  // namespace fathom
