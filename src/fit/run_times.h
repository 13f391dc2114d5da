// SPDX-License-Identifier: Apache-2.0
/// How long runs of a benchmark took to move their bytes, as people write it down: one line for each run.
#pragma once

#include <string>
#include <vector>

#include "base/input.h"
#include "base/result.h"
#include "simulate/requests.h"

namespace fathom::fit {

struct RunTime {
  double bytes = 0, seconds = 0;
  simulate::Kind kind = simulate::Kind::read;
  double nodes = 1;   // I/O nodes that took part
  double tasks = 0;   // 0: not said
  std::string where;  // file and line, for messages
};

/// CSV with a header: bytes, seconds and kind (read or write), and perhaps nodes and tasks; other columns are not looked at. A line that
/// makes no sense is an error that names it.
Result<std::vector<RunTime>> read_run_times(LineInput& input);
Result<std::vector<RunTime>> read_run_times(const std::string& path);

}  // namespace fathom::fit
