// SPDX-License-Identifier: Apache-2.0
/// The chain of events that follow each other most regularly among others that have nothing to do with them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fathom {

struct Chain {
  double period = 0;
  double score = 0;                   // logarithm of how much better the chain explains its events than chance does
  std::vector<std::uint32_t> events;  // indexes, in order of time
  std::vector<std::int64_t> numbers;  // which multiple of the period each of them is, from 0: a missing event leaves a number out
};

struct ChainLimits {
  double shortest = 0, longest = 0;  // periods looked at
  double resolution = 0;             // how exactly times are known: the step of the grid
};

/// How often events are how far apart, of one series or of many: which periods are worth a try.
class LagCounts {
 public:
  explicit LagCounts(const ChainLimits& limits);
  /// Pairs among 32 neighbours; `times` ascending.
  void add(std::span<const double> times);
  /// Lags that occur more often than they would by chance, by so many standard deviations at least; the most remarkable first.
  std::vector<double> frequent(double least_excess = -std::numeric_limits<double>::infinity()) const;

 private:
  ChainLimits limits_;
  double lowest_ = 0;
  std::vector<double> counts_;   // one class more at each end
  double pairs_per_second_ = 0;  // expected, of events at random
};

/// How a chain of one period is linked.
struct LinkRule {
  double period = 0;
  double spread = 0;      // what a step varies by, as a part of the period
  double resolution = 0;  // how exactly times are known
  /// Events per period that are there by chance, at most: a chain that is looked for in particular is not given up because there are many
  /// others.
  double most_foreign = std::numeric_limits<double>::infinity();
};

/// Finds the best chain of one period again and again; keeps its memory.
class ChainLinker {
 public:
  /// The score of the best chain. Looks at 32 neighbours of each event at most. `delays`, where there are any, say how much later than
  /// usual each event ended: work that waits for it goes on so much later.
  double link(std::span<const double> times, const LinkRule& rule, std::span<const double> delays = {});
  /// The chain that the last link() found.
  Chain chain() const;

 private:
  static constexpr int most_steps = 4;  // three events in a row may be missing
  void prepare(const LinkRule& rule);
  void consider(std::size_t i, std::size_t j, double lag);

  std::span<const double> times_, delays_;
  std::vector<double> best_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> steps_;
  std::array<double, most_steps + 1> gains_{}, variances_{};
  double period_ = 0, per_period_ = 0, nearest_ = 0, farthest_ = 0, longest_delay_ = 0, score_ = 0;
  std::size_t last_ = 0;
};

/// What steps vary by: steady work, and work with a drift.
inline constexpr std::array<double, 2> chain_spreads = {0.03, 0.09};

/// `times` ascending. Two events are linked if they are k periods apart, k from 1 to 4, with a deviation like that of work whose steps
/// vary; the gain of a link is
///   ln( (1 - m) m^(k - 1) N(deviation; sigma sqrt k) / rate ),
/// the likelihood of the link against that of events at random at their mean rate, with m the chance that an event is missing. The best
/// chain follows from the best chains of the events before (dynamic programming); regularity counts from event to event, so the period may
/// drift. Looks at 32 neighbours of each event at most: linear in the number of events. Empty for less than four events.
Chain best_chain(std::span<const double> times, const ChainLimits& limits);

}  // namespace fathom
