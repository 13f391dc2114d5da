// SPDX-License-Identifier: Apache-2.0
/// A run of an application as its own processes saw it (a trace, a Darshan log): finding its job, and putting both into a store.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/job.h"
#include "slices/profile.h"
#include "store/store.h"

namespace fathom {

struct JobRun {
  std::string path;          // names it in the store: a trace's folder, or a file and its source (see of_source)
  Job job;                   // as the run itself tells it; without an id where nothing named one
  std::string job_named_by;  // what did: an environment variable, --job, ...
  std::string command;
  std::vector<std::string> hosts;  // sorted
  std::int64_t ranks = 0, processes = 0, calls = 0;
  Time start{}, end{};
  slices::Profile slices;  // without processes: it has none
};

/// How many rows its processes have together.
inline std::size_t slices_of(const JobRun& run) {
  std::size_t rows = 0;
  for (const slices::Process& process : run.slices.processes) rows += process.slices.size();
  return rows;
}

struct RunLink {
  Job job;
  std::string by;      // how it is known
  bool known = false;  // else it is the run's own word, and new to the store
};

/// The job that was named, if it is one of `jobs` and overlaps with the run, else as the run tells it; where none was named, the one that
/// ran on its hosts at the time. An error where the job that it names is another user's.
Result<RunLink> link_run(const std::vector<Job>& jobs, const JobRun& run);

struct LinkedRun {
  JobRun run;
  RunLink link;
};

/// Notes runs and their slices.
Result<void> stage_runs(Transaction& transaction, std::span<const LinkedRun> runs);

/// Takes out what the store has of the run of this path.
Result<void> remove_run(Transaction& transaction, const std::string& path);

/// The name of a run that one ingested file tells; files of the same path may come again with other content.
std::string of_source(std::string_view path, SourceId source);
/// SQL: true of such names.
inline constexpr std::string_view is_of_source = "regexp_matches(trace, ' \\(source [0-9]+\\)$')";

/// Takes the runs of a source out.
Result<void> remove_runs(Transaction& transaction, SourceId source);

}  // namespace fathom
