// SPDX-License-Identifier: Apache-2.0
#include "cli/slices_map.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/terminal.h"
#include "base/units.h"
#include "compete/page_data.h"

namespace fathom {
namespace {

constexpr std::size_t label_width = 12;

class MapText {
 public:
  MapText(std::span<const compete::Application> applications, slices::Direction direction, bool trim, Shading shading, MapSize size)
      : applications_(applications), direction_(direction), shading_(shading), window_(compete::window_of(applications, trim)) {
    const std::size_t count = std::max<std::size_t>(1, applications.size());
    const std::size_t lines = size.height > 4 * count + 4 ? (size.height - 4 - 2 * count) / count : 2;  // of each map
    const std::size_t rows = std::max<std::size_t>(2, lines) * (shading == Shading::colours ? 2 : 1);
    const std::size_t columns = std::max<std::size_t>(20, size.width - std::min(size.width, label_width + 3));
    for (const compete::Application& application : applications) maps_.push_back(heat_map(application.movers, window_, columns, rows));
    top_ = largest_rate();
  }

  std::string text() {
    for (std::size_t i = 0; i < maps_.size(); ++i) add_map(applications_[i], maps_[i]);
    if (maps_.empty()) return out_;
    add_axis();
    add_legend();
    return out_;
  }

 private:
  double bin_seconds() const { return static_cast<double>(maps_.front().slices_per_bin * length()) / 1e9; }
  std::int64_t length() const { return applications_.front().series.length; }
  double rate(const slices::HeatMap& map, std::size_t row, std::size_t bin) const {
    return map.at(direction_, row, bin) / static_cast<double>(map.rows[row].count) /
           (static_cast<double>(map.slices_in(bin) * length()) / 1e9);
  }

  /// 99 % of the cells with traffic are below: a few fast ones must not make all others look alike.
  double largest_rate() {
    std::vector<double> rates;
    for (const slices::HeatMap& map : maps_)
      for (std::size_t row = 0; row < map.rows.size(); ++row)
        for (std::size_t bin = 0; bin < map.bins; ++bin)
          if (const double found = rate(map, row, bin); found > 0) rates.push_back(found);
    if (rates.empty()) return 0;
    std::sort(rates.begin(), rates.end());
    const double nearly = rates[static_cast<std::size_t>(std::ceil(static_cast<double>(rates.size()) * 0.99)) - 1];
    clipped_ = rates.back() > 1.5 * nearly;
    return clipped_ ? nearly : rates.back();
  }

  ShadeRow shades(const slices::HeatMap& map, std::size_t row) const {
    ShadeRow shades(map.bins);
    for (std::size_t bin = 0; bin < map.bins; ++bin) {
      const std::int64_t begin = (map.first + static_cast<std::int64_t>(bin) * map.slices_per_bin) * length(),
                         end = begin + map.slices_per_bin * length();
      const double found = rate(map, row, bin);
      if (found > 0 || (map.rows[row].start < end && map.rows[row].end > begin)) shades[bin] = top_ > 0 ? found / top_ : 0;
    }
    return shades;
  }

  void add_map(const compete::Application& application, const slices::HeatMap& map) {
    const std::size_t shown = application.movers.size(), idle = application.profile->processes.size() - shown;
    out_ += fmt::format("{}{}: {}{}{}\n", out_.empty() ? "" : "\n", application.label, counted(shown, "process"),
                        map.rows.size() < shown ? fmt::format(", {} in a row", map.rows.front().count) : "",
                        idle > 0 ? fmt::format("; {} more moved nothing", human_count(idle)) : "");
    std::vector<ShadeRow> rows;
    for (std::size_t row = 0; row < map.rows.size(); ++row) rows.push_back(shades(map, row));
    const auto lines = shade_plot(rows, shading_);
    const std::size_t per_line = shading_ == Shading::colours ? 2 : 1;
    for (std::size_t line = 0; line < lines.size(); ++line)
      out_ += fmt::format("{:>{}} {}{}\n", row_label(application, map.rows[line * per_line]), label_width,
                          shading_ == Shading::colours ? unicode_glyphs.axis : ascii_glyphs.axis, lines[line]);
  }

  static std::string row_label(const compete::Application& application, const slices::MapRow& row) {
    const slices::Process& first = *application.movers[row.first];
    return first.rank >= 0 ? fmt::format("rank {}", first.rank) : fmt::format("pid {}", first.pid);
  }

  void add_axis() {
    const auto clock = [&](std::int64_t slice) { return format_iso8601(time_from_micros(slice * length() / 1000)); };
    const std::string left = clock(window_.first), right = clock(window_.last + 1);
    const std::size_t bins = maps_.front().bins;
    const bool wide = bins > left.size() + right.size() + 1;
    out_ +=
        fmt::format("{:{}} {}{}\n", "", label_width + 1, left, wide ? fmt::format("{:>{}}", right, bins - left.size()) : " to " + right);
  }

  void add_legend() {
    const double seconds = bin_seconds();
    out_ += fmt::format("\n{} by a process: 0 {} {}{}/s; a column is {:g} s{}\n",
                        direction_ == slices::Direction::read    ? "read"
                        : direction_ == slices::Direction::write ? "written"
                                                                 : "read and written",
                        shade_scale(shading_), clipped_ ? ">= " : "", human_bytes(top_), seconds,
                        maps_.front().slices_per_bin > 1 ? fmt::format(" ({} slices)", maps_.front().slices_per_bin) : "");
  }

  std::span<const compete::Application> applications_;
  slices::Direction direction_;
  Shading shading_;
  slices::SliceRange window_;
  std::vector<slices::HeatMap> maps_;
  double top_ = 0;
  bool clipped_ = false;
  std::string out_;
};

}  // namespace

Shading shading_of_output(std::string_view wanted, bool to_file) {
  // Said by the user, so above NO_COLOR; not above --no-color, and no blocks where the locale has none.
  if (wanted != "auto") return wanted == "always" && !colours_forbidden() && locale_is_utf8() ? Shading::colours : Shading::ascii;
  const bool shows = !to_file && shows_colours(1) && locale_is_utf8();
  return shows ? Shading::colours : Shading::ascii;
}

MapSize size_of_output(bool to_file) {
  winsize window{};
  if (to_file || ::isatty(1) != 1 || ::ioctl(1, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
  return {window.ws_col, window.ws_row};
}

std::string slices_map(std::span<const compete::Application> applications, slices::Direction direction, bool trim, Shading shading,
                       MapSize size) {
  return MapText(applications, direction, trim, shading, size).text();
}

}  // namespace fathom
