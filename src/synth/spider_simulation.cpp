// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_simulation.h"

#include <algorithm>
#include <memory>
#include <queue>

#include "synth/spider_background.h"
#include "synth/spider_piggy_back.h"

namespace fathom::titan {

namespace {

constexpr std::uint64_t run_streams = 0x500000000u;

/// A code with two patterns writes one thing at a time, and computes for so long in between.
constexpr Millis between_patterns = 30 * second;

Millis whole_second_after(Millis t) { return t >= 0 ? (t + second - 1) / second * second : -(-t / second) * second; }

/// A job that runs: what it does next, and when.
struct Run {
  enum class Next : std::uint8_t { burst, finish, die };
  JobRecord record;
  Random random{0};
  Millis dies_at = 0;
  std::uint32_t iteration = 0;  // of the first pattern
  std::array<Millis, 2> due{};  // the next burst of each pattern by its own clock
  Millis waited = 0;            // so long did the present burst wait for the other pattern's
  std::uint8_t pattern = 0;     // whose burst is next
  bool restarting = false;
  Next next = Next::finish;
  bool in_use = false;
};

struct Event {
  Millis t;
  std::uint64_t job;
  std::uint32_t slot;
  bool operator>(const Event& other) const { return t != other.t ? t > other.t : job > other.job; }
};

class Machine {
 public:
  Machine(const SynthOptions& options, Watcher& watcher, bool counting, const SpiderVariant& variant, std::int64_t samples)
      : watcher_(watcher),
        seed_(options.seed),
        samples_(samples),
        apps_(applications(options.seed, variant, options.days.value_or(default_days))),
        workload_(apps_, options.seed, samples * step, options.jobs, variant.most_running),
        piggy_back_(apps_, options.seed),
        scheduler_(apps_, variant.most_running),
        interactive_(options.seed, variant.background) {
    if (counting) {
      small_ = std::make_unique<SmallRequests>(options.seed, variant.background);
      counters_ = std::make_unique<OstCounters>(options.seed, samples);
    }
  }

  void run(const std::function<void(double)>& progress) {
    if (counters_) watcher_.reading(0, counters_->values());
    const Millis end = (samples_ - 1) * step;
    for (Millis now = -warm_up; now < end && watcher_.go_on(); now += step) {
      one_step(now);
      if (now % (20 * minute) == 0) progress(static_cast<double>(now + warm_up) / static_cast<double>(end + warm_up));
    }
    stop(end);
    if (counters_) watcher_.finish(apps_, *counters_);
    progress(1);
  }

 private:
  void one_step(Millis now) {
    submitted_.clear();
    workload_.submit(now - step, now, scheduler_.running(), scheduler_.queue().size(), submitted_);
    for (const Submission& job : submitted_) scheduler_.enqueue(job);
    submitted_.clear();
    piggy_back_.submit(
        now, [this](std::uint64_t id) { return runs(id); }, workload_, submitted_);
    for (const Submission& job : submitted_) scheduler_.enqueue_first(job);
    for (const Submission& job : scheduler_.drop_cancelled(now)) never_ran(job);
    for (auto& started : scheduler_.start_jobs(now)) begin_run(std::move(started), now);

    interactive_.begin_until(now + step, traffic_);
    while (!events_.empty() && events_.top().t < now + step) {
      const Event event = events_.top();
      events_.pop();
      happen(event);
    }
    for (auto& direction : bytes_) direction.fill(0);
    for (const Burst& burst : traffic_.advance(now, bytes_)) burst_ended(burst);
    if (!counters_ || now < 0) return;
    small_->add(now, bytes_);
    if (counters_->advance(now / step + 1, bytes_)) watcher_.reading(now + step, counters_->values());
  }

