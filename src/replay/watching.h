// SPDX-License-Identifier: Apache-2.0
/// Policies that watch the replayed machine's counters and jobs through an advisor, each to its own end.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "advise/advisor.h"
#include "replay/knowledge.h"
#include "replay/policy.h"

namespace fathom::replay {

using Knowledge = std::vector<std::optional<advise::KnownApplication>>;  // by application

/// The two partitions of the replayed machine.
std::vector<advise::Partition> partitions();
/// An advisor of the replayed machine, which reads its counters every 10 s.
Result<advise::Advisor> make_advisor(const advise::Trained& trained, const advise::AdvisorSettings& settings);

/// Keeps an advisor up to date.
class Watching : public Policy {
 public:
  Watching(advise::Advisor advisor, const Knowledge& known) : advisor_(std::move(advisor)), known_(known) {}
  void started(const titan::Submission& job, titan::Millis now) override;
  void ended(const JobRun& run, titan::Millis now) override;
  void counters(titan::Millis now, std::span<const double> bytes) override;

 protected:
  const advise::KnownApplication* known(const titan::Submission& job) const;
  advise::Advisor advisor_;

 private:
  const Knowledge& known_;
  std::vector<double> throughput_;
};

/// Holds jobs back as advised; a delayed one is looked at again every minute.
class AdvicePolicy : public Watching {
 public:
  using Watching::Watching;
  bool may_start(const titan::Submission& job, titan::Millis now) override;
  void started(const titan::Submission& job, titan::Millis now) override;
  /// Seconds from the first `delay` to the last, of the jobs that got one.
  const std::vector<double>& delays() const { return delays_; }

 private:
  static constexpr titan::Millis look_again = titan::minute;
  struct Delay {
    titan::Millis first, last;
  };
  std::unordered_map<std::uint64_t, Delay> delayed_;
  std::vector<double> delays_;
};

/// Bandwidth as a licence of the batch system: every known job takes the throughput of its bursts from its partition's pool while it runs.
class TokenPolicy : public Policy {
 public:
  /// `share`: how much of the partition's burst bandwidth (504 x 460 MB/s) is handed out.
  TokenPolicy(const Knowledge& known, double share);
  bool may_start(const titan::Submission& job, titan::Millis now) override;
  void started(const titan::Submission& job, titan::Millis now) override;
  void ended(const JobRun& run, titan::Millis now) override;

 private:
  double wanted(const titan::Submission& job) const;
  std::size_t pool_of(const titan::Submission& job) const;
  const Knowledge& known_;
  double pool_;
  std::array<double, titan::partition_count> used_{};
};

/// One job that was started whatever the advice was.
struct Trial {
  std::uint64_t job = 0;
  std::uint32_t application = 0;
  bool delay = false;  // the advice
  double score = 0;    // that it was given for
  double slowdown = 0;
  std::size_t others = 0;  // jobs of groups that ran when it started
};

/// AID, section VI-C: one member of a group of pseudo-applications, the last, is looked at: what is advised is noted and the job started in
/// any case. While it runs, other jobs of groups wait ("we check and suspend other queued pseudo-applications, to isolate the evaluation of
/// individual scheduling decisions"). With `isolated` false nobody waits, and every known job is looked at.
class LookedAt : public Watching {
 public:
  LookedAt(advise::Advisor advisor, const Knowledge& known, const Workload& workload, bool isolated)
      : Watching(std::move(advisor), known), workload_(workload), isolated_(isolated) {}
  bool may_start(const titan::Submission& job, titan::Millis now) override;
  void started(const titan::Submission& job, titan::Millis now) final;
  void ended(const JobRun& run, titan::Millis now) final;

 protected:
  /// False: this job is of no interest.
  virtual bool begin(const titan::Submission& job, titan::Millis now) = 0;
  virtual void end(const JobRun& run) = 0;
  /// Jobs of groups that run.
  std::size_t of_groups() const { return of_groups_; }

 private:
  const Workload& workload_;
  std::size_t of_groups_ = 0;
  bool isolated_;
  std::optional<std::uint64_t> looked_at_;
};

/// Notes the advice, and what became of the job's I/O.
class Trials : public LookedAt {
 public:
  using LookedAt::LookedAt;
  const std::vector<Trial>& trials() const { return trials_; }

 protected:
  bool begin(const titan::Submission& job, titan::Millis now) override;
  void end(const JobRun& run) override;

 private:
  std::unordered_map<std::uint64_t, Trial> open_;
  std::vector<Trial> trials_;
};

/// Training jobs, one at a time as above: notes what load they found, and what became of their I/O.
class Training : public LookedAt {
 public:
  /// The I/O of training jobs is known: `exact` has it.
  Training(advise::Advisor advisor, const Knowledge& known, const Workload& workload, const Knowledge& exact)
      : LookedAt(std::move(advisor), known, workload, true), exact_(exact) {}
  std::vector<advise::TrainingPoint>& points() { return points_; }

 protected:
  bool begin(const titan::Submission& job, titan::Millis now) override;
  void end(const JobRun& run) override;

 private:
  const Knowledge& exact_;
  std::unordered_map<std::uint64_t, advise::TrainingPoint> open_;
  std::vector<advise::TrainingPoint> points_;
};

}  // namespace fathom::replay
