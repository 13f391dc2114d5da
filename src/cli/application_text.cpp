// SPDX-License-Identifier: Apache-2.0
#include "cli/application_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/terminal.h"
#include "base/units.h"
#include "mine/period.h"
#include "mine/timed_log.h"

namespace fathom {
namespace {

constexpr std::size_t plot_width = 72, plot_height = 14, most_runs = 16;
constexpr std::string_view marks = "123456789";  // of patterns; other bursts are dots

std::string rate(double bytes) { return human_bytes(bytes) + "/s"; }
std::string about_seconds(double s) {
  const std::string text = in_seconds(s);
  return s >= 600 ? fmt::format("{} ({})", text, human_duration(Duration{static_cast<std::int64_t>(std::round(s)) * 1'000'000})) : text;
}

std::string facts_of(const mine::Pattern& p, std::size_t number) {
  std::string text = fmt::format("pattern {}: {} {}\n", number, p.direction == 0 ? "reads from" : "writes to",
                                 p.filesystem.empty() ? "all file systems" : p.filesystem);
  const auto line = [&](std::string_view name, const std::string& value) { text += fmt::format("  {:<12} {}\n", name, value); };
  line("period", fmt::format("{} {} {}; from burst to burst it varies by {}", about_seconds(p.period), glyphs().plus_minus,
                             in_seconds(p.period_error, 2), human_percent(p.jitter)));
  line("burst", fmt::format("{} in {}, {} on average, {} at its height", human_bytes(p.burst_bytes), about_seconds(p.burst_s),
                            rate(p.throughput), rate(p.peak)));
  line("", fmt::format("{} before the traffic of servers without a part in it was left out", human_bytes(p.coarse_bytes)));
  line("footprint", fmt::format("{:.1f} servers", p.footprint));
  line("I/O share", fmt::format("{:.3f} s of I/O for every second without", p.io_share));
  line("seen", fmt::format("in {} of {} runs that are long enough ({}), {} bursts, {} to {}", p.shown, p.judged, human_percent(p.support()),
                           human_count(p.bursts), format_iso8601(p.first_seen), format_iso8601(p.last_seen)));
  line("confidence", fmt::format("{:.{}f} %", 100 * p.confidence, p.confidence > 0.99 ? 2 : p.confidence > 0.9 ? 1 : 0));
  line("evidence", fmt::format("{} of its steps are even, {} would be by chance (p = 10^{:.1f})", human_percent(p.steady),
                               human_percent(p.shuffled_steady), p.log10_disorder));
  line("", fmt::format("{} of the time around its runs shows the same (p = 10^{:.1f})", human_percent(p.elsewhere), p.log10_chance));
  line("", fmt::format("it goes on in {} of {} stretches before and after its runs", p.scope_hits, p.scope_windows));
  return text;
}

/// Which pattern has a burst of a log, by number; 0: none.
std::map<std::uint32_t, std::size_t> owners(const mine::Dossier& dossier, const mine::BurstLog& log) {
  std::map<std::uint32_t, std::size_t> of;
  for (std::size_t p = 0; p < dossier.finding.patterns.size(); ++p) {
    if (&dossier.log_of(dossier.finding.patterns[p]) != &log) continue;
    for (const mine::Sighting& sighting : dossier.finding.patterns[p].sightings)
      if (sighting.shown)
        for (const std::uint32_t burst : sighting.bursts) of.emplace(burst, p + 1);
  }
  return of;
}

char mark_of(std::size_t pattern) { return pattern == 0 ? '.' : pattern <= marks.size() ? marks[pattern - 1] : '*'; }

/// AID's Fig. 4: bursts in all runs by height and area, on log scales.
std::string scatter(const mine::Dossier& dossier, const mine::BurstLog& log) {
  const auto owner = owners(dossier, log);
  const mine::TimedLog timed(log);
  std::map<std::uint32_t, std::size_t> shown;
  for (const mine::Run& run : dossier.application.runs) {
    const auto [first, last] = timed.within(seconds(run.start.time_since_epoch()), seconds(run.end.time_since_epoch()));
    for (std::uint32_t i = first; i < last; ++i)
      if (log.bursts[i].height > 0 && log.bursts[i].area > 0) shown[i] = owner.contains(i) ? owner.at(i) : 0;
  }
  if (shown.empty()) return "";
  double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
  for (const auto& [burst, pattern] : shown) {
    const double values[2] = {log.bursts[burst].area, log.bursts[burst].height};
    for (int axis = 0; axis < 2; ++axis) least[axis] = std::min(least[axis], values[axis]), most[axis] = std::max(most[axis], values[axis]);
  }
  const auto place = [&](int axis, double value, std::size_t cells) {
    const double span = std::log(most[axis] / least[axis]);
    return span <= 0 ? 0 : std::min(cells - 1, static_cast<std::size_t>(std::log(value / least[axis]) / span * static_cast<double>(cells)));
  };
  std::vector<std::string> rows(plot_height, std::string(plot_width, ' '));
  for (const bool patterns : {false, true})  // over the others
    for (const auto& [burst, pattern] : shown)
      if ((pattern > 0) == patterns)
        rows[plot_height - 1 - place(1, log.bursts[burst].height, plot_height)][place(0, log.bursts[burst].area, plot_width)] =
            mark_of(pattern);
  std::string text = fmt::format("bursts of {} in its runs: height over area, log scales; digits: patterns, dots: others'\n",
                                 log.direction == 0 ? "reads" : "writes");
  for (std::size_t r = 0; r < rows.size(); ++r)
    text += fmt::format("{:>12} {}{}\n", r == 0 ? rate(most[1]) : r + 1 == rows.size() ? rate(least[1]) : "", glyphs().axis, rows[r]);
  const std::string from = human_bytes(least[0]), to = human_bytes(most[0]);
  return text + fmt::format("{:>12} {}{}{:>{}}\n", "", glyphs().corner, from, to, plot_width - from.size());
}

/// AID's Fig. 5: bursts of each run on its own clock.
std::string runs_over_time(const mine::Dossier& dossier, const mine::BurstLog& log) {
  const auto owner = owners(dossier, log);
  const mine::TimedLog timed(log);
  const auto& runs = dossier.application.runs;
  double longest = 0;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < std::min(runs.size(), most_runs); ++k) chosen.push_back(k * runs.size() / std::min(runs.size(), most_runs));
  for (const std::size_t r : chosen) longest = std::max(longest, seconds(runs[r].end - runs[r].start));
  std::string text = fmt::format("{} of {} runs, {} a column\n", chosen.size(), runs.size(), in_seconds(longest / plot_width));
  for (const std::size_t r : chosen) {
    const double start = seconds(runs[r].start.time_since_epoch()), end = seconds(runs[r].end.time_since_epoch());
    const auto cells = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((end - start) / longest * plot_width)));
    std::vector<char> strip(cells, ' ');
    const auto [first, last] = timed.within(start, end);
    for (std::uint32_t i = first; i < last; ++i) {
      char& cell = strip[std::min(cells - 1, static_cast<std::size_t>((timed.start(i) - start) / longest * plot_width))];
      const char mark = mark_of(owner.contains(i) ? owner.at(i) : 0);
      if (cell == ' ' || cell == '.') cell = mark;
    }
    text += fmt::format("{0:>12} {1} {2}{3}{2}\n", runs[r].job.substr(0, 12), format_iso8601(runs[r].start).substr(0, 16), glyphs().axis,
                        std::string(strip.begin(), strip.end()));
  }
  return text;
}

}  // namespace

std::string application_text(const mine::Dossier& dossier) {
  const mine::Finding& finding = dossier.finding;
  std::string text = fmt::format("{}/{}/{}: {}{}\n{}\n", finding.name.user, finding.name.name, finding.name.nodes,
                                 state_name(finding.state), finding.provisional ? " (provisional)" : "", finding.reason);
  std::vector<const mine::BurstLog*> logs;
  for (std::size_t p = 0; p < finding.patterns.size(); ++p) {
    text += "\n" + facts_of(finding.patterns[p], p + 1);
    const mine::BurstLog* log = &dossier.log_of(finding.patterns[p]);
    if (std::find(logs.begin(), logs.end(), log) == logs.end()) logs.push_back(log);
  }
  for (const mine::BurstLog* log : logs) text += "\n" + scatter(dossier, *log) + "\n" + runs_over_time(dossier, *log);
  return text;
}

}  // namespace fathom
