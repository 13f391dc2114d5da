// SPDX-License-Identifier: Apache-2.0
#include "slurm/controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.h"

namespace fathom::slurm {
namespace {

constexpr Duration tolerance = std::chrono::seconds(5);  // Slurm keeps whole seconds, and the command takes some time
constexpr std::size_t longest_note = 400;

Duration from_seconds(double value) { return Duration{static_cast<std::int64_t>(value * 1e6)}; }

}  // namespace

std::string make_note(std::string_view others, std::string_view ours) {
  std::string note(others);
  if (!note.empty()) note += "; ";
  const std::size_t begin = note.size();
  note += note_begins;
  note += ours;
  for (std::size_t i = begin; i < note.size(); ++i)
    if (note[i] < ' ' || note[i] > '~') note[i] = '?';
  if (note.size() > begin + longest_note) note.resize(begin + longest_note);
  return note;
}

std::string_view others_part(std::string_view note) {
  if (note.starts_with(note_begins)) return {};
  const std::size_t at = note.find(fmt::format("; {}", note_begins));
  return note.substr(0, at);
}

std::size_t Controller::held() const {
  return static_cast<std::size_t>(std::count_if(memory_.begin(), memory_.end(), [](const auto& each) { return each.second.held(); }));
}

void Controller::tell(const QueuedJob& job, std::string_view what, std::string_view reason) {
  say_(fmt::format("job {} ({}, {}, {} node{}): {}{}: {}", job.id, excerpt(job.user), excerpt(job.name), job.nodes,
                   job.nodes == 1 ? "" : "s", settings_.dry_run ? "would " : "", what, reason));
}

void Controller::note(Time now, const QueuedJob& job, advise::Verdict verdict, const std::string& reason, double waited) {
  if (decided_) decided_({now, job.id, job.user, job.name, job.nodes, verdict, reason, waited});
}

/// Jobs that wait and are known or might be held, the longest waiting first.
std::vector<const QueuedJob*> Controller::candidates(const Queue& queue, Adviser& adviser) const {
  std::vector<const QueuedJob*> found;
  for (const QueuedJob& job : queue.jobs)
    if (job.state == JobState::pending && (memory_.contains(job.id) || adviser.application(job) != nullptr || adviser.on_list(job)))
      found.push_back(&job);
  std::sort(found.begin(), found.end(),
            [](const QueuedJob* a, const QueuedJob* b) { return std::tie(a->submit, a->id) < std::tie(b->submit, b->id); });
  return found;
}

Result<void> Controller::look(Time now, const Queue& queue, Scheduler& scheduler, Adviser& adviser) {
  const std::vector<const QueuedJob*> waiting = candidates(queue, adviser);
  std::set<JobId> there;
  std::vector<JobId> ids;
  for (const QueuedJob* job : waiting) {
    there.insert(job->id);
    ids.push_back(job->id);
  }
  std::erase_if(memory_, [&](const auto& each) { return !there.contains(each.first); });
  std::erase_if(troubled_, [&](const JobId job) { return !there.contains(job); });
  std::erase_if(told_, [&](const auto& each) { return !there.contains(each.first); });
  if (waiting.empty()) return {};
  TRY(const auto eligible, scheduler.eligible(ids));
  std::vector<Waiting> looked_at;
  for (const QueuedJob* job : waiting) {
    const auto at = eligible.find(job->id);
    if (at == eligible.end()) continue;  // gone meanwhile
    const Waiting each{job, at->second};
    const auto met = meet(now, each, scheduler);
    if (!met) have_trouble(*job, "left as it is", met.error());
    if (met && *met) looked_at.push_back(each);
  }
  // Those that were told to run a moment ago count before anything is decided on others.
  for (const Waiting& each : looked_at) {
    const Remembered& known = memory_.at(each.job->id);
    if (!known.held() && known.free_since != no_time && now - known.free_since < from_seconds(settings_.settle_seconds))
      adviser.expect(*each.job);
  }
  for (const Waiting& each : looked_at) decide(now, each, scheduler, adviser);
  return {};
}

/// Brings what is remembered up to date. False: it is nobody's business now.
Result<bool> Controller::meet(Time now, const Waiting& waiting, Scheduler& scheduler) {
  const QueuedJob& job = *waiting.job;
  auto at = memory_.find(job.id);
  if (at != memory_.end() && at->second.submit != job.submit) {
    memory_.erase(at);
    at = memory_.end();
  }
  // No time at which it may begin: it waits for another job, or a person holds it.
  if (at == memory_.end() && waiting.eligible == no_time) return false;
  if (at == memory_.end()) {
    TRY(const std::string note, scheduler.note(job.id));
    // `run` stays on a job that Slurm itself put back into the queue, for some time.
    const bool ours = note.find(fmt::format("{}delay", note_begins)) != std::string::npos;
    const bool waits = waiting.eligible > now;
    if (waits && !ours) return false;  // whoever submitted it wants it to begin later
    Remembered fresh;
    fresh.submit = job.submit;
    fresh.others_note = others_part(note);
    if (waits) {
      fresh.since = job.submit;
      fresh.until = waiting.eligible;
    }
    at = memory_.emplace(job.id, std::move(fresh)).first;
  }
  notice_changes(now, waiting, at->second);
  return !at->second.left_alone;
}

void Controller::notice_changes(Time now, const Waiting& waiting, Remembered& known) {
  if (known.left_alone || settings_.dry_run) return;
  const auto let_go = [&](Time end) {
    known.held_seconds += seconds(std::max(Duration{0}, end - known.since));
    known.since = known.until = no_time;
  };
  if (!known.held()) {
    if (waiting.eligible != no_time && waiting.eligible <= now + tolerance) return;
    known.left_alone = true;
    return tell(*waiting.job, "left alone", "somebody else said when it may begin");
  }
  if (waiting.eligible != no_time && waiting.eligible <= known.until + tolerance && waiting.eligible >= known.until - tolerance) {
    if (known.until <= now) let_go(known.until);  // nobody renewed it in time: it may begin already
    return;
  }
  let_go(now);
  known.left_alone = true;
  tell(*waiting.job, "left alone", "somebody changed when it may begin");
}

void Controller::decide(Time now, const Waiting& waiting, Scheduler& scheduler, Adviser& adviser) {
  const QueuedJob& job = *waiting.job;
  Remembered& known = memory_.at(job.id);
  // Told to run a moment ago: others reckon with it, and it would get in its own way.
  if (!known.held() && known.free_since != no_time && now - known.free_since < from_seconds(settings_.settle_seconds)) return;
  const double left = settings_.max_delay_seconds - known.held_so_far(now);
  const advise::Advice advice = adviser.recommend(job, known.held_so_far(now));
  if (advice.verdict == advise::Verdict::delay && left >= 1) return hold(now, job, known, left, advice.reason, scheduler);
  const bool used_up = advice.verdict == advise::Verdict::delay;
  if (free(now, job, known, used_up ? fmt::format("it was delayed for as long as allowed; {}", advice.reason) : advice.reason, scheduler))
    adviser.expect(job);
  if (left < 1 && !known.held()) known.left_alone = true;
}

void Controller::hold(Time now, const QueuedJob& job, Remembered& known, double left, const std::string& reason, Scheduler& scheduler) {
  const double lease = std::min(settings_.lease_seconds, left);
  const bool told = told_delay(job.id);
  // A lease of which more than half is ahead needs no renewal; nor does one that lasts for all that is left of the delay.
  const bool lasts = known.held() && (seconds(known.until - now) > lease / 2 || seconds(known.until - now) > left - 1);
  if (told && (settings_.dry_run || lasts)) return;
  const auto whole = std::chrono::seconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(lease))));
  if (!settings_.dry_run) {
    const std::string note =
        fmt::format("delay, {:.0f} s so far, {:.0f} s at most: {}", known.held_so_far(now), settings_.max_delay_seconds, reason);
    if (const auto done = scheduler.begin_in(job.id, whole.count(), make_note(known.others_note, note)); !done)
      return have_trouble(job, "not delayed", done.error());
    if (!known.held()) known.since = now;
    known.until = now + whole;
    known.free_since = no_time;
  }
  troubled_.erase(job.id);
  if (!told) {
    tell(job, "delay", reason);
    note(now, job, advise::Verdict::delay, reason, known.held_so_far(now));
  }
  told_[job.id] = advise::Verdict::delay;
}

