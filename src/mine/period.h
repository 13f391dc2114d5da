// SPDX-License-Identifier: Apache-2.0
/// Periodicity as a claim with evidence: a period, how sure it is, and what each method says; 'not periodic' is an answer too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mine/bursts.h"

namespace fathom {

struct PeriodOptions {
  double significance = 0.01;        // a claim needs a p-value of at most this
  unsigned shuffles = 199;           // random series that the claim is held against
  double least_seen = 0.5;           // of the expected bursts
  double shortest = 0, longest = 0;  // seconds; 0: twice the step, a third of the time
  std::uint64_t seed = 1;
};

struct PeriodClaim {
  bool periodic = false;
  double period = 0;          // seconds; that of the best chain of bursts, also where it is not claimed; 0: there is none
  double standard_error = 0;  // seconds
  double p_value = 1;         // chance that bursts at random give a chain as good
  double seen = 0;            // share of the bursts expected between the chain's first and last
  double span = 0;            // share of the time between those two
  double phase = 0;           // seconds of a moment at which the pattern begins, in the scale of the times given
  std::size_t bursts = 0, in_chain = 0;
  std::optional<double> by_correlation, by_spectrum;  // periods in seconds that other methods see
  double correlation = 0, power_share = 0;            // and how strongly
  unsigned agreeing = 0;                              // of these two, how many are within 5 %
  std::vector<std::uint32_t> chain;                   // the bursts that make the pattern
  std::string evidence;                               // in words

  double confidence() const { return 1 - p_value; }
};

/// From the times of bursts (ascending, seconds) that were looked for in [from, to] on a grid of `step`. `signal`, where there is one, is
/// that grid's traffic: autocorrelation and spectrum are taken from it, else from the bursts alone.
PeriodClaim find_period(std::span<const double> times, double from, double to, double step, const PeriodOptions& options = {},
                        std::span<const double> signal = {});

/// Looks for bursts first; seconds count from the series' start.
Result<PeriodClaim> find_period(const TrafficSeries& series, const BurstOptions& bursts, const PeriodOptions& options = {});

/// A length of time as people read it: 241.3 s, or 86400 s where whole seconds have more digits; never an exponent.
std::string in_seconds(double length, int digits = 4);

/// One random series of the test: the gaps of `times` in another order, each stretched or shrunk by a factor of its own, e^(`stretch` z).
/// How dense bursts are and how they come in groups stays, regularity goes.
std::vector<double> shuffled(std::span<const double> times, std::uint64_t seed, std::uint64_t number, double stretch = 0.5);

}  // namespace fathom
