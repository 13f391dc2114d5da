// SPDX-License-Identifier: Apache-2.0
/// A run of the micro-benchmark from its first open to what is known of it at the end.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "bench/task.h"
#include "report/table.h"

namespace fathom {

/// Whether the run can be done: the directory (which is made) is there, no data file is in the way, there is room for the data.
Result<void> prepare(const BenchParameters& parameters, const std::string& directory);

/// Runs the tasks as processes of this machine with POSIX calls. What a failed run says is its first task's failure.
Result<std::vector<TaskOutcome>> run_here(const BenchParameters& parameters, const std::string& directory);

/// Runs this process as one task of a group that a launcher started. Rank 0 gets all outcomes, the others none.
Result<std::vector<TaskOutcome>> run_in_group(const BenchParameters& parameters, const std::string& directory,
                                              const FathomFileAccess& access, const FathomTaskGroup& group);

void remove_data_files(const BenchParameters& parameters, const std::string& directory);

/// One row for writing, one for reading: bytes, requests, opens, closes, elapsed time, bytes per second.
Table phase_table(const std::vector<TaskOutcome>& outcomes);

}  // namespace fathom
