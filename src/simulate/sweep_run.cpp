// SPDX-License-Identifier: Apache-2.0
#include "simulate/sweep_run.h"

#include "base/parallel.h"

namespace fathom::simulate {

Result<std::vector<SweepPoint>> run_sweep(const Sweep& sweep, const Architecture& original, const Work& work, const SweepPart& part,
                                          const std::function<Watch()>& watch_run, const std::function<bool()>& stop) {
  std::vector<std::size_t> mine;
  for (std::size_t i = part.process; i < sweep.combinations.size(); i += part.processes) mine.push_back(i);
  if (mine.empty()) return std::vector<SweepPoint>{};
  const auto watch = [&] { return watch_run ? watch_run() : Watch(); };
  TRY(const Outcome first, run(original, work, nullptr, {}, watch()));
  if (first.stopped) return std::vector<SweepPoint>{};
  std::vector<std::optional<SweepPoint>> points(mine.size());
  TRY_VOID(in_parallel(mine.size(), part.threads, [&](unsigned, std::size_t i) -> Result<void> {
    if (stop && stop()) return {};
    TRY(const Comparison found, compare_with(first, sweep.architecture(mine[i]), work, {}, watch()));
    if (!found.stopped)
      points[i] = {mine[i], statistics(ratios_of(found, &JobComparison::io_time)), statistics(ratios_of(found, &JobComparison::run_time)),
                   buffered(sweep.architecture(mine[i]), work, found.changed)};
    return {};
  }));
  std::vector<SweepPoint> done;
  for (const auto& point : points)
    if (point) done.push_back(*point);
  return done;
}

std::vector<Offer> offers(const Sweep& sweep, const std::vector<SweepPoint>& points, const Prices& prices,
                          std::optional<RatioStatistics> SweepPoint::*ratio) {
  std::vector<Offer> all;
  for (const SweepPoint& point : points) {
    const auto& of_jobs = point.*ratio;
    all.push_back({cost(prices, sweep.architecture(point.combination), point.buffered.io_nodes),
                   of_jobs ? std::optional(of_jobs->average) : std::nullopt});
  }
  return all;
}

}  // namespace fathom::simulate
