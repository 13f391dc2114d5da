// SPDX-License-Identifier: Apache-2.0
#include "advise/isotonic.h"

#include <algorithm>

namespace fathom::advise {
namespace {

void merge(IsotonicStep& into, const IsotonicStep& next) {
  const auto a = static_cast<double>(into.points), b = static_cast<double>(next.points);
  into.value = (into.value * a + next.value * b) / (a + b);
  into.last = next.last;
  into.points += next.points;
}

}  // namespace

std::vector<IsotonicStep> isotonic_fit(std::vector<std::pair<double, double>> points) {
  std::sort(points.begin(), points.end());
  std::vector<IsotonicStep> steps;
  for (std::size_t i = 0; i < points.size();) {
    IsotonicStep step{points[i].first, points[i].first, points[i].second, 1};
    for (++i; i < points.size() && points[i].first == step.last; ++i) merge(step, {step.last, step.last, points[i].second, 1});
    steps.push_back(step);
    while (steps.size() > 1 && steps[steps.size() - 2].value >= steps.back().value) {
      merge(steps[steps.size() - 2], steps.back());
      steps.pop_back();
    }
  }
  return steps;
}

}  // namespace fathom::advise
