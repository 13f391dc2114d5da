// SPDX-License-Identifier: Apache-2.0
/// What went over a link, interval by interval, in one direction: the load of each external link, and of the disk link that all share.
#pragma once

#include <string>
#include <vector>

#include "simulate/work.h"

namespace fathom::fit {

struct LoadInterval {
  simulate::Picoseconds start = 0, end = 0;
  std::uint64_t bytes = 0;
  bool follows = false;             // begins where the interval before it ends
  bool exact = true;                // all its increments are as long as itself
  std::size_t first = 0, last = 0;  // its increments: LinkLoad::parts from `first` to before `last`
  double rate() const { return static_cast<double>(bytes) / simulate::in_seconds(end - start); }
};

struct LinkLoad {
  std::string name;                            // of the server; empty: all of them
  std::vector<LoadInterval> intervals;         // in order of time
  std::vector<simulate::WorkIncrement> parts;  // amounts of this direction only
};

/// Of each server, its file systems together.
std::vector<LinkLoad> external_link_loads(const simulate::Work& work, simulate::Kind kind);

/// Of all servers together. One load where they are sampled at the same times; otherwise several, which differ in how many steps make an
/// interval.
std::vector<LinkLoad> disk_link_loads(const simulate::Work& work, simulate::Kind kind);

// Increments with the same interval are added. Where intervals of several series overlap without being the same, those that end within the
// same sampling step are one interval, which spans them all: it is longer than the step, so that its rate is never above what the link
// carried. Over several steps the difference matters less. Increments of gaps are then left out.

}  // namespace fathom::fit
