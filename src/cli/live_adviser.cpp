// SPDX-License-Identifier: Apache-2.0
#include "cli/live_adviser.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "store_advice/store_load.h"

namespace fathom {
namespace {

std::optional<std::uint32_t> number_of(const std::string& user) {
  std::vector<char> space(1 << 16);
  passwd entry{}, *found = nullptr;
  if (::getpwnam_r(user.c_str(), &entry, space.data(), space.size(), &found) != 0 || found == nullptr) return std::nullopt;
  return found->pw_uid;
}

}  // namespace

Result<void> LiveAdviser::read_knowledge() {
  TRY(const Store store, Store::open(settings_.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const KnownApplications known, known_applications(snapshot));
  known_.clear();
  for (const auto& [key, application] : known)
    known_.emplace(ApplicationKey{application.user, slurm::accounting_name(application.name), application.nodes}, application);
  list_.clear();
  std::map<std::string, std::optional<std::uint32_t>> numbers;
  for (const auto& [key, application] : known_) {
    const auto [at, first] = numbers.try_emplace(application.user);
    if (first) at->second = number_of(application.user);
    if (at->second) list_.emplace(*at->second, std::get<1>(key));
  }
  return {};
}

void LiveAdviser::begin(Time now, const slurm::Queue& queue) {
  now_ = now;
  queue_ = &queue;
  load_read_ = false;
  advisor_.reset();
}

const std::string& LiveAdviser::blind() {
  read_load();
  return blind_;
}

const advise::KnownApplication* LiveAdviser::application(const slurm::QueuedJob& job) {
  const auto at = known_.find({job.user, job.name, job.nodes});
  return at == known_.end() ? nullptr : &at->second;
}

advise::Advice LiveAdviser::recommend(const slurm::QueuedJob& job, double held_seconds) {
  const advise::KnownApplication* known = application(job);
  if (known == nullptr) return {advise::Verdict::run, fmt::format("nothing is known of this application's I/O on {} nodes", job.nodes), {}};
  read_load();
  if (!advisor_) return {advise::Verdict::run, blind_, {}};
  return advisor_->recommend(known, at_, held_seconds);
}

void LiveAdviser::expect(const slurm::QueuedJob& job) {
  const advise::KnownApplication* known = application(job);
  if (known == nullptr) return;
  read_load();
  if (advisor_) advisor_->job_started(job.id, *known, at_, job.limit_seconds);
}

void LiveAdviser::read_load() {
  if (load_read_) return;
  load_read_ = true;
  blind_.clear();
  if (const auto made = make_advisor(); !made) {
    advisor_.reset();
    blind_ = made.error().message;
  }
}

Result<void> LiveAdviser::make_advisor() {
  TRY(const Store store, Store::open(settings_.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const StoreLoad load, store_load(snapshot, no_time, {}, settings_.trained.load));
  const double age = seconds(now_ - load.at);
  if (age > settings_.stale_seconds)
    return Error{ErrorKind::not_found, fmt::format("the newest counters are {:.0f} s old, more than {:g} s: nobody knows the load", age,
                                                   settings_.stale_seconds)};
  TRY(advise::Advisor advisor,
      advise::Advisor::make(settings_.trained, load.partitions, load.servers.size(), settings_.advice, load.slot_seconds));
  for (const auto& slot : load.slots) advisor.add_slot(slot);
  at_ = unix_seconds(load.at);
  std::vector<const slurm::QueuedJob*> running;
  for (const slurm::QueuedJob& job : queue_->jobs)
    if (job.state == slurm::JobState::running && job.start != no_time && application(job) != nullptr) running.push_back(&job);
  std::sort(running.begin(), running.end(),
            [](const auto* a, const auto* b) { return std::tie(a->start, a->id) < std::tie(b->start, b->id); });
  // What began after the newest counters is in none of them.
  for (const slurm::QueuedJob* job : running)
    advisor.job_started(job->id, *application(*job), std::min(at_, unix_seconds(job->start)), job->limit_seconds);
  advisor_ = std::move(advisor);
  return {};
}

}  // namespace fathom
