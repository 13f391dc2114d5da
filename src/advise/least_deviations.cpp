// SPDX-License-Identifier: Apache-2.0
#include "advise/least_deviations.h"

#include <coin/Clp_C_Interface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace fathom::advise {
namespace {

using Model = std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)>;

/// What a change of the step from band to band costs, against a deviation of 1: enough to choose among equally good weights, too little to
/// make any worse.
constexpr double cost_of_bends = 1e-6;

double deviation_of(const std::vector<double>& weights, const std::vector<LinearPoint>& points) {
  double sum = 0;
  for (const LinearPoint& point : points) {
    double predicted = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) predicted += weights[i] * point.factors[i];
    sum += std::fabs(predicted - point.value);
  }
  return sum;
}

}  // namespace

Result<LeastDeviations> least_deviations(const std::vector<LinearPoint>& points) {
  const auto wrong = [](std::string what) { return Error{ErrorKind::malformed, "learning weights: " + std::move(what)}; };
  if (points.empty()) return wrong("there are no training points");
  const std::size_t bands = points.front().factors.size();
  if (bands == 0) return wrong("training points without bands");
  for (const LinearPoint& point : points) {
    if (point.factors.size() != bands)
      return wrong(fmt::format("a training point with {} bands among some with {}", point.factors.size(), bands));
    bool finite = std::isfinite(point.value);
    for (const double factor : point.factors) finite = finite && std::isfinite(factor);
    if (!finite) return wrong("a training point that is no number");
  }

  // min -b'y  with  A'y <= 0  and  -1 <= y <= 1, where A has the tail sums of the factors: its column j is what d_j counts for.
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> values, cost;
  std::size_t seen = 0;  // bands at and below the highest of any point
  for (const LinearPoint& point : points) {
    double tail = 0;
    std::vector<double> tails(bands);
    for (std::size_t j = bands; j-- > 0;) {
      tails[j] = tail += point.factors[j];
      if (tail != 0) seen = std::max(seen, j + 1);
    }
    for (std::size_t j = 0; j < bands; ++j)
      if (tails[j] != 0) {
        rows.push_back(static_cast<int>(j));
        values.push_back(tails[j]);
      }
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    cost.push_back(-point.value);
  }
  // A bend |d_(j+1) - d_j| is one more deviation, of a point with the value 0.
  std::vector<double> low(points.size(), -1), high(points.size(), 1);
  for (std::size_t j = 1; j + 1 < seen; ++j) {
    rows.insert(rows.end(), {static_cast<int>(j), static_cast<int>(j + 1)});
    values.insert(values.end(), {-1, 1});
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    cost.push_back(0);
    low.push_back(-cost_of_bends);
    high.push_back(cost_of_bends);
  }
  const std::size_t count = cost.size();
  const std::vector<double> row_low(bands, -std::numeric_limits<double>::max()), row_high(bands, 0);
  const Model model(Clp_newModel(), &Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  Clp_loadProblem(model.get(), static_cast<int>(count), static_cast<int>(bands), starts.data(), rows.data(), values.data(), low.data(),
                  high.data(), cost.data(), row_low.data(), row_high.data());
  Clp_setPrimalTolerance(model.get(), 1e-9);
  Clp_setDualTolerance(model.get(), 1e-9);
  Clp_initialSolve(model.get());
  if (Clp_status(model.get()) != 0)
    return Error{ErrorKind::unsupported, fmt::format("learning weights: the linear program of {} points was not solved (status {})",
                                                     points.size(), Clp_status(model.get()))};

  LeastDeviations found;
  const double* const prices = Clp_getRowPrice(model.get());
  double weight = 0;
  for (std::size_t j = 0; j < bands; ++j) found.weights.push_back(weight += std::fmax(0, -prices[j]));
  found.deviation = deviation_of(found.weights, points);
  // Both programs have the same value: a check of signs and tolerances that costs nothing.
  const double other_side = -Clp_objectiveValue(model.get());
  if (std::fabs(found.deviation - other_side) > 1e-4 * (1 + std::fabs(other_side)))
    return Error{ErrorKind::unsupported,
                 fmt::format("learning weights: the linear program says {} and its solution {}", other_side, found.deviation)};
  return found;
}

}  // namespace fathom::advise
