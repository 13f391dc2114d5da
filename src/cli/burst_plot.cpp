// SPDX-License-Identifier: Apache-2.0
#include "cli/burst_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/terminal.h"
#include "base/units.h"
#include "mine/period.h"
#include "report/plot.h"

namespace fathom {

std::string burst_plot(const TrafficSeries& series, std::span<const Burst> marked, std::size_t width) {
  constexpr std::size_t label_width = 12;
  const std::size_t columns = std::min(series.size(), width - label_width - 2);
  if (columns == 0) return "";
  const auto column_of = [&](std::size_t slot) { return slot * columns / series.size(); };
  std::vector<double> sums(columns, 0);
  std::vector<std::size_t> counts(columns, 0);
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!series.known(i)) continue;
    sums[column_of(i)] += series.amounts[i] / seconds(series.step);
    ++counts[column_of(i)];
  }
  std::vector<std::optional<double>> values(columns);
  double top = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    if (counts[c] == 0) continue;
    values[c] = std::max(sums[c] / static_cast<double>(counts[c]), 0.0);
    top = std::max(top, *values[c]);
  }
  std::vector<std::uint8_t> burst(columns, 0);
  for (const Burst& each : marked)
    for (std::size_t c = column_of(each.first_slot); c <= column_of(std::min(each.last_slot, series.size() - 1)); ++c) burst[c] = 1;
  std::string strip;
  for (const std::uint8_t each : burst) strip += each != 0 ? glyphs().mark : std::string_view(" ");

  const auto slots = static_cast<double>(series.size()) / static_cast<double>(columns);
  std::string out =
      fmt::format("traffic over time, {} a column, mean of each; {} bursts\n", in_seconds(slots * seconds(series.step)), glyphs().mark);
  const auto rows = bar_plot(values, top, 6);
  for (std::size_t r = 0; r < rows.size(); ++r)
    out += fmt::format("{:>{}} {}{}\n",
                       r == 0                 ? human_bytes(top) + "/s"
                       : r + 1 == rows.size() ? "0"
                                              : "",
                       label_width, glyphs().axis, rows[r]);
  out += fmt::format("{:>{}} {}{}\n", "bursts", label_width, glyphs().axis, strip);
  const std::string first = format_iso8601(series.start).substr(0, 19), last = format_iso8601(series.end()).substr(0, 19);
  const std::size_t space = columns > first.size() + last.size() ? columns - first.size() - last.size() : 1;
  return out + fmt::format("{:>{}} {}{}{}{}\n", "", label_width, glyphs().corner, first, std::string(space, ' '), last);
}

}  // namespace fathom
