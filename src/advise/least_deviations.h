// SPDX-License-Identifier: Apache-2.0
/// Weights by least absolute deviations: an over-determined system solved in the L1 norm, as a linear program.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"

namespace fathom::advise {

struct LinearPoint {
  std::vector<double> factors;  // the fractions of time in each band
  double value = 0;             // normalised I/O time
};

struct LeastDeviations {
  std::vector<double> weights;
  double deviation = 0;  // sum over points of |weights x factors - value|
};

/// The weights that minimise the sum of absolute deviations among those that are not negative and do not fall from band to band.
///
/// With w_i = d_1 + ... + d_i and d >= 0 both conditions hold by themselves. The dual program has one row for each band and one column,
/// between -1 and 1, for each point; it is solved with CLP, and the d are the prices of its rows. A band above all that was seen keeps the
/// weight of the one below. Where several weights are equally good, as with few points, those are taken that rise most evenly: |d_3 - d_2|
/// + |d_4 - d_3| + ... is least.
Result<LeastDeviations> least_deviations(const std::vector<LinearPoint>& points);

}  // namespace fathom::advise
