// SPDX-License-Identifier: Apache-2.0
/// A program run under the tracer: started, waited for, and what its processes left behind gathered.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/leftovers.h"

namespace fathom {

struct TracedCommand {
  std::vector<std::string> words;
  std::filesystem::path directory;  // of the trace; absolute
  std::filesystem::path library;    // libfathom-trace.so
  std::string include, exclude;     // patterns, separated by ':'
  std::uint64_t max_size = 0;
  bool trace = true, slices = true;  // what to record
  std::string slice;                 // length of a time slice in seconds; empty: as usual
  bool alone = true;                 // nobody else writes to the same trace
};

struct TracedOutcome {
  int exit_code = 0;  // as a shell tells it
  trace::Leftovers leftovers;
  std::string incomplete;           // why what was left behind could not be added to the trace
  std::int64_t start = 0, end = 0;  // nanoseconds since the epoch
};

/// The library beside this program, as built or as installed.
Result<std::filesystem::path> find_tracer();
Result<TracedOutcome> run_traced(const TracedCommand& command);

}  // namespace fathom
