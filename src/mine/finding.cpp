// SPDX-License-Identifier: Apache-2.0
#include "mine/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mine/period.h"

namespace fathom::mine {
namespace {

std::string_view direction_word(const Pattern& pattern) { return pattern.direction == 0 ? "reads" : "writes"; }

std::string shown_by(const Pattern& pattern) {
  return fmt::format("{} every {} in {} of {} runs", direction_word(pattern), in_seconds(pattern.period), pattern.shown, pattern.judged);
}

std::string why_not(const Pattern& pattern, const PatternSettings& settings) {
  switch (pattern.verdict) {
    case Verdict::valid: return shown_by(pattern);
    case Verdict::rare: return fmt::format("{}: fewer than {:.0f} %", shown_by(pattern), 100 * settings.common);
    case Verdict::irregular:
      return fmt::format("{}, but {:.0f} % of the steps are even and {:.0f} % would be by chance", shown_by(pattern), 100 * pattern.steady,
                         100 * pattern.shuffled_steady);
    case Verdict::chance:
      if (pattern.elsewhere_windows == 0)
        return fmt::format("{}, but it runs all the time: nothing tells its bursts from others'", shown_by(pattern));
      return fmt::format("{}, but {:.0f} % of the time without it shows as much", shown_by(pattern), 100 * pattern.elsewhere);
    case Verdict::out_of_scope:
      return fmt::format("{}, but they go on in {} of {} stretches before and after its runs: somebody else's", shown_by(pattern),
                         pattern.scope_hits, pattern.scope_windows);
  }
  return {};
}

Finding examine_possible(const Application& application, std::span<const TimedLog> logs, const PatternSettings& settings);

}  // namespace

std::string_view state_name(ApplicationState state) {
  static constexpr std::array<std::string_view, 4> names = {"unknown", "watch list", "rejected", "validated"};
  return names[static_cast<std::size_t>(state)];
}

void describe_runs(const Application& application, Time until, Finding& finding) {
  finding.runs = application.runs.size();
  finding.runs_left_out = 0;
  finding.last_end = {};
  for (const Run& run : application.runs) {
    if (possible(run))
      finding.last_end = std::max(finding.last_end, run.end);
    else
      ++finding.runs_left_out;
  }
  finding.provisional = until == no_time || seconds(until - finding.last_end) < horizon;
}

Finding examine(const Application& application, std::span<const TimedLog> logs, Time until, const PatternSettings& settings) {
  Finding finding;
  if (std::all_of(application.runs.begin(), application.runs.end(), possible)) {
    finding = examine_possible(application, logs, settings);
    describe_runs(application, until, finding);
    return finding;
  }
  Application some{application.name, {}};
  std::copy_if(application.runs.begin(), application.runs.end(), std::back_inserter(some.runs), possible);
  finding = examine_possible(some, logs, settings);
  describe_runs(application, until, finding);
  finding.reason += fmt::format("; {} runs with times that cannot be were left out", finding.runs_left_out);
  return finding;
}

namespace {

Finding examine_possible(const Application& application, std::span<const TimedLog> logs, const PatternSettings& settings) {
  Finding finding;
  finding.name = application.name;
  std::vector<Pattern> all;
  for (const TimedLog& log : logs) {
    FoundPatterns found = find_patterns(application, log, settings);
    std::move(found.patterns.begin(), found.patterns.end(), std::back_inserter(all));
    finding.looked_around = finding.looked_around || found.looked_around;
  }
  std::stable_sort(all.begin(), all.end(), [](const Pattern& a, const Pattern& b) { return a.score > b.score; });
  const auto take = [&](auto wanted) {
    for (const Pattern& pattern : all)
      if (wanted(pattern)) finding.patterns.push_back(pattern);
    return !finding.patterns.empty();
  };
  const auto supported = [&](const Pattern& pattern) { return pattern.verdict == Verdict::valid && pattern.shown >= settings.support; };
  if (take(supported)) {
    finding.state = ApplicationState::validated;
    finding.reason = why_not(finding.patterns.front(), settings);
  } else if (take([](const Pattern& pattern) { return pattern.verdict == Verdict::valid; })) {
    finding.state = ApplicationState::watch_list;
    finding.reason = fmt::format("{}; {} are needed", why_not(finding.patterns.front(), settings), settings.support);
  } else if (take([](const Pattern& pattern) { return pattern.verdict == Verdict::chance || pattern.verdict == Verdict::out_of_scope; })) {
    finding.state = ApplicationState::rejected;
    finding.reason = why_not(finding.patterns.front(), settings);
  } else if (!all.empty()) {
    finding.reason = "best: " + why_not(all.front(), settings);
  } else {
    finding.reason = application.runs.empty() ? "no runs" : "no regular bursts in its runs";
  }
  return finding;
}

}  // namespace

}  // namespace fathom::mine
