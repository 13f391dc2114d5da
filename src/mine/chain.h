// SPDX-License-Identifier: Apache-2.0
/// The chain of events that follow each other most regularly among others that have nothing to do with them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

struct Chain {
  double period = 0;
  double score = 0;                     // logarithm of how much better the chain explains its events than chance does
  std::vector<std::uint32_t> events;    // indexes, in order of time
  std::vector<std::int64_t> numbers;    // which multiple of the period each of them is, from 0: a missing event leaves a number out
};

struct ChainLimits {
  double shortest = 0, longest = 0;  // periods looked at
  double resolution = 0;             // how exactly times are known: the step of the grid
};

/// `times` ascending. Two events are linked if they are k periods apart, k from 1 to 4, with a deviation like that of work whose steps vary; the gain of a link is
///   ln( (1 - m) m^(k - 1) N(deviation; sigma sqrt k) / rate ),
/// the likelihood of the link against that of events at random at their mean rate, with m the chance that an event is missing. The best chain follows from the best
/// chains of the events before (dynamic programming); regularity counts from event to event, so the period may drift. Looks at 32 neighbours of
/// each event at most: linear in the number of events. Empty for less than four events.
Chain best_chain(std::span<const double> times, const ChainLimits& limits);

}  // namespace fathom
