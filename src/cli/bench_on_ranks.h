// SPDX-License-Identifier: Apache-2.0
/// The micro-benchmark with a launcher's ranks as its tasks, by plain calls or by MPI-IO.
#pragma once

#include <string>
#include <vector>

#include "bench/task.h"
#include "ranks/ranks.h"

namespace fathom {

/// Every rank is a task: parameters.tasks is ranks.size(). Prepares the directory, runs, and removes the data files unless they are
/// to be kept; the outcomes come to rank 0, the others get none. MPI-IO needs ranks that joined with Mpi::always.
Result<std::vector<TaskOutcome>> run_on_ranks(const BenchParameters& parameters, const std::string& directory, bool keep_files,
                                              Ranks& ranks);

}  // namespace fathom
