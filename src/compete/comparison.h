// SPDX-License-Identifier: Apache-2.0
/// Applications that ran side by side: overlap, what each got overall and in it, how evenly, and by which rule (LWM2, section 4).
#pragma once

#include <optional>

#include "compete/fairness.h"

namespace fathom::compete {

struct Options {
  Direction direction = Direction::write;
  bool trim = false;  // overall numbers without start-up and ending
};

/// One application in the comparison. Throughputs in bytes per second, nothing where there was no time.
struct Contender {
  std::string label;
  std::size_t processes = 0, movers = 0, nodes = 0;  // nodes: of the movers
  std::int64_t start = 0, end = 0;                   // nanoseconds; with trim those of the I/O phase
  slices::Phase phase;
  std::uint64_t bytes = 0, overlap_bytes = 0;          // from start to end; in the active overlap
  std::optional<double> overall, overlap;              // throughput
  std::optional<double> overall_ratio, overlap_ratio;  // to the first application
  std::optional<double> spread;                        // of the bytes of its movers in the active overlap
};

struct Comparison {
  std::int64_t slice_length = 0;
  std::vector<Contender> contenders;
  std::vector<Stretch> together;
  ActiveOverlap active;
  std::optional<double> spread;  // all movers of all applications
  Fairness fairness;
  std::vector<std::string> notices;
};

/// Standard deviation (of a whole population) / mean; nothing if there is no mean above zero.
std::optional<double> relative_deviation(std::span<const double> values);

Comparison compare(std::span<const Application> applications, const Options& options);

/// Two of more than two, by their places.
struct Pair {
  std::size_t a = 0, b = 0;
  Comparison comparison;
};
std::vector<Pair> pairs(std::span<const Application> applications, const Options& options);

}  // namespace fathom::compete
