// SPDX-License-Identifier: Apache-2.0
/// Which rank, process or launcher each process belongs to.
#pragma once

#include <vector>

#include "trace/process_details.h"
#include "trace/trace.h"

namespace fathom::trace {

/// Finds out who became another program: one that did not end, and a later one with its pid that nobody forked. Sets
/// ProcessDetails::exec_of where the trace does not say it; `texts` are in order of their start.
void find_execs(std::vector<ProcessDetails>& texts);

/// `processes` in order of their start, `texts` in the same order; sets Process::unit.
std::vector<Unit> find_units(std::vector<Process>& processes, const std::vector<ProcessDetails>& texts);

}  // namespace fathom::trace
