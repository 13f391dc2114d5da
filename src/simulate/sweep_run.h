// SPDX-License-Identifier: Apache-2.0
/// Runs the combinations of a sweep, each against the same original, on several threads and in parts for several processes.
#pragma once

#include "simulate/comparison.h"
#include "simulate/cost.h"
#include "simulate/pareto.h"
#include "simulate/sweep.h"

namespace fathom::simulate {

/// What one combination gave. It is plain bytes, so that processes can hand it to each other.
struct SweepPoint {
  std::size_t combination = 0;
  std::optional<RatioStatistics> io_ratio, run_ratio;
  Buffered buffered;
};

/// One of several processes that share a sweep takes every `processes`-th combination.
struct SweepPart {
  std::size_t process = 0, processes = 1;
  unsigned threads = 1;
};

/// In the order of combinations; those that were stopped are missing. `watch_run` makes the watch of each run; `stop` is asked before each
/// combination, since short runs tell nobody before their end. Every process runs the original by itself: the others would wait for it.
Result<std::vector<SweepPoint>> run_sweep(const Sweep& sweep, const Architecture& original, const Work& work, const SweepPart& part,
                                          const std::function<Watch()>& watch_run = {}, const std::function<bool()>& stop = {});

/// What each costs, and by how much it slows jobs down on average.
std::vector<Offer> offers(const Sweep& sweep, const std::vector<SweepPoint>& points, const Prices& prices,
                          std::optional<RatioStatistics> SweepPoint::*ratio);

}  // namespace fathom::simulate
