// SPDX-License-Identifier: Apache-2.0
/// Bursts as points of a plane in which neither their height nor their area dominates, and how far apart neighbours may be there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mine/places.h"

namespace fathom::mine {

struct BurstSize {
  double height = 0;  // bytes per second over the background
  double area = 0;    // bytes over the background
};

/// An axis of the plane: (log value - centre) / spread.
struct BurstAxis {
  double centre = 0, spread = 1;
};

struct ScaledBursts {
  std::vector<Point> points;         // x from the height, y from the area
  std::vector<std::uint32_t> burst;  // which one each point is
  std::size_t left_out = 0;          // height or area not finite or not above zero: not above the background, so no burst
  BurstAxis height, area;
};

/// Both span orders of magnitude, and what makes two bursts alike is their ratio: hence natural logarithms, and no unit matters. Each axis
/// is centred at its median and divided by the range from its 5 % to its 95 % quantile, over 3.29 (the range of a normal distribution with
/// standard deviation 1). Quartiles would not do: half of all bursts may belong to one pattern, and the quartiles then tell its
/// scatter alone. Up to 5 % of outliers at either end do not matter. An axis whose spread is below `least_spread` is divided by that:
/// what nine in ten bursts have in common is a constant with noise, which must not be blown up to the size of the other axis.
ScaledBursts scaled(std::span<const BurstSize> bursts);
inline constexpr double least_spread = 0.1;  // 10 %: what one pattern differs by from burst to burst

/// The 98 % quantile of the points' k-distances, k = min_points: what is farther from its neighbours than nearly all others are is not in a
/// cluster. High on purpose: patterns of very different densities are all to be found, the sparsest too, and noise is told by the
/// plot and not by this. Lost is a pattern that is sparser than all else, noise included, and has less than 2 % of the bursts. Finite and
/// above zero in any case: where most points are equal, the smallest k-distance that is not zero; 1 where there is none.
double sensible_max_eps(std::span<const Point> points, std::uint32_t min_points);
/// The same from the points' squared core distances by place.
double sensible_max_eps(const Places& places, std::span<const double> squared_core, std::uint32_t min_points);

}  // namespace fathom::mine
