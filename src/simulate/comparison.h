// SPDX-License-Identifier: Apache-2.0
/// The same work on two architectures: I/O time and run time of jobs and I/O nodes, and the statistics of Tables 5.2 and 5.3 of the
/// dissertation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulate/engine.h"

namespace fathom::simulate {

struct Pair {
  Picoseconds changed = 0, original = 0;
  /// Nothing when there was none.
  std::optional<double> ratio() const {
    return original > 0 ? std::optional(static_cast<double>(changed) / static_cast<double>(original)) : std::nullopt;
  }
};

struct JobComparison {
  std::size_t job = 0;  // of the work
  Pair io_time;         // the longest of its I/O nodes
  Pair run_time;
  bool finished = true;  // false only where a run was stopped before its end: then the times mean nothing
};

struct Comparison {
  Outcome changed;
  bool stopped = false;
  std::vector<Pair> node_io_time;
  std::vector<JobComparison> jobs;  // in the order of the work
};

/// Runs the work on `original`, then on `architecture` with computation kept. Without an original, once, and everything is compared with
/// itself.
Result<Comparison> compare(const Architecture& architecture, const std::optional<Architecture>& original, const Work& work,
                           const CompletionSink& sink = {}, const Watch& watch = {});

/// The same with the outcome on the original architecture at hand.
Result<Comparison> compare_with(const Outcome& original, const Architecture& architecture, const Work& work,
                                const CompletionSink& sink = {}, const Watch& watch = {});

struct RatioStatistics {
  std::size_t count = 0;
  double average = 0, maximum = 0, median = 0;
  std::optional<double> standard_deviation;  // of a sample: n - 1
  double share_above = 0;                    // of ratios above 1.1
};

inline constexpr double notable_ratio = 1.1;

/// Nothing for no ratios.
std::optional<RatioStatistics> statistics(std::vector<double> ratios);

/// The ratios of all jobs that are finished and have one.
std::vector<double> ratios_of(const Comparison& found, Pair JobComparison::*times);

}  // namespace fathom::simulate
