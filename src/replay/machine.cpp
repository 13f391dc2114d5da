// SPDX-License-Identifier: Apache-2.0
#include "replay/machine.h"

#include <algorithm>
#include <array>
#include <queue>

#include "replay/servers.h"
#include "synth/spider_background.h"
#include "synth/spider_scheduler.h"

namespace fathom::replay {
namespace {

using namespace titan;

constexpr std::uint64_t run_streams = 0x700000000u;
constexpr std::uint32_t none = UINT32_MAX;
constexpr double sec(Millis t) { return static_cast<double>(t) / 1000; }

struct Running {
  JobRun run;
  const Application* app = nullptr;
  NodeRanges nodes;
  Random random{0};
  double dies_at = 0;
  std::uint32_t iteration = 0;
  bool restarting = false;
  std::uint32_t burst = none;  // on the OSTs now
  double burst_began = 0, burst_alone = 0;
  enum class Next : std::uint8_t { burst, finish } next = Next::finish;
  bool in_use = false;
};

struct Event {
  double t;
  std::uint64_t job;
  std::uint32_t slot;
  bool death;
  bool operator>(const Event& other) const { return t != other.t ? t > other.t : job > other.job; }
};

class Machine {
 public:
  Machine(const Workload& workload, std::uint64_t seed, Policy& policy)
      : work_(workload), seed_(seed), policy_(policy), scheduler_(workload.applications), interactive_(seed), small_(seed) {
    out_.groups_running.assign(1, 0);
  }

  MachineRun run() {
    for (Millis now = -warm_up; now < work_.end || scheduler_.running() > 0 || !scheduler_.queue().empty(); now += step) one_step(now);
    const double steps = static_cast<double>(std::max<std::int64_t>(1, steps_));
    out_.node_share /= steps * node_count;
    out_.mean_running /= steps;
    for (double* share : {&out_.below_5, &out_.below_100}) *share /= steps * static_cast<double>(ost_count);
    for (double& share : out_.groups_running) share /= steps;
    return std::move(out_);
  }

 private:
  void one_step(Millis now) {
    for (; next_job_ < work_.jobs.size() && work_.jobs[next_job_].submit <= now; ++next_job_) scheduler_.enqueue(work_.jobs[next_job_]);
    for (auto& started : scheduler_.start_jobs(now, [&](const Submission& job) { return policy_.may_start(job, now); }))
      start(std::move(started), now);
    begin_by_hand(now + step);
    while (true) {
      const double due = by_hand_.empty() ? 1e300 : sec(by_hand_.front().begin);
      const double event = events_.empty() ? 1e300 : events_.top().t;
      const double flow = servers_.next().value_or(1e300);
      const double first = std::min({due, event, flow});
      if (first >= sec(now + step)) break;
      if (flow <= event && flow <= due) {
        const auto ended = servers_.finish_next();
        if (ended && owners_[*ended] != none) burst_ended(owners_[*ended], flow);
      } else if (event <= due) {
        const Event next = events_.top();
        events_.pop();
        happen(next);
      } else {
        own(servers_.begin(by_hand_.front(), false, due), none);
        by_hand_.erase(by_hand_.begin());
      }
    }
    read_counters(now);
  }

  void own(std::uint32_t burst, std::uint32_t slot) {
    if (owners_.size() <= burst) owners_.resize(burst + 1, none);
    owners_[burst] = slot;
  }

  /// People's copies and backups, in order of their beginning.
  void begin_by_hand(Millis to) {
    Traffic fresh;
    interactive_.begin_until(to, fresh);
    for (const Burst& burst : fresh.active())
      if (!burst.flows.empty()) by_hand_.push_back(burst);
    std::stable_sort(by_hand_.begin(), by_hand_.end(), [](const Burst& a, const Burst& b) { return a.begin < b.begin; });
  }

  void read_counters(Millis now) {
    const auto moved = servers_.sample(sec(now + step));
    for (auto& direction : small_bytes_) direction.fill(0);
    small_.add(now, small_bytes_);
    bytes_.assign(moved.begin(), moved.end());
    for (std::size_t ost = 0; ost < ost_count; ++ost) bytes_[ost] += static_cast<double>(small_bytes_[0][ost] + small_bytes_[1][ost]);
    policy_.counters(now + step, bytes_);
    if (now < 0 || now >= work_.end) return;
    ++steps_;
    out_.node_share += static_cast<double>(node_count - scheduler_.free_nodes());
    out_.mean_running += static_cast<double>(scheduler_.running());
    if (out_.groups_running.size() <= groups_) out_.groups_running.resize(groups_ + 1, 0);
    ++out_.groups_running[groups_];
    for (const double each : bytes_) {
      out_.below_5 += each < 5e6 * sec(step);
      out_.below_100 += each < 100e6 * sec(step);
    }
  }

