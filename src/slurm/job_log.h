// SPDX-License-Identifier: Apache-2.0
/// What ran, from sacct into the store: one source for each UTC day, however often it is asked.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ingest/harvest.h"
#include "store/store.h"

namespace fathom::slurm {

/// The job's name is the last: it may hold separators.
inline constexpr std::array<std::string_view, 11> job_log_columns{"JobIDRaw", "User",   "Partition", "Submit",   "Start",  "End",
                                                                  "State",    "NNodes", "Timelimit", "NodeList", "JobName"};

/// What sacct wrote with this separator, with `|` instead and a line for each job: a job's name may hold line ends, and lines that look
/// like other jobs.
std::string without_marks(std::string_view text, std::string_view mark);

/// Adds the jobs of such a text; those that are known already change nothing.
Result<ReadAccount> add_job_log(const Store& store, const std::string& text, Time now);

}  // namespace fathom::slurm
