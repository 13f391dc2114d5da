// SPDX-License-Identifier: Apache-2.0
/// Looks for a pattern of known period and size in stretches of a log of bursts.
#pragma once

#include <span>
#include <vector>

#include "mine/chain.h"
#include "mine/pattern.h"
#include "mine/timed_log.h"

namespace fathom::mine {

/// From one burst of a pattern to the next that was seen, some periods later.
struct Step {
  double seconds = 0, periods = 1;
};

class Lookout {
 public:
  Lookout(const TimedLog& log, const PatternSettings& settings) : log_(log), settings_(settings) {}

  /// True if a stretch of so many measured seconds is long enough to show a pattern.
  bool can_show(double seconds, double period) const { return seconds >= (static_cast<double>(settings_.least_bursts) + 0.2) * period; }
  /// A burst that took longer than usual because others were in its way delays those after it: programs compute for the same time in
  /// between. Among all bursts of the region that start in [from, to).
  Sighting look(double from, double to, double period, double spread, double usual_length, const BurstRegion& region);
  /// Among these bursts alone (in order of time); with a region some must be typical.
  Sighting look_at(std::span<const std::uint32_t> bursts, double from, double to, double period, double spread, double usual_length,
                   const BurstRegion* region = nullptr);

  /// If these times alone show it, the steps between them.
  void add_steps(std::span<const double> times, double from, double to, double period, double spread, std::vector<Step>& steps);

 private:
  bool shows(const Chain& chain, std::span<const double> times, double from, double to) const;

  const TimedLog& log_;
  const PatternSettings& settings_;
  ChainLinker linker_;
  std::vector<double> times_, delays_;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace fathom::mine
