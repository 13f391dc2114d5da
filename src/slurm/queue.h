// SPDX-License-Identifier: Apache-2.0
/// The jobs that Slurm knows, from squeue; whatever text people put into the names of their jobs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace fathom::slurm {

using JobId = std::uint64_t;

enum class JobState : std::uint8_t { pending, running, other };

struct QueuedJob {
  JobId id = 0;                      // of an array that still waits: the whole array's
  std::string user, name;            // the name as accounting has it
  std::uint32_t uid = 0, nodes = 0;  // nodes: of a job that waits, the least that it asked for
  JobState state = JobState::other;
  Time submit = no_time, start = no_time;
  std::optional<double> limit_seconds;  // none: unlimited
};

struct Queue {
  std::vector<QueuedJob> jobs;
  std::size_t rejected = 0;  // records that make no sense
};

/// A job's name as Slurm's accounting has it: a double quote is a back quote there. What is known of applications comes from accounting.
std::string accounting_name(std::string name);

/// A separator that nobody can guess: letters, since squeue takes digits after a field for its width. A job's name may hold any other text,
/// line ends too.
std::string make_mark();

/// For squeue --format=...; times as Unix seconds (SLURM_TIME_FORMAT=%s).
std::string queue_format(std::string_view mark);
/// Fields with a mark behind each, one record (with mark M): 41M root M0M2MPENDINGM1794876475M1794876535M1:00:00Mname M
Queue parse_queue(std::string_view text, std::string_view mark);

/// For squeue --Format=...: when jobs may begin.
std::string eligible_format(std::string_view mark);
std::map<JobId, Time> parse_eligible(std::string_view text, std::string_view mark);

/// `1-02:03:04`, `02:03:04`, `03:04`, as squeue writes a time limit; nothing for UNLIMITED, NOT_SET and what is none.
std::optional<double> parse_limit(std::string_view text);

}  // namespace fathom::slurm
