// SPDX-License-Identifier: Apache-2.0
/// The part of the demo that is no made-up data: two programs that write on this machine at the same time, traced.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

/// Runs both and gives the folders of their traces. `step` is told the commands before they start. Where MPI cannot be had both use POSIX.
Result<std::vector<std::string>> trace_side_by_side(const std::string& folder, const std::function<void(std::string_view commands)>& step);

}  // namespace fathom
