// SPDX-License-Identifier: Apache-2.0
/// Advice for jobs of a running machine: counters and knowledge from the store, running jobs from the batch system.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "advise/advisor.h"
#include "slurm/controller.h"
#include "slurm/hold_list.h"
#include "store_advice/known_applications.h"

namespace fathom {

struct LiveAdviserSettings {
  std::string store;
  advise::Trained trained;
  advise::AdvisorSettings advice;
  double stale_seconds = 120;  // counters that end longer ago tell nothing of now: everybody runs
};

class LiveAdviser final : public slurm::Adviser {
 public:
  explicit LiveAdviser(LiveAdviserSettings settings) : settings_(std::move(settings)) {}

  /// Reads what was mined, again. What was known stays where it cannot be read.
  Result<void> read_knowledge();
  /// A new round; the load is read when the first question needs it.
  void begin(Time now, const slurm::Queue& queue);
  /// Why everybody runs in this round; nothing where advice can be given.
  const std::string& blind();

  const advise::KnownApplication* application(const slurm::QueuedJob& job) override;
  bool on_list(const slurm::QueuedJob& job) override { return list_.contains({job.uid, job.name}); }
  advise::Advice recommend(const slurm::QueuedJob& job, double held_seconds) override;
  void expect(const slurm::QueuedJob& job) override;

  const slurm::HoldList& list() const { return list_; }
  std::size_t known() const { return known_.size(); }

 private:
  void read_load();
  Result<void> make_advisor();

  LiveAdviserSettings settings_;
  KnownApplications known_;
  slurm::HoldList list_;
  Time now_ = no_time;
  const slurm::Queue* queue_ = nullptr;
  bool load_read_ = false;
  std::string blind_;
  double at_ = 0;  // seconds; the end of the counters
  std::optional<advise::Advisor> advisor_;
};

}  // namespace fathom
