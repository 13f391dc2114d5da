// SPDX-License-Identifier: Apache-2.0
#include "mine/confidence.h"

#include <algorithm>
#include <cmath>

namespace fathom::mine {
namespace {

// A logistic regression; tools/fit_confidence prints these.
constexpr double constant = -16.646, by_chance = 3.314, by_scope = -2.418, by_runs = 3.946;
constexpr double strongest = 40;  // powers of ten; beyond, it is as good as certain

}  // namespace

double confidence_of(const Pattern& pattern) {
  if (pattern.shown == 0) return 0;
  const double unlikely = std::clamp(-pattern.log10_chance, 0.0, strongest);
  const double going_on = (static_cast<double>(pattern.scope_hits) + 0.5) / (static_cast<double>(pattern.scope_windows) + 1);
  const double sum = constant + by_chance * std::sqrt(unlikely) + by_scope * std::log(going_on / (1 - going_on)) +
                     by_runs * std::log(static_cast<double>(pattern.shown));
  return std::min(1 / (1 + std::exp(-sum)), most_confidence);
}

}  // namespace fathom::mine
