// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include <algorithm>
#include <cmath>

namespace fathom {

std::vector<std::string> bar_plot(std::span<const std::optional<double>> values, double top, std::size_t height, const Glyphs& signs) {
  std::vector<std::string> rows(height);
  for (const auto& value : values) {
    long eighths = 0;
    if (value && *value > 0 && top > 0)
      eighths = std::clamp(std::lround(*value / top * static_cast<double>(height) * 8), 1L, static_cast<long>(height) * 8);
    for (std::size_t r = 0; r < height; ++r) {
      const long below = static_cast<long>(height - 1 - r) * 8;
      rows[r] += !value && r + 1 == height ? signs.missing : signs.eighths[static_cast<std::size_t>(std::clamp(eighths - below, 0L, 8L))];
    }
  }
  return rows;
}

}  // namespace fathom
