// SPDX-License-Identifier: Apache-2.0
/// Traces as part of a store: each belongs to a job, and a job's criteria can be taken from its trace.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "store/store.h"
#include "trace/trace.h"

namespace fathom {

struct TracedJob {
  std::string trace;  // its folder, absolute
  std::string job_id;
  Time job_start{};
  std::string linked_by;
  std::uint64_t calls = 0, slices = 0;  // of one just added: what it holds
};

/// Whether a folder is a trace: it holds files that the tracer wrote.
bool is_trace(const std::filesystem::path& folder);

/// The traces among the paths, and those in folders below, without hidden ones and those that hold a file named .fathom-ignore.
std::vector<std::string> traces_below(const std::vector<std::string>& paths);

/// Finds the job of a trace and notes both: `job` if it is given, else the job that the batch system's environment named, else the one job
/// that ran on its hosts at the time. A job that the store does not know is added as the trace tells it.
Result<TracedJob> add_trace(const Store& store, const std::filesystem::path& folder, const std::string& job);

/// The traced jobs of a store; with ids only those.
Result<std::vector<TracedJob>> traced_jobs(const Store& store, const std::vector<std::string>& ids);

}  // namespace fathom
