// SPDX-License-Identifier: Apache-2.0
/// Maps made of shades, for terminals: a value from 0 to 1 for each place.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fathom {

enum class Shading { ascii, colours };  // colours: of the palette of 256, two rows in a line

/// Nothing: there is nothing at this place. Zero differs from that, and from a value above zero, however small.
using ShadeRow = std::vector<std::optional<double>>;

/// Lines without their ends; all rows have the same width.
std::vector<std::string> shade_plot(const std::vector<ShadeRow>& rows, Shading shading);

/// The shades from zero to the largest, for a legend.
std::string shade_scale(Shading shading);

}  // namespace fathom
