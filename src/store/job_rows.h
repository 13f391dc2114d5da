// SPDX-License-Identifier: Apache-2.0
/// Jobs as the store holds them.
#pragma once

#include <string>
#include <vector>

#include "model/job.h"
#include "store/database.h"

namespace fathom {

/// Reads jobs back, by start and id; `from` as rows_of(jobs_table) gives it, with an optional WHERE clause.
Result<std::vector<Job>> read_jobs(Database& database, const std::string& from, const std::string& where = "true");

}  // namespace fathom
