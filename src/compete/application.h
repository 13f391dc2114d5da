// SPDX-License-Identifier: Apache-2.0
/// One of the applications that ran side by side, made ready for comparing.
#pragma once

#include <span>

#include "slices/phase.h"

namespace fathom::compete {

using slices::Direction;

struct Application {
  std::string label;  // no two have the same
  const slices::Profile* profile = nullptr;
  slices::Series series;
  slices::Phase phase;                         // of the direction that is looked at
  std::uint64_t least = 1;                     // bytes that make a process a mover
  std::vector<const slices::Process*> movers;  // processes that moved as much in that direction; the others compete for nothing
  std::vector<std::string> hosts;              // of the movers, in order, none twice
};

/// A name for each, as short as it can be: the program's; where two have the same, the directory's; else with a number.
std::vector<std::string> labels(std::span<const slices::Profile> profiles);

/// `profiles` must outlive the result. Processes that moved less than `least` in all count as idle. An error where slices have different
/// lengths.
Result<std::vector<Application>> prepare(std::span<const slices::Profile> profiles, std::span<const std::string> labels,
                                         Direction direction, std::uint64_t least = 1);

}  // namespace fathom::compete
