// SPDX-License-Identifier: Apache-2.0
/// When servers' job-tagged counters were read: a job that was not among them had done nothing there, so that time is measured, too.
#pragma once

#include "characterise/machine.h"
#include "store/store.h"

namespace fathom {

/// Longer pauses between two visits say nothing: Lustre forgets a job's counters when they have rested for ten minutes (the default of
/// job_cleanup_interval), and what came and went in the meantime is not seen.
inline constexpr std::int64_t longest_pause_of_visits = 600'000'000;  // microseconds

/// Sets Machine::visited, where jobs are found by their tags.
Result<void> find_visits(Machine& machine, const Snapshot& snapshot, Database& database);

/// Microseconds of [from, to) that lie in one of the ranges, which are in order and apart.
std::int64_t time_within(const std::vector<TimeRange>& ranges, std::int64_t from, std::int64_t to);

}  // namespace fathom
