// SPDX-License-Identifier: Apache-2.0
/// Runs of the micro-benchmark as times to fit to, from their truth files.
#pragma once

#include <string>
#include <vector>

#include "fit/run_times.h"

namespace fathom::fit {

/// One for writing and one for reading, where it did so: all bytes of all tasks, from the first call of that phase to the end of its last
/// one, opening and closing included. A node of the run is taken as one with a link of its own.
Result<std::vector<RunTime>> run_times_of_bench(LineInput& truth);
Result<std::vector<RunTime>> run_times_of_bench(const std::string& path);

}  // namespace fathom::fit
