// SPDX-License-Identifier: Apache-2.0
#include "advise/trained.h"

#include <fmt/format.h>

#include <cmath>

#include "advise/least_deviations.h"

namespace fathom::advise {
namespace {

/// With less of the training's time than this in it and above it, a band has no weight of its own: a few odd minutes would decide it.
constexpr double least_time = 0.002;

/// How many bands have one.
std::size_t bands_seen(const std::vector<TrainingPoint>& points, std::size_t bands) {
  std::vector<double> time(bands + 1, 0);
  for (const TrainingPoint& point : points)
    for (std::size_t i = 0; i < bands; ++i) time[i] += point.load[i] / static_cast<double>(points.size());
  std::size_t seen = bands;
  for (double above = 0; seen > 1 && (above += time[seen - 1]) < least_time;) --seen;
  return seen;
}

}  // namespace

double Trained::score(std::span<const double> fractions) const {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * std::fmax(0, fractions[i]);
  return sum;
}

Result<Trained> train(const std::vector<TrainingPoint>& points, const LoadSettings& load, std::string source, const ThresholdTable& edges) {
  const std::size_t bands = load.bands.count();
  for (const TrainingPoint& point : points)
    if (point.load.size() != bands)
      return Error{ErrorKind::malformed,
                   fmt::format("learning weights: a training point with {} bands, and {:g} MB/s in bands of {:g} MB/s are {}",
                               point.load.size(), load.bands.peak / 1e6, load.bands.width / 1e6, bands)};
  const std::size_t seen = points.empty() ? bands : bands_seen(points, bands);
  std::vector<LinearPoint> system;
  system.reserve(points.size());
  for (const TrainingPoint& point : points) {
    LinearPoint& row =
        system.emplace_back(LinearPoint{{point.load.begin(), point.load.begin() + static_cast<std::ptrdiff_t>(seen)}, point.normalised});
    for (std::size_t i = seen; i < bands; ++i) row.factors.back() += point.load[i];
  }
  TRY(LeastDeviations found, least_deviations(system));
  found.weights.resize(bands, found.weights.back());
  Trained trained;
  trained.load = load;
  trained.weights = std::move(found.weights);
  trained.thresholds = make_thresholds(points, trained.weights, edges);
  trained.source = std::move(source);
  trained.points = points.size();
  trained.mean_deviation = found.deviation / static_cast<double>(points.size());
  return trained;
}

}  // namespace fathom::advise
