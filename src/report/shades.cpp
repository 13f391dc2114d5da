// SPDX-License-Identifier: Apache-2.0
#include "report/shades.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom {
namespace {

constexpr std::string_view signs = ".:-=+*%#@";  // zero first
/// Grey for zero, then from deep blue to yellow.
constexpr std::array palette = {240, 18, 19, 26, 32, 38, 43, 78, 113, 185, 228};

std::size_t level(double value, std::size_t levels) {
  if (!(value > 0)) return 0;
  return 1 + std::min(levels - 2, static_cast<std::size_t>(std::min(value, 1.0) * static_cast<double>(levels - 1)));
}

int colour(const std::optional<double>& value) { return value ? palette[level(*value, palette.size())] : -1; }

/// An upper half block shows two rows: its own colour and the one behind it.
std::string two_rows(const ShadeRow& upper, const ShadeRow* lower) {
  std::string line;
  int front = -2, back = -2;  // as the terminal is set
  for (std::size_t i = 0; i < upper.size(); ++i) {
    const int above = colour(upper[i]), below = lower != nullptr ? colour((*lower)[i]) : -1;
    const bool flipped = above < 0 && below >= 0;  // a lower half block: what is not there keeps the terminal's own colour
    const int in_front = flipped ? below : above, behind = flipped ? -1 : below;
    if (in_front != front && in_front >= 0) line += fmt::format("\x1b[38;5;{}m", front = in_front);
    if (behind != back) line += behind < 0 ? "\x1b[49m" : fmt::format("\x1b[48;5;{}m", behind);
    back = behind;
    line += in_front < 0 ? " " : flipped ? "▄" : "▀";
  }
  return line + "\x1b[0m";
}

}  // namespace

std::vector<std::string> shade_plot(const std::vector<ShadeRow>& rows, Shading shading) {
  std::vector<std::string> lines;
  if (shading == Shading::colours) {
    for (std::size_t r = 0; r < rows.size(); r += 2) lines.push_back(two_rows(rows[r], r + 1 < rows.size() ? &rows[r + 1] : nullptr));
    return lines;
  }
  for (const ShadeRow& row : rows) {
    std::string& line = lines.emplace_back();
    for (const auto& value : row) line += value ? signs[level(*value, signs.size())] : ' ';
  }
  return lines;
}

std::string shade_scale(Shading shading) {
  if (shading == Shading::ascii) return std::string(signs);
  std::string text;
  for (const int one : palette) text += fmt::format("\x1b[38;5;{}m█", one);
  return text + "\x1b[0m";
}

}  // namespace fathom
