// SPDX-License-Identifier: Apache-2.0
/// What a traced run or a benchmark did, request by request, as work for a simulation.
#pragma once

#include <string>

#include "simulate/timed_work.h"

namespace fathom {

/// Reads and writes of a trace directory at the lowest layer: POSIX calls on data files that moved data, each with its own time and size.
/// What MPI-IO and the layers above did are the POSIX calls inside. Every thread that made some is a compute node, in the order of ranks.
Result<simulate::Work> work_of_trace(const simulate::Scenario& scenario, const std::string& directory);

/// Reads and writes of a truth file of `fathom bench`; every task is a compute node.
Result<simulate::Work> work_of_bench(const simulate::Scenario& scenario, const std::string& truth);

}  // namespace fathom
