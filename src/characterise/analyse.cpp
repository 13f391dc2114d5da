// SPDX-License-Identifier: Apache-2.0
#include "characterise/analyse.h"

#include <algorithm>
#include <set>

#include "characterise/workers.h"
#include "store/increment_scan.h"

namespace fathom {
namespace {

/// Parts of jobs that still wait for another day.
class Waiting {
 public:
  Waiting(const Machine& machine, const std::vector<std::uint32_t>& jobs)
      : parts_(machine.jobs.size()), days_left_(machine.jobs.size(), 0) {
    by_day_.resize(machine.days.size());
    for (const std::uint32_t job : jobs) {
      for (const std::uint32_t day : machine.days_of(job)) {
        ++days_left_[job];
        by_day_[day].push_back(job);
      }
    }
  }

  /// Takes what a day gave and returns the jobs that are complete now.
  std::vector<std::uint32_t> add(std::uint32_t day, std::vector<LinkedPart> parts) {
    const std::lock_guard lock(mutex_);
    for (LinkedPart& part : parts) parts_[part.job].push_back(std::move(part));
    std::vector<std::uint32_t> complete;
    for (const std::uint32_t job : by_day_[day])
      if (--days_left_[job] == 0) complete.push_back(job);
    return complete;
  }
  std::vector<LinkedPart> take(std::uint32_t job) { return std::move(parts_[job]); }
  bool never_seen(std::uint32_t job) const { return days_left_[job] == 0 && parts_[job].empty(); }

 private:
  std::mutex mutex_;
  std::vector<std::vector<LinkedPart>> parts_;
  std::vector<std::uint32_t> days_left_;
  std::vector<std::vector<std::uint32_t>> by_day_;
};

/// The numbers of a thread's own series index in terms of the machine's.
class SeriesNumbers {
 public:
  explicit SeriesNumbers(const Machine& machine) {
    for (std::uint32_t s = 0; s < machine.series.size(); ++s) numbers_[machine.series[s].name] = s;
  }
  SeriesId of(const SeriesIndex& index, SeriesId own) {
    if (own >= known_.size()) known_.resize(index.names().size(), UINT32_MAX);
    if (known_[own] == UINT32_MAX) known_[own] = numbers_.at(index.names()[own]);
    return known_[own];
  }

