// SPDX-License-Identifier: Apache-2.0
/// Bandwidth and latency from how long runs took: time = latency + bytes / bandwidth (appendix B of the dissertation), reads and writes
/// apart.
#pragma once

#include <vector>

#include "base/result.h"
#include "fit/fitted.h"
#include "fit/run_times.h"

namespace fathom::fit {

struct RunFitOptions {
  std::string_view link = disk_link_bandwidth;  // external_link_bandwidth: bytes are those of one I/O node
  double confidence = 0.95;
  bool by_tasks = false;  // runs with different numbers of tasks apart
};

/// Two rows for each direction that has runs: the bandwidth and the latency. It is an error when none of them can be fitted.
Result<std::vector<Fitted>> fit_runs(const std::vector<RunTime>& runs, const RunFitOptions& options);

}  // namespace fathom::fit
