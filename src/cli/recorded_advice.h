// SPDX-License-Identifier: Apache-2.0
/// `fathom advise STORE --replay`: what advice would have been for the jobs of a log, and how long their I/O then took.
#pragma once

#include <string>

#include "cli/output.h"
#include "cli/replay_advice.h"

namespace fathom {

/// Jobs of validated applications that show their pattern and started in [since, until); no_time: whenever.
Result<void> replay_recorded(const std::string& store, const ReplayArguments& given, const AdviceArguments& advice,
                             const OutputOptions& output);

}  // namespace fathom
