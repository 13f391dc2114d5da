// SPDX-License-Identifier: Apache-2.0
/// Processes against time in a terminal, one map for each application, all on one time axis.
#pragma once

#include "compete/application.h"
#include "report/shades.h"

namespace fathom {

struct MapSize {
  std::size_t width = 100, height = 40;  // columns and lines for all of it
};

/// Colours on a terminal that shows them, where nobody asked for none (NO_COLOR, --no-color); `wanted`: auto, always or never.
Shading shading_of_output(std::string_view wanted, bool to_file);
MapSize size_of_output(bool to_file);

std::string slices_map(std::span<const compete::Application> applications, slices::Direction direction, bool trim, Shading shading,
                       MapSize size);

}  // namespace fathom
