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
  bool follows = false;               // begins where the interval before it ends
  std::size_t first = 0, last = 0;    // its increments: LinkLoad::parts from `first` to before `last`
  double rate() const { return static_cast<double>(bytes) / simulate::in_seconds(end - start); }
};

struct LinkLoad {
  std::string name;                             // of the server; empty: all of them
  std::vector<LoadInterval> intervals;          // in order of time
  std::vector<simulate::WorkIncrement> parts;   // amounts of this direction only
  bool aligned = true;                          // every interval is as long as its increments
};

/// Of each server. Series of file systems with the same intervals are added; others stay apart, each a load of its own (a bound all the same).
std::vector<LinkLoad> external_link_loads(const simulate::Work& work, simulate::Kind kind);

/// Of all servers together: increments that end within half a sampling step of each other, as one interval that spans them all. Where
/// servers are not sampled at the same time it is longer than the step, so that its rate is never above what the link carried.
LinkLoad disk_link_load(const simulate::Work& work, simulate::Kind kind);

}  // namespace fathom::fit
