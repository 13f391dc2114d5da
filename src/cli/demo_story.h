// SPDX-License-Identifier: Apache-2.0
/// The first part of the demo: one machine from its raw logs to a decision about one job, as docs/tour.md tells it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

/// Shows a sentence, then runs a command of this program: its words behind `fathom`.
using ShowStep = std::function<Result<void>(std::string_view what, const std::vector<std::string>& words)>;

/// Everything goes below `folder`, which does not exist yet.
Result<void> follow_one_job(const std::string& folder, const ShowStep& show);

}  // namespace fathom
