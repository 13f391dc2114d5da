// SPDX-License-Identifier: Apache-2.0
/// A log of bursts as mining asks for it: by time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mine/burst_log.h"

namespace fathom::mine {

/// A log with times in seconds, and how much of any stretch was measured.
class TimedLog {
 public:
  explicit TimedLog(const BurstLog& log);

  const BurstLog& log() const { return log_; }
  double step() const { return step_; }
  double start(std::size_t burst) const { return starts_[burst]; }
  double length(std::size_t burst) const { return lengths_[burst]; }
  /// Bursts that start in [from, to): [first, second).
  std::pair<std::uint32_t, std::uint32_t> within(double from, double to) const;
  /// Seconds of [from, to) in which bursts could be seen.
  double seen(double from, double to) const;
  /// The first and the last moment of [from, to) in which bursts could be seen; equal where there is none.
  std::pair<double, double> reach(double from, double to) const;

 private:
  const BurstLog& log_;
  double step_;
  std::vector<double> starts_, lengths_;
  std::vector<double> stretch_from_, stretch_to_, seen_before_;
};

}  // namespace fathom::mine