 private:
  std::map<SeriesName, SeriesId> numbers_;
  std::vector<SeriesId> known_;
};

struct LinkWorker {
  SeriesIndex index;
  SeriesNumbers numbers;
  Ledger ledger;
  std::vector<Conflict> conflicts;
  std::vector<std::array<double, stretch_flows>> server_totals;
  std::vector<CounterMask> server_has;
};

/// Links one day; what is not to be counted in the ledger is counted in a throw-away one.
Result<std::vector<LinkedPart>> link_day(const Snapshot& snapshot, Database& database, const Machine& machine, const DayTask& task,
                                         LinkStrategy link, std::span<const std::uint8_t> wanted, LinkWorker& worker) {
  Linker linker(link, machine.spans, machine.rules);
  const ScanOptions scan{.servers = task.servers.empty() ? nullptr : &task.servers};
  TRY_VOID(scan_increments(snapshot, database, machine.days[task.day], worker.index, scan, [&](const IncrementRun& found) {
    IncrementRun run = found;
    run.series = worker.numbers.of(worker.index, found.series);
    linker.link(run, wanted);
    if (!task.in_ledger || machine.rules[run.series].schedule == nullptr) return;
    auto& totals = worker.server_totals[machine.series[run.series].server];
    CounterMask& has = worker.server_has[machine.series[run.series].server];
    for (std::size_t f = 0; f < stretch_flows; ++f) {
      const std::size_t c = f == metadata_flow ? index(Counter::metadata_ops) : f;
      std::int64_t sum = 0;
      bool any = false;
      for (std::size_t i = 0; i < run.size; ++i) {
        const bool known = run.has(c, i);
        any = any || known;
        sum += known ? run.amounts[c][i] : 0;
      }
      totals[f] += static_cast<double>(sum);
      if (any) has |= static_cast<CounterMask>(1u << c);
    }
  }));
  if (task.in_ledger) worker.ledger.add(linker.ledger());
  auto conflicts = linker.take_conflicts();
  worker.conflicts.insert(worker.conflicts.end(), conflicts.begin(), conflicts.end());
  return linker.take_parts();
}

std::uint32_t jobs_meanwhile(const Machine& machine, std::uint32_t job) {
  const JobSpan& own = machine.spans[job];
  std::uint32_t others = 0;
  for (std::uint32_t j = 0; j < machine.spans.size() && machine.spans[j].start < own.end; ++j)
    others += j != job && machine.spans[j].end > own.start && machine.spans[j].start < machine.spans[j].end;
  return others;
}

void count_other_jobs(Analysis& analysis, const Machine& machine, std::vector<Conflict> conflicts, LinkStrategy link) {
  std::vector<std::uint32_t> place(machine.jobs.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < analysis.jobs.size(); ++i) place[analysis.jobs[i]] = i;
  if (link == LinkStrategy::window) {
    for (std::uint32_t i = 0; i < analysis.jobs.size(); ++i) analysis.measured[i].other_jobs = jobs_meanwhile(machine, analysis.jobs[i]);
    return;
  }
  std::sort(conflicts.begin(), conflicts.end());
  conflicts.erase(std::unique(conflicts.begin(), conflicts.end()), conflicts.end());
  for (const auto& [job, other] : conflicts)
    if (place[job] != UINT32_MAX) ++analysis.measured[place[job]].other_jobs;
}

}  // namespace

std::vector<DayTask> plan_days(const Machine& machine, const std::vector<std::uint32_t>& jobs, bool all) {
  std::vector<DayTask> tasks;
  if (all) {
    for (std::uint32_t d = 0; d < machine.days.size(); ++d) tasks.push_back({d, {}, true});
    return tasks;
  }
  std::map<std::uint32_t, std::set<std::string>> needed;
  for (const std::uint32_t job : jobs)
    for (const std::uint32_t day : machine.days_of(job))
      for (const std::uint32_t server : machine.units[job]) needed[day].insert(machine.servers[server]);
  for (const auto& [day, servers] : needed) tasks.push_back({day, {servers.begin(), servers.end()}, true});
  return tasks;
}

std::vector<DayTask> plan_days(const Machine& machine, const std::vector<std::uint32_t>& jobs, const std::vector<std::uint8_t>& own,
                               const std::vector<DayTask>& of_all) {
  std::vector<DayTask> tasks;
  for (DayTask& task : plan_days(machine, jobs, false)) {
    if (own[task.day]) continue;
    task.in_ledger = false;
    tasks.push_back(std::move(task));
  }
  for (const DayTask& task : of_all)
    if (own[task.day]) tasks.push_back(task);
  std::sort(tasks.begin(), tasks.end(), [](const DayTask& a, const DayTask& b) { return a.day < b.day; });
  return tasks;
}

Result<Analysis> analyse(const Snapshot& snapshot, const Machine& machine, const std::vector<std::uint32_t>& jobs,
                         const std::vector<DayTask>& tasks, const AnalysisOptions& options) {
  Analysis analysis;
  analysis.jobs = jobs;
  analysis.measured.resize(jobs.size());
  std::vector<std::uint32_t> place(machine.jobs.size(), UINT32_MAX);
  std::vector<std::uint8_t> wanted(machine.jobs.size(), 0);
  for (std::uint32_t i = 0; i < jobs.size(); ++i) place[jobs[i]] = i, wanted[jobs[i]] = 1;
  Waiting waiting(machine, jobs);
  std::vector<std::unique_ptr<LinkWorker>> workers;
  std::vector<Sweeper> sweepers;
  for (unsigned t = 0; t < options.threads; ++t) {
    workers.push_back(std::make_unique<LinkWorker>(LinkWorker{{}, SeriesNumbers(machine), {}, {}, {}, {}}));
    workers.back()->server_totals.resize(machine.servers.size());
    workers.back()->server_has.resize(machine.servers.size());
    sweepers.emplace_back(options.sweep);
  }
  const auto measure_job = [&](std::uint32_t job, unsigned thread) {
    const AssembledJob assembled = assemble(machine, job, waiting.take(job));
    analysis.measured[place[job]] = measure(machine, job, assembled, sweepers[thread], options.link);
  };
  std::vector<std::int32_t> numbers(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
  const auto progress = [&](std::size_t done) { options.progress(static_cast<double>(done) / static_cast<double>(tasks.size())); };
  TRY_VOID(work_on_days(numbers, options.threads, progress, [&](Database& database, unsigned thread, std::int32_t number) -> Result<void> {
    const DayTask& task = tasks[static_cast<std::size_t>(number)];
    TRY(std::vector<LinkedPart> parts, link_day(snapshot, database, machine, task, options.link, wanted, *workers[thread]));
    for (const std::uint32_t job : waiting.add(task.day, std::move(parts))) measure_job(job, thread);
    return {};
  }));
  for (const std::uint32_t job : jobs)
    if (analysis.measured[place[job]].units == 0 && waiting.never_seen(job)) measure_job(job, 0);  // no day has anything of it
  analysis.server_totals.resize(machine.servers.size());
  analysis.server_has.resize(machine.servers.size());
  std::vector<Conflict> conflicts;
  for (const auto& worker : workers) {
    analysis.ledger.add(worker->ledger);
    conflicts.insert(conflicts.end(), worker->conflicts.begin(), worker->conflicts.end());
    for (std::size_t s = 0; s < machine.servers.size(); ++s) {
      for (std::size_t f = 0; f < stretch_flows; ++f) analysis.server_totals[s][f] += worker->server_totals[s][f];
      analysis.server_has[s] |= worker->server_has[s];
    }
  }
  count_other_jobs(analysis, machine, std::move(conflicts), options.link);
  return analysis;
}

Result<LinkedJob> link_job(const Snapshot& snapshot, const Machine& machine, std::uint32_t job, LinkStrategy link) {
  std::vector<std::uint8_t> wanted(machine.jobs.size(), 0);
  wanted[job] = 1;
  LinkWorker worker{{}, SeriesNumbers(machine), {}, {}, {}, {}};
  worker.server_totals.resize(machine.servers.size());
  worker.server_has.resize(machine.servers.size());
  LinkedJob linked;
  TRY(Database database, Database::open({.threads = 1}));
  for (const DayTask& task : plan_days(machine, {job}, false)) {
    TRY(std::vector<LinkedPart> parts, link_day(snapshot, database, machine, task, link, wanted, worker));
    for (LinkedPart& part : parts)
      if (part.job == job) linked.parts.push_back(std::move(part));
  }
  if (link == LinkStrategy::window) {
    linked.other_jobs = jobs_meanwhile(machine, job);
    return linked;
  }
  std::set<std::uint32_t> others;
  for (const Conflict& conflict : worker.conflicts)
    if (conflict.job == job) others.insert(conflict.other);
  linked.other_jobs = static_cast<std::uint32_t>(others.size());
  return linked;
}

}  // namespace fathom
