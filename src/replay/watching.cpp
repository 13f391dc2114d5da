// SPDX-License-Identifier: Apache-2.0
#include "replay/watching.h"

#include <algorithm>
#include <numeric>

namespace fathom::replay {
namespace {

using namespace titan;

double sec(Millis t) { return static_cast<double>(t) / 1000; }

}  // namespace

std::vector<advise::Partition> partitions() {
  std::vector<advise::Partition> all;
  for (std::size_t i = 0; i < partition_count; ++i) {
    advise::Partition& each = all.emplace_back();
    each.filesystem = partition_names[i];
    each.servers.resize(partition_osts);
    std::iota(each.servers.begin(), each.servers.end(), static_cast<std::uint32_t>(i * partition_osts));
  }
  return all;
}

Result<advise::Advisor> make_advisor(const advise::Trained& trained, const advise::AdvisorSettings& settings) {
  return advise::Advisor::make(trained, partitions(), ost_count, settings, sec(step));
}

const advise::KnownApplication* Watching::known(const Submission& job) const {
  const auto& found = known_[job.application];
  return found ? &*found : nullptr;
}

void Watching::started(const Submission& job, Millis now) {
  if (const auto* application = known(job)) advisor_.job_started(job.id, *application, sec(now), sec(job.limit));
}

void Watching::ended(const JobRun& run, Millis /*now*/) {
  if (known(run.job) != nullptr) advisor_.job_ended(run.job.id);
}

void Watching::counters(Millis /*now*/, std::span<const double> bytes) {
  throughput_.resize(bytes.size());
  std::transform(bytes.begin(), bytes.end(), throughput_.begin(), [](double each) { return each / sec(step); });
  advisor_.add_slot(throughput_);
}

bool AdvicePolicy::may_start(const Submission& job, Millis now) {
  const auto* const application = known(job);
  if (application == nullptr) return true;
  const auto delay = delayed_.find(job.id);
  const bool before = delay != delayed_.end();
  if (before && now < delay->second.last + look_again) return false;
  if (advisor_.recommend(application, sec(now), before ? sec(now - delay->second.first) : 0).verdict == advise::Verdict::run) {
    // Jobs that start at the same event must see each other: the machine tells of starts only after all were asked.
    advisor_.job_started(job.id, *application, sec(now), sec(job.limit));
    return true;
  }
  delayed_.try_emplace(job.id, Delay{now, now}).first->second.last = now;
  return false;
}

void AdvicePolicy::started(const Submission& job, Millis /*now*/) {
  const auto delay = delayed_.find(job.id);
  if (delay == delayed_.end()) return;
  delays_.push_back(sec(delay->second.last - delay->second.first));
  delayed_.erase(delay);
}

TokenPolicy::TokenPolicy(const Knowledge& known, double share)
    : known_(known), pool_(share * static_cast<double>(partition_osts * burst_capacity) * 1000) {}

/// A job that wants more than there is takes all of it, or it would never run.
double TokenPolicy::wanted(const Submission& job) const {
  const auto& known = known_[job.application];
  return known ? std::min(pool_, known->patterns.front().mean_throughput) : 0;
}

std::size_t TokenPolicy::pool_of(const Submission& job) const {
  return static_cast<std::size_t>(
      std::find(partition_names.begin(), partition_names.end(), known_[job.application]->patterns.front().filesystem) -
      partition_names.begin());
}

bool TokenPolicy::may_start(const Submission& job, Millis /*now*/) {
  const double need = wanted(job);
  if (need == 0) return true;
  double& used = used_[pool_of(job)];
  if (used + need > pool_ * (1 + 1e-9)) return false;
  used += need;
  return true;
}

void TokenPolicy::started(const Submission& /*job*/, Millis /*now*/) {}

void TokenPolicy::ended(const JobRun& run, Millis /*now*/) {
  if (wanted(run.job) > 0) used_[pool_of(run.job)] -= wanted(run.job);
}

bool LookedAt::may_start(const Submission& job, Millis now) {
  if (!isolated_ || job.application < workload_.first_of_groups) return true;
  if (looked_at_) return false;
  // Chosen here, not when it has started: those behind it in the queue, asked about next, wait already.
  if (now >= 0 && workload_.last_of_groups.contains(job.id)) looked_at_ = job.id;
  return true;
}

void LookedAt::started(const Submission& job, Millis now) {
  if (isolated_) {
    if (looked_at_ == job.id && !begin(job, now)) looked_at_.reset();
  } else if (now >= 0 && !job.io_off) {
    begin(job, now);
  }
  of_groups_ += job.application >= workload_.first_of_groups;
  Watching::started(job, now);
}

void LookedAt::ended(const JobRun& run, Millis now) {
  end(run);
  if (looked_at_ == run.job.id) looked_at_.reset();
  of_groups_ -= run.job.application >= workload_.first_of_groups;
  Watching::ended(run, now);
}

bool Trials::begin(const Submission& job, Millis now) {
  const auto* const application = known(job);
  if (application == nullptr) return false;
  const advise::Advice advice = advisor_.recommend(application, sec(now), 0);
  open_[job.id] = {job.id, job.application, advice.verdict == advise::Verdict::delay, advice.partitions.front().score, 0, of_groups()};
  return true;
}

void Trials::end(const JobRun& run) {
  const auto trial = open_.find(run.job.id);
  if (trial == open_.end()) return;
  if (run.completed && run.bursts > 0) {
    trial->second.slowdown = run.slowdown();
    trials_.push_back(trial->second);
  }
  open_.erase(trial);
}

bool Training::begin(const Submission& job, Millis now) {
  const auto& exact = exact_[job.application];
  if (!exact) return false;
  const advise::KnownPattern& pattern = exact->patterns.front();
  auto load = advisor_.load_found_by(pattern, sec(now));
  if (!load) return false;
  open_[job.id] = {std::move(*load), pattern.mean_throughput, pattern.io_to_compute, 1};
  return true;
}

void Training::end(const JobRun& run) {
  const auto point = open_.find(run.job.id);
  if (point == open_.end()) return;
  if (run.completed && run.bursts > 0) {
    point->second.normalised = run.slowdown();
    points_.push_back(std::move(point->second));
  }
  open_.erase(point);
}

}  // namespace fathom::replay
