// SPDX-License-Identifier: Apache-2.0
/// The rising step function closest to points (least squares), by pooling adjacent violators.
#pragma once

#include <utility>
#include <vector>

namespace fathom::advise {

/// A stretch of the fit: up to and including `last`, the value is `value`.
struct IsotonicStep {
  double first = 0, last = 0;  // smallest and largest x of its points
  double value = 0;
  std::size_t points = 0;
};

/// Points are (x, y) in any order; points with the same x get the same value. Steps rise strictly, in x and in value.
std::vector<IsotonicStep> isotonic_fit(std::vector<std::pair<double, double>> points);

}  // namespace fathom::advise
