// SPDX-License-Identifier: Apache-2.0
/// Slurm through its commands: squeue, scontrol, sacct. Started without a shell, with a time limit.
#pragma once

#include "slurm/scheduler.h"

namespace fathom::slurm {

class Commands final : public Scheduler {
 public:
  /// Sets the environment in which Slurm's commands write times as this reads them; before any thread is started.
  explicit Commands(Duration limit = std::chrono::seconds(20));

  /// Slurm lets operators change when a job begins, but only administrators write notes. True once that was found out: jobs then go
  /// without.
  bool without_notes() const { return without_notes_; }

  Result<Queue> queue() override;
  Result<std::map<JobId, Time>> eligible(std::span<const JobId> jobs) override;
  Result<std::string> note(JobId job) override;
  Result<void> begin_in(JobId job, std::int64_t seconds, const std::string& note) override;
  /// Jobs that ran between these times, as the reader slurm_sacct takes them.
  Result<std::string> job_log(Time from, Time to) const;

 private:
  Duration limit_;
  bool without_notes_ = false;
};

/// What `scontrol show job` says in its last line `AdminComment=`: a job's name comes first, and may hold lines that look the same.
std::string note_in(std::string_view shown);

}  // namespace fathom::slurm
