// SPDX-License-Identifier: Apache-2.0
#include "fit/line_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/student.h"

namespace fathom::fit {
namespace {

constexpr double rare = 0.01;               // what happens so seldom is not taken for chance
constexpr std::size_t fewest_to_judge = 6;  // points, of which one may be called an outlier

/// Least squares of y = height + slope (x - middle), which is well conditioned.
struct Line {
  double middle = 0, height = 0, slope = 0, spread = 0, error = 0;  // spread: sum of (x - middle)^2; error: sum of squared residuals
  std::size_t count = 0;

  explicit Line(std::span<const Point> points) : count(points.size()) {
    const auto n = static_cast<double>(count);
    for (const Point& each : points) middle += each.x / n, height += each.y / n;
    double common = 0;
    for (const Point& each : points) {
      spread += (each.x - middle) * (each.x - middle);
      common += (each.x - middle) * (each.y - height);
    }
    slope = spread > 0 ? common / spread : 0;
    for (const Point& each : points) error += residual(each) * residual(each);
  }
  double residual(const Point& point) const { return point.y - height - slope * (point.x - middle); }
  double leverage(const Point& point) const { return 1 / static_cast<double>(count) + (point.x - middle) * (point.x - middle) / spread; }
  double degrees_of_freedom() const { return static_cast<double>(count) - 2; }
};

bool at_one_place(std::span<const Point> points) {
  const auto [least, most] = std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return most->x - least->x <= 1e-12 * std::abs(most->x);
}

/// Standard error of a parameter that is the sum of weight(point) * y.
template <class Weight>
double standard_error(const Line& line, std::span<const Point> points, Weight weight) {
  double even = 0, uneven = 0;
  for (const Point& each : points) {
    const double w = weight(each), room = 1 - line.leverage(each);
    even += w * w;
    if (room > 1e-9) uneven += w * w * line.residual(each) * line.residual(each) / (room * room);
  }
  return std::sqrt(std::max(even * line.error / line.degrees_of_freedom(), uneven));
}

std::optional<std::size_t> outlier(const Line& line, std::span<const Point> points) {
  if (points.size() < fewest_to_judge) return std::nullopt;
  const double freedom = line.degrees_of_freedom() - 1;
  double largest = 0, scale = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double room = 1 - line.leverage(points[i]), residual = line.residual(points[i]);
    scale = std::max(scale, std::abs(points[i].y));
    if (room < 1e-9) continue;  // the line goes through it whatever it is
    const double without = std::max(line.error - residual * residual / room, 1e-30 * line.error);
    const double deleted = std::abs(residual) / std::sqrt(without / freedom * room);
    if (deleted > largest) largest = deleted, at = i;
  }
  const bool beyond_rounding = std::abs(line.residual(points[at])) > 1e-9 * scale;
  const double limit = student_quantile(1 - rare / 2 / static_cast<double>(points.size()), freedom);
  return beyond_rounding && largest > limit ? std::optional(at) : std::nullopt;
}

/// The t test of a square term: x^2 without its share of 1 and x.
bool is_curved(const Line& line, std::span<const Point> points) {
  if (points.size() < fewest_to_judge) return false;
  std::vector<Point> squares;
  double scale = 0;
  for (const Point& each : points) {
    const double x = (each.x - line.middle) / std::sqrt(line.spread);
    squares.push_back({x, x * x});
    scale = std::max(scale, std::abs(each.y));
  }
  const Line straight(squares);
  if (straight.error < 1e-9) return false;  // only two different x
  double common = 0;
  for (std::size_t i = 0; i < points.size(); ++i) common += straight.residual(squares[i]) * line.residual(points[i]);
  const double gained = common * common / straight.error, left = std::max(line.error - gained, 0.0);
  const double freedom = line.degrees_of_freedom() - 1;
  const bool beyond_rounding = std::sqrt(gained) > 1e-9 * scale;
  return beyond_rounding && std::sqrt(gained) > student_quantile(1 - rare / 2, freedom) * std::sqrt(left / freedom);
}

}  // namespace

std::optional<LineFit> fit_line(std::span<const Point> points, double confidence) {
  if (points.size() < fewest_points || at_one_place(points)) return std::nullopt;
  LineFit found;
  std::vector<Point> used(points.begin(), points.end());
  if (const auto odd = outlier(Line(used), used)) {
    std::vector<Point> others = used;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(*odd));
    if (!at_one_place(others)) {
      found.outlier = odd;
      used = std::move(others);
    }
  }
  const Line line(used);
  const double t = student_quantile((1 + confidence) / 2, line.degrees_of_freedom());
  const auto around = [t](double value, double error) { return Estimate{value, value - t * error, value + t * error}; };
  const double n = static_cast<double>(used.size());
  found.points = used.size();
  found.slope = around(line.slope, standard_error(line, used, [&](const Point& p) { return (p.x - line.middle) / line.spread; }));
  found.intercept =
      around(line.height - line.slope * line.middle,
             standard_error(line, used, [&](const Point& p) { return 1 / n - line.middle * (p.x - line.middle) / line.spread; }));
  double all = 0;
  for (const Point& each : used) all += (each.y - line.height) * (each.y - line.height);
  found.r_squared = all > 0 ? std::max(0.0, 1 - line.error / all) : 0;
  found.deviation = std::sqrt(line.error / line.degrees_of_freedom());
  found.curved = is_curved(line, used);
  return found;
}

}  // namespace fathom::fit
