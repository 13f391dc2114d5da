// SPDX-License-Identifier: Apache-2.0
/// A straight line through points by least squares, with intervals for both its parameters and what speaks against it.
#pragma once

#include <optional>
#include <span>

namespace fathom::fit {

struct Point {
  double x = 0, y = 0;
};

struct Estimate {
  double value = 0, lower = 0, upper = 0;
};

struct LineFit {
  Estimate intercept, slope;
  std::size_t points = 0;              // that were used
  std::optional<std::size_t> outlier;  // the one that was not
  double r_squared = 0;
  double deviation = 0;  // of the residuals: sqrt(sum of squares / (points - 2))
  bool curved = false;   // a parabola fits better, with 99 % confidence
};

inline constexpr std::size_t fewest_points = 3;

/// Nothing when the points do not determine a line and its uncertainty: fewer than three, or all at the same x.
///
/// The half width of an interval is Student's t times the standard error, for which the larger one is taken of the textbook's (the same
/// noise everywhere) and HC3 (MacKinnon and White 1985: noise that grows with x, as times do). One point is left out when its deletion
/// residual is beyond what the largest of n would be in one case of a hundred (t test with Bonferroni's correction; Cook and Weisberg
/// 1982); a second one is not looked for: then it is no single accident any more.
std::optional<LineFit> fit_line(std::span<const Point> points, double confidence);

}  // namespace fathom::fit
