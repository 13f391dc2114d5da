// SPDX-License-Identifier: Apache-2.0
/// What the log shows of a pattern when the application does not run: elsewhere in time, and right before and after its runs.
#pragma once

#include <utility>
#include <vector>

#include "mine/counted.h"
#include "mine/sightings.h"

namespace fathom::mine {

/// Times at which any of an application's runs is under way. Of later times than `until` nothing is known: they are no time without the
/// application.
class RunTimes {
 public:
  explicit RunTimes(const std::vector<Run>& runs, Time until = no_limit);
  bool any(double from, double to) const;
  double until() const { return until_; }
  /// From the first run to the last: the time between them in which none is under way.
  std::vector<std::pair<double, double>> breaks() const;

 private:
  double until_;
  std::vector<double> from_, to_;  // apart, in order
};

/// Stretches as long as the runs, at times within `horizon` of them when the application does not run. Other jobs' bursts are the noise:
/// how often such stretches show the pattern is how often it is shown by chance. An application that hardly ever stops leaves few of them;
/// then stretches of five periods in the breaks between its runs are asked too. Fills in elsewhere, elsewhere_windows and log10_chance.
void compare_elsewhere(const Application& application, const RunTimes& busy, const TimedLog& log, const PatternSettings& settings,
                       Lookout& lookout, Pattern& pattern);

/// Is it a rhythm, or only many bursts? Bursts of the pattern's size in each run with their gaps shuffled and stretched (see `shuffled`)
/// make patterns too; how many of their steps are as even tells. Fills in jitter, steady, shuffled_steady, log10_disorder.
void compare_shuffled(const Application& application, const TimedLog& log, Lookout& lookout, const std::vector<Step>& steps,
                      Pattern& pattern);

/// Does the pattern go on beyond the runs that show it? Windows that overlap another run or are not in the log do not count. Fills in
/// scope_windows and scope_hits.
void check_scope(const Application& application, const RunTimes& busy, const TimedLog& log, const PatternSettings& settings,
                 Pattern& pattern);

}  // namespace fathom::mine