  bool runs(std::uint64_t id) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) { return run.in_use && run.record.submission.id == id; });
  }

  void begin_run(Scheduler::Started started, Millis now) {
    const auto free = std::find_if(runs_.begin(), runs_.end(), [](const Run& run) { return !run.in_use; });
    const auto slot = static_cast<std::uint32_t>(free - runs_.begin());
    if (free == runs_.end()) runs_.emplace_back();
    Run& run = runs_[slot];
    run = Run{};
    run.in_use = true;
    run.random = Random::stream(seed_, run_streams + started.job.id);
    JobRecord& record = run.record;
    record.application = &apps_[started.job.application];
    record.submission = started.job;
    record.nodes = std::move(started.nodes);
    record.ran = true;
    record.start = now + run.random.whole(1, 8) * second;
    const bool cut = started.job.outcome != Outcome::completed;
    run.dies_at = record.start + (cut ? std::min(started.job.cut, started.job.limit) : started.job.limit);
    run.restarting = record.application->restart_bytes > 0 && !started.job.io_off;
    piggy_back_.job_started(started.job, record.start);
    if (record.application->second) run.due[1] = record.start + compute(run, 1);
    plan_next(slot, record.start);
  }

  /// How long the run computes until the next burst of a pattern.
  Millis compute(Run& run, std::size_t which) const {
    const Pattern& pattern = run.record.application->pattern(which);
    const double jitter = std::clamp(run.random.normal(), -3.0, 3.0) * pattern.period_jitter;
    const Millis interval = pattern.interval(run.iteration, run.record.submission.iterations);
    return std::max<Millis>(20 * second, static_cast<Millis>(static_cast<double>(interval - pattern.quiet_burst()) * (1 + jitter)));
  }

  /// The next burst of an application that iterates; the latest one, of `run.pattern`, ended now. Waiting for the other pattern
  /// does not move a pattern's clock, or both would fall into step.
  Millis next_burst(Run& run, Millis now) const {
    run.due[run.pattern] = now - run.waited + compute(run, run.pattern);
    if (!run.record.application->second || run.record.submission.io_off) return run.due[0];
    run.pattern = run.due[1] < run.due[0] ? 1 : 0;
    const Millis due = run.due[run.pattern], begin = std::max(due, now + between_patterns);
    run.waited = begin - due;
    return begin;
  }

  /// Compute, then I/O, and so on: the interval between bursts grows by what others make the I/O take.
  void plan_next(std::uint32_t slot, Millis now) {
    Run& run = runs_[slot];
    const Application& app = *run.record.application;
    const Submission& job = run.record.submission;
    Millis t = 0;
    run.next = Run::Next::burst;
    if (run.restarting) {
      t = now + run.random.whole(15, 60) * second;
    } else if (app.iterates() && run.iteration < job.iterations) {
      t = next_burst(run, now);
    } else if (app.kind == Kind::irregular && !job.io_off) {
      t = now + 15 * second + static_cast<Millis>(run.random.exponential(static_cast<double>(app.period)));
      if (t > run.record.start + job.run_time) run.next = Run::Next::finish;
    } else {
      run.next = Run::Next::finish;
    }
    if (run.next == Run::Next::finish) {
      const Millis wrap_up = now + run.random.whole(2, 9) * second;
      t = app.iterates() ? wrap_up : std::max(wrap_up, run.record.start + job.run_time);
    }
    if (t >= run.dies_at) {
      t = run.dies_at;
      run.next = Run::Next::die;
    }
    events_.push({t, job.id, slot});
  }

  void happen(const Event& event) {
    Run& run = runs_[event.slot];
    const Submission& job = run.record.submission;
    if (run.next == Run::Next::finish) return end_run(event.slot, event.t, "COMPLETED");
    if (run.next == Run::Next::die) return die(event.slot, event.t);
    if (job.io_off) {  // an iteration that only computes
      ++run.iteration;
      return plan_next(event.slot, event.t);
    }
    const Application& app = *run.record.application;
    const Pattern& pattern = app.pattern(run.pattern);
    const std::uint64_t usual = run.restarting ? app.restart_bytes : pattern.burst_bytes;
    double volume =
        pattern.volume_jitter > 0.5 ? run.random.lognormal(1, pattern.volume_jitter) : 1 + pattern.volume_jitter * run.random.normal();
    volume = pattern.volume_jitter > 0 ? std::clamp(volume, 0.1, 6.0) : 1;
    Burst burst = make_burst(static_cast<std::uint64_t>(static_cast<double>(usual) * volume), pattern.footprint, app.partition,
                             pattern.rate, run.random);
    burst.owner = event.slot;
    burst.begin = event.t;
    burst.deadline = run.dies_at;
    burst.restart = run.restarting;
    burst.pattern = run.pattern;
    burst.direction = run.restarting || (pattern.reading > 0 && run.random.chance(pattern.reading)) ? Direction::read : Direction::write;
    traffic_.begin(std::move(burst));
  }

  void note(const Burst& burst) {
    Run& run = runs_[burst.owner];
    run.record.bytes[static_cast<std::size_t>(burst.direction)] += burst.moved;
    if (burst.restart) return;
    if (run.record.application->iterates() && burst.begin >= 0)
      watcher_.burst({run.record.application, run.record.submission.id, run.record.bursts, &burst, burst.pattern});
    ++run.record.bursts;
  }

  void burst_ended(const Burst& burst) {
    if (burst.owner == Burst::nobody) return;
    note(burst);
    if (!burst.done()) return die(burst.owner, burst.deadline);
    Run& run = runs_[burst.owner];
    if (burst.restart) {
      run.restarting = false;
    } else if (burst.pattern == 0) {
      ++run.iteration;
    }
    plan_next(burst.owner, burst.end);
  }

  void die(std::uint32_t slot, Millis t) {
    const Submission& job = runs_[slot].record.submission;
    const bool at_limit = job.outcome == Outcome::completed || job.cut > job.limit;
    end_run(slot, t, at_limit ? "TIMEOUT" : job.outcome == Outcome::failed ? "FAILED" : "CANCELLED");
  }

  void end_run(std::uint32_t slot, Millis t, std::string_view state) {
    Run& run = runs_[slot];
    run.record.end = whole_second_after(t);
    run.record.state = state;
    scheduler_.release(run.record.submission.id, run.record.nodes);
    if (run.record.end > 0) watcher_.job(run.record);  // the log is asked for jobs that ended in its days, or run still
    run.in_use = false;
  }

  void never_ran(const Submission& job) {
    JobRecord record;
    record.application = &apps_[job.application];
    record.submission = job;
    record.state = "CANCELLED";
    record.start = record.end = job.submit + job.cut;
    if (record.end > 0) watcher_.job(record);
  }

  /// The log ends; jobs and bursts do not.
  void stop(Millis end) {
    for (Burst burst : traffic_.active()) {
      if (burst.owner == Burst::nobody || burst.begin >= end) continue;
      burst.end = end;
      note(burst);
    }
    for (Run& run : runs_) {
      if (!run.in_use) continue;
      run.record.state = "RUNNING";
      watcher_.job(run.record);
    }
    for (const Submission& job : scheduler_.queue()) {
      JobRecord record;
      record.application = &apps_[job.application];
      record.submission = job;
      record.state = "PENDING";
      watcher_.job(record);
    }
  }

  Watcher& watcher_;
  std::uint64_t seed_;
  std::int64_t samples_;
  std::vector<Application> apps_;
  Workload workload_;
  PiggyBack piggy_back_;
  Scheduler scheduler_;
  Interactive interactive_;
  Traffic traffic_;
  std::unique_ptr<SmallRequests> small_;
  std::unique_ptr<OstCounters> counters_;
  std::vector<Run> runs_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Submission> submitted_;
  StepBytes bytes_{};
};

}  // namespace

void simulate(const SynthOptions& options, Watcher& watcher, bool counting, const SpiderVariant& variant) {
  Machine machine(options, watcher, counting, variant, sample_count(options.days.value_or(default_days)));
  machine.run(options.progress);
}

}  // namespace fathom::titan
