// SPDX-License-Identifier: Apache-2.0
/// Files of /proc and /sys: read whole, in one go, of a size that nobody knows before.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace fathom {

inline constexpr std::size_t longest_live_file = std::size_t{64} << 20;

/// The error says only what the system says.
Result<std::string> read_live_file(const std::string& path);

/// Names in a folder, sorted; hidden ones left out.
Result<std::vector<std::string>> names_in(const std::string& folder);

/// Does a name fit a shell pattern (`sd*`, `nvme?n1`)?
bool fits_pattern(const std::string& name, const std::string& pattern);

}  // namespace fathom
