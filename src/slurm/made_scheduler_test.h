// SPDX-License-Identifier: Apache-2.0
/// A batch system for tests: jobs begin when they may, on a clock that tests turn, and whatever is asked of it can fail.
#pragma once

#include <algorithm>

#include "slurm/controller.h"

namespace fathom::slurm {

class MadeScheduler final : public Scheduler {
 public:
  struct Job {
    QueuedJob job;
    Time begin = no_time;  // it may begin then
    std::string note;
    std::size_t updates = 0;
  };

  std::map<JobId, Job> jobs;
  Time now = time_from_seconds(1'000'000);
  bool down = false, read_only = false;

  /// As job_submit.lua leaves it if `lease` is not 0.
  JobId submit(std::string name, std::int64_t lease, std::string note = {}) {
    const JobId id = next_++;
    Job made;
    made.job = {.id = id,
                .user = "ann",
                .name = std::move(name),
                .uid = 1001,
                .nodes = 4,
                .state = JobState::pending,
                .submit = now,
                .start = no_time,
                .limit_seconds = {}};
    made.begin = now + std::chrono::seconds(lease);
    made.note = lease > 0 && note.empty() ? "fathom: delay, begins within a minute" : std::move(note);
    jobs[id] = std::move(made);
    return id;
  }

  /// Time passes; what may begin does.
  void pass(std::int64_t seconds) {
    for (std::int64_t i = 0; i < seconds; ++i) {
      now += std::chrono::seconds(1);
      for (auto& [id, each] : jobs)
        if (each.job.state == JobState::pending && each.begin != no_time && each.begin <= now) {
          each.job.state = JobState::running;
          each.job.start = now;
        }
    }
  }

  Result<Queue> queue() override {
    if (down) return Error{ErrorKind::unreadable, "the controller is down"};
    Queue all;
    for (const auto& [id, each] : jobs) all.jobs.push_back(each.job);
    return all;
  }
  Result<std::map<JobId, Time>> eligible(std::span<const JobId> ids) override {
    if (down) return Error{ErrorKind::unreadable, "the controller is down"};
    std::map<JobId, Time> found;
    for (const JobId id : ids) found[id] = jobs.at(id).begin;
    return found;
  }
  Result<std::string> note(JobId job) override {
    if (down) return Error{ErrorKind::unreadable, "the controller is down"};
    return jobs.at(job).note;
  }
  Result<void> begin_in(JobId job, std::int64_t seconds, const std::string& note) override {
    if (down || read_only) return Error{ErrorKind::unwritable, "not allowed"};
    Job& each = jobs.at(job);
    if (each.job.state != JobState::pending) return Error{ErrorKind::unwritable, "Job is no longer pending execution"};
    each.begin = now + std::chrono::seconds(seconds);
    each.note = note;
    ++each.updates;
    return {};
  }

 private:
  JobId next_ = 1;
};

/// Says the same of every job whose name begins with `io`, until told otherwise.
class MadeAdviser final : public Adviser {
 public:
  bool busy = false;
  std::vector<JobId> expected;
  std::size_t asked = 0;
  /// With this, a job that is expected makes the machine busy for others.
  bool one_at_a_time = false;

  const advise::KnownApplication* application(const QueuedJob& job) override {
    return job.name.starts_with("io") ? &application_ : nullptr;
  }
  bool on_list(const QueuedJob& job) override { return job.name.starts_with("io") || job.name == "listed"; }
  advise::Advice recommend(const QueuedJob& job, double) override {
    ++asked;
    if (application(job) == nullptr) return {advise::Verdict::run, "unknown", {}};
    const bool others = one_at_a_time && std::any_of(expected.begin(), expected.end(), [&](JobId each) { return each != job.id; });
    return busy || others ? advise::Advice{advise::Verdict::delay, "busy", {}} : advise::Advice{advise::Verdict::run, "idle", {}};
  }
  void expect(const QueuedJob& job) override { expected.push_back(job.id); }

 private:
  advise::KnownApplication application_;
};

}  // namespace fathom::slurm
