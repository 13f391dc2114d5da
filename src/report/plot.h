// SPDX-License-Identifier: Apache-2.0
/// Plots made of block characters, or of plain ones, for terminals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/terminal.h"

namespace fathom {

/// One line per row, highest first. A missing value is a light shade in the lowest row; a value above zero shows at least one eighth.
std::vector<std::string> bar_plot(std::span<const std::optional<double>> values, double top, std::size_t height,
                                  const Glyphs& signs = glyphs());

}  // namespace fathom
