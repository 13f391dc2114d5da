// SPDX-License-Identifier: Apache-2.0
/// What is known of an application after mining: its state, why, and its patterns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mine/pattern.h"

namespace fathom::mine {

enum class ApplicationState : std::uint8_t { unknown, watch_list, rejected, validated };
std::string_view state_name(ApplicationState state);

struct Finding {
  ApplicationName name;
  ApplicationState state = ApplicationState::unknown;
  std::string reason;             // one sentence with its numbers
  std::size_t runs = 0;
  std::size_t runs_left_out = 0;  // of these: they end before they start, or last longer than any job does
  Time last_end{};                // of its runs
  /// What follows could still change: the log does not yet reach `horizon` past the last run.
  bool provisional = false;
  /// The valid patterns of a validated application and of one on the watch list; of a rejected one those that were rejected. The best first.
  std::vector<Pattern> patterns;
};

/// A clock that jumped, or an end that nobody wrote down, makes runs that cannot be: they are left out, and sightings number the others.
bool possible(const Run& run);

/// A function of the application's runs and of the logs within `horizon` of them, and of nothing else. `until` is where the logs end.
Finding examine(const Application& application, std::span<const TimedLog> logs, Time until, const PatternSettings& settings);

/// How much speaks for the pattern being the application's, 0 to 1. Not calibrated: docs/mining.md says how often it is right.
double confidence_of(const Pattern& pattern);

}  // namespace fathom::mine
