// SPDX-License-Identifier: Apache-2.0
/// What is known of an application after mining: its state, why, and its patterns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mine/counted.h"
#include "mine/pattern.h"

namespace fathom::mine {

enum class ApplicationState : std::uint8_t { unknown, watch_list, rejected, validated };
std::string_view state_name(ApplicationState state);

struct Finding {
  ApplicationName name;
  ApplicationState state = ApplicationState::unknown;
  std::string reason;  // one sentence with its numbers
  std::size_t runs = 0;
  std::size_t runs_left_out = 0;  // of these: they end before they start, or last longer than any job does
  Time last_end{};                // of its runs
  /// What follows could still change: the log does not yet reach `horizon` past the last run.
  bool provisional = false;
  bool looked_around = false;  // see FoundPatterns
  /// The valid patterns of a validated application and of one on the watch list; of a rejected one those that were rejected. The best
  /// first.
  std::vector<Pattern> patterns;
};

/// Fills in what all runs say, those too that do not count yet: how many there are, when the last one ended. `until` is where the logs end;
/// no_time: there are none.
void describe_runs(const Application& application, Time until, Finding& finding);

/// A function of the application's runs that count (see counted.h) and of the logs within `horizon` of them, up to the end of the last one
/// where not all count, and of nothing else but what `describe_runs` says; if `looked_around` is false in what it returns, of the logs
/// within the runs. `until` is where the logs end; no_time: there are none.
Finding examine(const Application& application, std::span<const TimedLog> logs, Time until, const PatternSettings& settings);

}  // namespace fathom::mine
