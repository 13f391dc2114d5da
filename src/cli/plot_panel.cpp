// SPDX-License-Identifier: Apache-2.0
#include "cli/plot_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/terminal.h"
#include "base/units.h"
#include "report/plot.h"

namespace fathom {

std::int64_t nice_step(std::int64_t duration, std::size_t width) {
  for (const std::int64_t s : {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400})
    if (duration / (s * 1'000'000) < static_cast<std::int64_t>(width)) return s * 1'000'000;
  return (duration / static_cast<std::int64_t>(width) / 86'400'000'000 + 1) * 86'400'000'000;
}

double largest(const PlotValues& all) {
  double most = 0;
  for (const auto& value : all) most = std::max(most, value.value_or(0));
  return most;
}

std::string per_second(double bytes) { return human_bytes(bytes) + "/s"; }

void plot_panel(std::string& out, const std::string& title, const PlotValues& all, double top, const std::string& top_label,
                std::size_t height) {
  out += fmt::format("\n{}\n", title);
  const auto rows = bar_plot(all, top, height);
  for (std::size_t r = 0; r < rows.size(); ++r)
    out += fmt::format("{:>{}} {}{}\n", r == 0 ? top_label : r + 1 == rows.size() ? "0" : "", plot_label_width, glyphs().axis, rows[r]);
}

void plot_line(std::string& out, const std::string& label, const PlotValues& all, double top) {
  out += fmt::format("{:>{}} {}{}\n", label, plot_label_width, glyphs().axis, bar_plot(all, top, 1).front());
}

void time_axis(std::string& out, Time from, Time to, std::size_t columns) {
  const std::string first = format_iso8601(from).substr(0, 19), last = format_iso8601(to).substr(0, 19);
  const std::size_t space = columns > first.size() + last.size() ? columns - first.size() - last.size() : 1;
  out += fmt::format("{:>{}} {}{}{}{}\n", "", plot_label_width, glyphs().corner, first, std::string(space, ' '), last);
}

}  // namespace fathom
