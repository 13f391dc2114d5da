// SPDX-License-Identifier: Apache-2.0
/// Tasks as processes of this machine, for runs without a launcher: forked, kept in step, and gathered by the parent.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "bench/task.h"

namespace fathom {

/// Forks `tasks` processes, each of which runs `run` with its group and is gone after it. The outcomes are in order of tasks; a task that
/// died is an outcome with that failure. No process is left when this returns.
Result<std::vector<TaskOutcome>> run_forked(std::uint64_t tasks, const std::function<TaskOutcome(const FathomTaskGroup&)>& run);

}  // namespace fathom