/// True when it may run from now on.
bool Controller::free(Time now, const QueuedJob& job, Remembered& known, const std::string& reason, Scheduler& scheduler) {
  const double held = known.held_so_far(now);
  if (known.held()) {
    const std::string note = fmt::format("run, after {:.0f} s: {}", held, reason);
    if (!settings_.dry_run)
      if (const auto done = scheduler.begin_in(job.id, 0, make_note(known.others_note, note)); !done) {
        have_trouble(job, "not freed, begins by itself later", done.error());
        return false;
      }
    known.held_seconds = held;
    known.since = known.until = no_time;
  }
  troubled_.erase(job.id);
  const auto told = told_.find(job.id);
  if (told == told_.end() || told->second != advise::Verdict::run) {
    tell(job, held >= 1 ? fmt::format("run, after {:.0f} s", held) : "run", reason);
    note(now, job, advise::Verdict::run, reason, held);
  }
  told_[job.id] = advise::Verdict::run;
  const bool fresh = known.free_since == no_time;
  if (fresh) known.free_since = now;
  return fresh;
}

bool Controller::told_delay(JobId job) const {
  const auto at = told_.find(job);
  return at != told_.end() && at->second == advise::Verdict::delay;
}

void Controller::have_trouble(const QueuedJob& job, std::string_view what, const Error& error) {
  if (troubled_.insert(job.id).second) tell(job, what, error.message);
}

}  // namespace fathom::slurm
