// SPDX-License-Identifier: Apache-2.0
/// Which jobs wait, and until when: asks for advice on each that could start, holds and frees it. A hold is a lease: Slurm itself ends it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "advise/advisor.h"
#include "slurm/decisions.h"
#include "slurm/memory.h"
#include "slurm/scheduler.h"

namespace fathom::slurm {

struct ControllerSettings {
  double max_delay_seconds = 1800;  // then a job runs whatever the load
  double lease_seconds = 60;        // so long a hold lasts if nobody renews it
  double settle_seconds = 30;       // a job that was told to run is taken for running so long
  bool dry_run = false;             // only say what would be done
};

/// What is asked about a job that could start.
class Adviser {
 public:
  virtual ~Adviser() = default;
  /// Null: nothing is known of its application.
  virtual const advise::KnownApplication* application(const QueuedJob& job) = 0;
  /// Whether jobs of this user and name are held at submission, whatever their number of nodes.
  virtual bool on_list(const QueuedJob& job) = 0;
  virtual advise::Advice recommend(const QueuedJob& job, double held_seconds) = 0;
  /// It was told to run, but does not yet: others must reckon with it.
  virtual void expect(const QueuedJob& job) = 0;
};

class Controller {
 public:
  /// `say` gets one line for each decision and all else that happens, `decided` each change between run and delay.
  Controller(const ControllerSettings& settings, Memory memory, std::function<void(const std::string&)> say,
             std::function<void(const Decision&)> decided = {})
      : settings_(settings), memory_(std::move(memory)), say_(std::move(say)), decided_(std::move(decided)) {}

  /// Looks at all jobs that wait. What fails for one job does not keep it from the others; the error is of the question for all.
  Result<void> look(Time now, const Queue& queue, Scheduler& scheduler, Adviser& adviser);

  const Memory& memory() const { return memory_; }
  std::size_t held() const;

 private:
  struct Waiting {
    const QueuedJob* job;
    Time eligible;
  };
  std::vector<const QueuedJob*> candidates(const Queue& queue, Adviser& adviser) const;
  Result<bool> meet(Time now, const Waiting& waiting, Scheduler& scheduler);
  void notice_changes(Time now, const Waiting& waiting, Remembered& known);
  void decide(Time now, const Waiting& waiting, Scheduler& scheduler, Adviser& adviser);
  void hold(Time now, const QueuedJob& job, Remembered& known, double left, const std::string& reason, Scheduler& scheduler);
  bool free(Time now, const QueuedJob& job, Remembered& known, const std::string& reason, Scheduler& scheduler);
  bool told_delay(JobId job) const;
  void have_trouble(const QueuedJob& job, std::string_view what, const Error& error);
  void tell(const QueuedJob& job, std::string_view what, std::string_view reason);
  void note(Time now, const QueuedJob& job, advise::Verdict verdict, const std::string& reason, double waited);

  ControllerSettings settings_;
  Memory memory_;
  std::set<JobId> troubled_;               // said so already
  std::map<JobId, advise::Verdict> told_;  // what was said last
  std::function<void(const std::string&)> say_;
  std::function<void(const Decision&)> decided_;
};

/// A note of ours begins with this, after what others wrote.
inline constexpr std::string_view note_begins = "fathom: ";

/// Ours behind what others wrote, as printable ASCII of bearable length.
std::string make_note(std::string_view others, std::string_view ours);
/// What is in front of ours; all of it where there is none of ours.
std::string_view others_part(std::string_view note);

}  // namespace fathom::slurm