  void start(Scheduler::Started started, Millis now) {
    const auto free = std::find_if(running_.begin(), running_.end(), [](const Running& each) { return !each.in_use; });
    const auto slot = static_cast<std::uint32_t>(free - running_.begin());
    if (free == running_.end()) running_.emplace_back();
    Running& job = running_[slot];
    job = Running{};
    job.in_use = true;
    job.run.job = started.job;
    job.run.start = now;
    job.app = &work_.applications[started.job.application];
    job.nodes = std::move(started.nodes);
    job.random = Random::stream(seed_, run_streams + started.job.id);
    const bool cut = started.job.outcome != Outcome::completed;
    job.dies_at = sec(now + (cut ? std::min(started.job.cut, started.job.limit) : started.job.limit));
    job.restarting = job.app->restart_bytes > 0 && !started.job.io_off;
    groups_ += started.job.application >= work_.first_of_groups;
    events_.push({job.dies_at, started.job.id, slot, true});
    policy_.started(started.job, now);
    plan_next(slot, sec(now));
  }

  /// Compute, then I/O, and so on: what others add to the I/O adds to the run.
  void plan_next(std::uint32_t slot, double now) {
    Running& job = running_[slot];
    const Application& app = *job.app;
    const Submission& what = job.run.job;
    double t = 0;
    job.next = Running::Next::burst;
    if (job.restarting) {
      t = now + job.random.uniform(15, 60);
    } else if (app.iterates() && job.iteration < what.iterations) {
      const double jitter = std::clamp(job.random.normal(), -3.0, 3.0) * app.period_jitter;
      t = now + std::max(20.0, sec(app.interval(job.iteration, what.iterations) - app.quiet_burst()) * (1 + jitter));
    } else if (app.kind == Kind::irregular && !what.io_off) {
      t = now + 15 + job.random.exponential(sec(app.period));
      if (t > sec(job.run.start + what.run_time)) job.next = Running::Next::finish;
    } else {
      job.next = Running::Next::finish;
    }
    if (job.next == Running::Next::finish) {
      t = now + job.random.uniform(2, 9);
      if (!app.iterates()) t = std::max(t, sec(job.run.start + what.run_time));
    }
    events_.push({t, what.id, slot, false});
  }

  void happen(const Event& event) {
    Running& job = running_[event.slot];
    if (!job.in_use || job.run.job.id != event.job) return;  // it has ended meanwhile
    if (event.death) return end(event.slot, event.t, false);
    if (job.next == Running::Next::finish) return end(event.slot, event.t, true);
    if (job.run.job.io_off) {  // an iteration that only computes
      ++job.iteration;
      return plan_next(event.slot, event.t);
    }
    const Application& app = *job.app;
    const std::uint64_t usual = job.restarting ? app.restart_bytes : app.burst_bytes;
    double volume = app.volume_jitter > 0.5 ? job.random.lognormal(1, app.volume_jitter) : 1 + app.volume_jitter * job.random.normal();
    volume = app.volume_jitter > 0 ? std::clamp(volume, 0.1, 6.0) : 1;
    const auto bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(usual) * volume));
    const Burst burst = make_burst(bytes, app.footprint, app.partition, app.rate, job.random);
    job.burst_began = event.t;
    job.burst_alone = Servers::alone_seconds(burst);
    job.burst = servers_.begin(burst, true, event.t);
    own(job.burst, event.slot);
  }

  void burst_ended(std::uint32_t slot, double now) {
    Running& job = running_[slot];
    job.burst = none;
    ++job.run.bursts;
    job.run.io_seconds += now - job.burst_began;
    job.run.alone_seconds += job.burst_alone;
    if (job.restarting) {
      job.restarting = false;
    } else {
      ++job.iteration;
    }
    plan_next(slot, now);
  }

  void end(std::uint32_t slot, double now, bool completed) {
    Running& job = running_[slot];
    if (job.burst != none) servers_.cancel(job.burst, now);
    job.run.end = static_cast<Millis>(now * 1000);
    job.run.completed = completed;
    scheduler_.release(job.run.job.id, job.nodes);
    groups_ -= job.run.job.application >= work_.first_of_groups;
    policy_.ended(job.run, job.run.end);
    if (job.run.job.submit >= 0) {
      out_.jobs.push_back(job.run);
      out_.makespan = std::max(out_.makespan, job.run.end);
    }
    job.in_use = false;
  }

  const Workload& work_;
  std::uint64_t seed_;
  Policy& policy_;
  Scheduler scheduler_;
  Interactive interactive_;
  SmallRequests small_;
  Servers servers_;
  std::vector<Running> running_;
  std::vector<std::uint32_t> owners_;  // of the bursts on the servers: slot of the job
  std::vector<Burst> by_hand_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t next_job_ = 0, groups_ = 0;
  std::int64_t steps_ = 0;
  StepBytes small_bytes_{};
  std::vector<double> bytes_;
  MachineRun out_;
};

}  // namespace

MachineRun run_machine(const Workload& workload, std::uint64_t seed, Policy& policy) { return Machine(workload, seed, policy).run(); }

}  // namespace fathom::replay
