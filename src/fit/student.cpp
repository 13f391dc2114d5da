// SPDX-License-Identifier: Apache-2.0
#include "fit/student.h"

#include <cmath>

#include "base/log_gamma.h"

namespace fathom::fit {
namespace {

/// The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), from its front by Lentz's method. Converges fast
/// for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto not_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m < 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

/// I_x(a, b) with y = 1 - x, which the caller knows exactly where x is close to 1.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log(y));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, y) / b;
}

}  // namespace

double student_cdf(double t, double degrees_of_freedom) {
  // Beyond |t|, on both sides together: I_x(f / 2, 1 / 2) with x = f / (f + t^2) (Abramowitz and Stegun, 26.7.1).
  const double all = degrees_of_freedom + t * t;
  const double beyond = incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / all, t * t / all) / 2;
  return t > 0 ? 1 - beyond : beyond;
}

double student_quantile(double chance, double degrees_of_freedom) {
  if (chance == 0.5) return 0;
  if (chance < 0.5) return -student_quantile(1 - chance, degrees_of_freedom);
  double low = 0, high = 1;
  while (student_cdf(high, degrees_of_freedom) < chance && high < 1e15) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = (low + high) / 2;
    (student_cdf(middle, degrees_of_freedom) < chance ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace fathom::fit
