// SPDX-License-Identifier: Apache-2.0
#include "synth/blue_gene.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "synth/batch_queue.h"
#include "synth/blue_gene_racks.h"
#include "synth/gpfs_logs.h"
#include "synth/gpfs_node.h"
#include "synth/io_phases.h"
#include "synth/truth.h"

namespace fathom {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3600 * second;
constexpr std::int64_t day = 24 * hour;
constexpr std::int64_t warm_up = 86400;  // seconds: the machine is in full use when its logs begin

/// Runs the machine an hour at a time and hands its answers out in the order in which they reach the log.
class Operation {
 public:
  using Out = std::function<void(const Answer&)>;

  Operation(const BlueGene& machine, const SynthOptions& options)
      : machine_(machine),
        options_(options),
        racks_(machine.racks, machine.last_rack_by_card),
        mix_(options.seed, machine.workload),
        queue_(mix_, racks_, options.seed, first_second - warm_up, machine.jobs_per_day) {
    const double asked = options.days.value_or(machine.days);
    const double days = asked > 0 ? std::min(asked, 36500.0) : 0;  // not a number is no day
    period_ = {first_second * second, first_second * second + static_cast<std::int64_t>(days * 86400) * second};
    for (std::uint32_t i = 0; i < racks_.servers().size(); ++i)
      nodes_.emplace_back(options.seed, i, racks_.midplane_of(i), machine_.filesystems, machine_.faults, period_, truth_);
  }

  void run(const Out& out) {
    start_jobs(period_.begin);
    for (std::int64_t now = period_.begin; now < period_.end;) {
      if ((now - period_.begin) % day == 0) plan_faults(now);
      const std::int64_t next = std::min(now + hour, period_.end);
      start_jobs(next);
      for (GpfsNode& node : nodes_) node.advance(next, [&](const Answer& answer) { waiting_.push_back(answer); });
      hand_out(next, out);
      options_.progress(static_cast<double>(next - period_.begin) / static_cast<double>(period_.end - period_.begin));
      now = next;
    }
    hand_out(INT64_MAX, out);
    for (GpfsNode& node : nodes_) node.finish();
  }

  const Truth& truth() const { return truth_; }
  const std::vector<std::string>& servers() const { return racks_.servers(); }
  Period period() const { return period_; }

 private:
  void plan_faults(std::int64_t now) {
    const auto servers = static_cast<std::uint32_t>(nodes_.size());
    const auto filesystems = static_cast<std::uint8_t>(machine_.filesystems.size());
    for (const Fault& fault :
         faults_of_day(machine_.faults, options_.seed, static_cast<std::int32_t>(now / day), period_.end, servers, filesystems))
      nodes_[fault.server].plan(fault);
  }

  void start_jobs(std::int64_t until) {
    for (const StartedJob& started : queue_.run_until(until / second)) {
      if (started.end() * second <= period_.begin) continue;
      if (options_.jobs && truth_.jobs.size() >= *options_.jobs) return;
      const auto number = static_cast<std::uint32_t>(truth_.jobs.size());
      truth_.jobs.push_back(describe(started));
      const auto& servers = started.place.servers;
      for (const Flow& flow : io_of(started.run, number, started.start * second, static_cast<std::uint16_t>(servers.size()),
                                    static_cast<std::uint8_t>(machine_.filesystems.size()), options_.seed))
        nodes_[servers[flow.server]].add(flow);
    }
  }

  JobTruth describe(const StartedJob& started) const {
    JobTruth one;
    Job& job = one.job;
    Random random = Random::stream(options_.seed ^ 0x57a7eu, started.run.number);
    job.id = fmt::format("j{:06}", 100000 + started.run.number);
    job.user = started.run.application->user;
    job.name = started.run.application->name;
    job.nodes = started.run.nodes;
    job.node_list = started.place.node_list;
    for (const std::uint32_t server : started.place.servers) job.servers.push_back(racks_.servers()[server]);
    std::sort(job.servers.begin(), job.servers.end());
    job.submit = time_from_seconds(started.submit);
    job.start = time_from_seconds(started.start);
    const bool over = started.end() * second <= period_.end;
    if (over) job.end = time_from_seconds(started.end());
    one.complete = over && started.start * second >= period_.begin;
    job.time_limit = std::chrono::seconds((started.run.seconds / 1800 + random.whole(1, 4)) * 1800);
    job.state = !over ? "RUNNING" : random.chance(started.run.seconds < 3600 ? 0.2 : 0.04) ? "FAILED" : "COMPLETED";
    job.partition = job.nodes < nodes_per_midplane ? "small" : job.nodes <= 1024 ? "medium" : "large";
    return one;
  }

  void hand_out(std::int64_t until, const Out& out) {
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Answer& a, const Answer& b) { return a.written != b.written ? a.written < b.written : a.server < b.server; });
    const auto rest = std::find_if(waiting_.begin(), waiting_.end(), [&](const Answer& answer) { return answer.written >= until; });
    for (auto answer = waiting_.begin(); answer != rest; ++answer) out(*answer);
    waiting_.erase(waiting_.begin(), rest);
  }

  const BlueGene& machine_;
  const SynthOptions& options_;
  Racks racks_;
  JobMix mix_;
  BatchQueue queue_;
  Period period_;
  Truth truth_;
  std::vector<GpfsNode> nodes_;
  std::vector<Answer> waiting_;
};

}  // namespace

Result<void> write_logs(const BlueGene& machine, const SynthOptions& options, const std::string& directory) {
  Operation operation(machine, options);
  const GpfsNames names{operation.servers(), machine.filesystems, machine.cluster};
  TRY_VOID(write_counter_logs(
      names, operation.period(), [&](const auto& out) { operation.run(out); }, directory));
  TRY_VOID(write_jobs(directory + "/jobs.csv", operation.truth().jobs));
  return operation.truth().write(directory + "/truth", operation.servers(), machine.filesystems);
}

Result<void> deliver(const BlueGene& machine, const SynthOptions& options, Harvest& harvest) {
  Operation operation(machine, options);
  const GpfsNames names{operation.servers(), machine.filesystems, machine.cluster};
  deliver_counters(
      names, [&](const auto& out) { operation.run(out); }, harvest);
  for (const JobTruth& one : operation.truth().jobs) harvest.job(one.job);
  return {};
}

}  // namespace fathom
