// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "cli/simulate_modes.h"
#include "cli/simulate_page.h"
#include "cli/simulate_progress.h"
#include "cli/simulate_tables.h"
#include "ranks/ranks.h"
#include "simulation_page/sweep_data.h"

namespace fathom {
namespace {

using namespace simulate;
using Points = std::vector<SweepPoint>;

/// The ranks are copies of one program: what one writes the others read.
std::string packed(const Points& points) {
  static_assert(std::is_trivially_copyable_v<SweepPoint>);
  return {reinterpret_cast<const char*>(points.data()), points.size() * sizeof(SweepPoint)};
}

/// All points in the order of combinations, on rank 0.
Result<Points> gathered(Ranks& ranks, const Points& mine) {
  TRY(const std::vector<std::string> parts, ranks.gather(packed(mine)));
  Points all;
  for (const std::string& part : parts) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(SweepPoint));
    if (!part.empty()) std::memcpy(static_cast<void*>(all.data() + before), part.data(), part.size());
  }
  std::sort(all.begin(), all.end(), [](const SweepPoint& a, const SweepPoint& b) { return a.combination < b.combination; });
  return all;
}

}  // namespace

Result<void> simulate_sweep(const Scenario& scenario, const Work& work, const SimulateOptions& given, const OutputOptions& output,
                            Ranks& ranks) {
  TRY(const Sweep sweep, plan_sweep(scenario.architecture, given.sweep));
  SweepPart part{static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()), given.threads};
  if (part.threads == 0) part.threads = ranks.size() > 1 ? 1 : cores();
  const std::size_t all = sweep.combinations.size(), mine = (all + part.processes - 1 - part.process) / part.processes;
  SimulationProgress progress(mine + 1);
  TRY(Points points, run_sweep(sweep, scenario.original.value_or(scenario.architecture), work, part, [&] { return progress.watch(); }));
  TRY(points, gathered(ranks, points));
  if (ranks.rank() != 0) return {};
  const bool stopped = points.size() < all;
  if (is_page(output)) {
    TRY_VOID(write_what_if_page(
        simulation_page::sweep_data(comparing_heading(scenario, "Sweep of", stopped), scenario, work, sweep, points), output));
  } else {
    TRY_VOID(write_table(sweep_table(sweep, points, scenario.prices, output.format == "table"), output));
  }
  if (stopped) return stopped_by_user(fmt::format("{} of {} combinations are done", points.size(), all));
  return {};
}

}  // namespace fathom
