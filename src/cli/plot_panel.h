// SPDX-License-Identifier: Apache-2.0
/// Pictures of one thing over time for a terminal, one above the other on one axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace fathom {

/// One for each column; nothing where nothing was measured.
using PlotValues = std::vector<std::optional<double>>;
inline constexpr std::size_t plot_label_width = 12;

/// A length of slots that people like: 1, 2, 5, 10, 30 s, 1, 2, 5, 10, 30 min, hours.
std::int64_t nice_step(std::int64_t duration, std::size_t width);
double largest(const PlotValues& all);
std::string per_second(double bytes);

/// Adds a picture with its title to `out`; of one row: with a label and no title.
void plot_panel(std::string& out, const std::string& title, const PlotValues& all, double top, const std::string& top_label,
                std::size_t height);
void plot_line(std::string& out, const std::string& label, const PlotValues& all, double top);
void time_axis(std::string& out, Time from, Time to, std::size_t columns);

}  // namespace fathom
