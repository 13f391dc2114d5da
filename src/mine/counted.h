// SPDX-License-Identifier: Apache-2.0
/// Which runs of an application are looked at: all of few, of many those that ended before the last round number.
#pragma once

#include <cstddef>
#include <vector>

#include "mine/application.h"

namespace fathom::mine {

/// A clock that jumped, or an end that nobody wrote down, makes runs that cannot be: they are left out, and sightings number the others.
bool possible(const Run& run);

/// Of so many runs as many count: all of twenty, then 22, 24, 27, 30, 33, 37 and so on, an eighth more each time. A hundred runs are hardly
/// known better than ninety, but to look at all of them after every new one would take most of the time of a new day.
std::size_t counted_of(std::size_t runs);

inline constexpr Time no_limit = Time::max();

/// Runs that end later do not count yet, and no later time is looked at; `no_limit` where all runs count. It depends on the possible runs
/// alone, and a run that ends later than it changes it only when the next round number is reached.
Time counted_until(const std::vector<Run>& runs);

}  // namespace fathom::mine
