// SPDX-License-Identifier: Apache-2.0
#include "cli/competition_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/terminal.h"
#include "base/time.h"
#include "base/units.h"
#include "report/plot.h"

namespace fathom {
namespace {

constexpr std::size_t columns = 64, most_lines = 20, most_label = 16;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Cut to at most `most_label` characters, never within one, and filled up on the left.
std::string label(const std::string& name) {
  std::size_t end = 0, seen = 0;
  for (; end < name.size(); ++end)
    if ((static_cast<unsigned char>(name[end]) & 0xc0) != 0x80 && seen++ == most_label) break;
  const std::string cut = name.substr(0, end);
  return std::string(most_label - std::min(most_label, characters(cut)), ' ') + cut;
}

/// Mean share in each column of `width` seconds, the first of which begins at `begin` (since the course's origin).
std::vector<std::optional<double>> shares_over_time(std::span<const sharing::Segment> segments, std::uint64_t weight, double begin,
                                                    double width) {
  std::vector<std::optional<double>> shares(columns, 0.0);
  for (const sharing::Segment& segment : segments) {
    const auto last = static_cast<double>(columns - 1);
    const auto from = static_cast<std::size_t>(std::clamp((segment.begin - begin) / width, 0.0, last));
    const auto to = static_cast<std::size_t>(std::clamp((segment.end - begin) / width, 0.0, last));
    for (std::size_t c = from; c <= to; ++c) {
      const double left = begin + static_cast<double>(c) * width;
      const double covered = std::min(segment.end, left + width) - std::max(segment.begin, left);
      if (covered > 0) *shares[c] += segment.share(weight) * covered / width;
    }
  }
  return shares;
}

}  // namespace

std::string seconds_text(double seconds) {
  if (std::abs(seconds) >= 1e9 || (std::abs(seconds) < 1e-4 && seconds != 0)) return fmt::format("{:.3g} s", seconds);
  return (seconds < 0 ? "-" : "") + human_duration(Duration{std::llround(std::abs(seconds) * 1e6)});
}

std::string difference_text(double seconds) { return (seconds > 0 ? "+" : "") + seconds_text(seconds); }

std::string signed_percent(double fraction) { return (fraction > 0 ? "+" : "") + human_percent(fraction); }

std::string moment_text(double seconds) {
  const bool unix_time = seconds >= 1e8 && seconds < 1e11;
  return unix_time ? format_iso8601(time_from_micros(std::llround(seconds) * 1'000'000)) : seconds_text(seconds);
}

std::string share_drawing(const sharing::Scenario& scenario, const sharing::Course& course, double begin, double end) {
  const double width = (end - begin) / static_cast<double>(columns);
  if (!(width > 0)) return {};
  std::string out;
  for (std::size_t i = 0; i < std::min(most_lines, scenario.applications.size()); ++i) {
    const auto shares = shares_over_time(course.segments_of(i), scenario.weight(scenario.applications[i]), begin - course.origin, width);
    out += fmt::format("{0} {1}{2}{1}\n", label(scenario.applications[i].name), glyphs().axis, bar_plot(shares, 1, 1).front());
  }
  const std::string last = seconds_text(end - begin);
  out += fmt::format("{} {}0 s{}{}\n", std::string(most_label, ' '), glyphs().corner,
                     std::string(columns - 2 - std::min(columns - 2, last.size()), ' '), last);
  if (scenario.applications.size() > most_lines)
    out += fmt::format("... and {} more\n", human_count(scenario.applications.size() - most_lines));
  return out;
}

}  // namespace fathom
