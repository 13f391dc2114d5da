// SPDX-License-Identifier: Apache-2.0
/// What steering asks of a batch system: what waits and runs, and beginning later or now. Tests have one of their own.
#pragma once

#include <map>
#include <span>
#include <string>

#include "base/result.h"
#include "slurm/queue.h"

namespace fathom::slurm {

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual Result<Queue> queue() = 0;
  /// When these jobs may begin; those that are gone are left out.
  virtual Result<std::map<JobId, Time>> eligible(std::span<const JobId> jobs) = 0;
  /// The note of administrators on a job; empty where there is none.
  virtual Result<std::string> note(JobId job) = 0;
  /// It may begin in so many seconds, and not before; 0: now. The note replaces the one that was there.
  virtual Result<void> begin_in(JobId job, std::int64_t seconds, const std::string& note) = 0;
};

}  // namespace fathom::slurm
