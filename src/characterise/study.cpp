// SPDX-License-Identifier: Apache-2.0
#include "characterise/study.h"

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "store/job_rows.h"

namespace fathom {
namespace {

struct Selection {
  std::vector<std::uint32_t> jobs;
  std::vector<LeftOut> left_out;
  void leave_out(const std::string& reason) {
    for (LeftOut& known : left_out)
      if (known.reason == reason) return void(++known.jobs);
    left_out.push_back({reason, 1});
  }
};

Result<Selection> select_named(const Machine& machine, const StudyOptions& options) {
  Selection selection;
  for (const std::string& id : options.job_ids) {
    bool found = false;
    for (std::uint32_t j = 0; j < machine.jobs.size(); ++j) {
      if (machine.jobs[j].id != id) continue;
      found = true;
      if (machine.jobs[j].end == no_time)
        return Error{ErrorKind::unsupported, fmt::format("characterising job {}: it was still running when the job log was written, so its end is not known", id)};
      if (machine.units[j].empty())
        return Error{ErrorKind::unsupported, fmt::format("characterising job {}: no log says which servers were its own, and no counter carries its tag; "
                                                         "ingest a server map (fathom ingest --map), or use --link window", id)};
      selection.jobs.push_back(j);
    }
    if (!found) return Error{ErrorKind::not_found, fmt::format("characterising job {}: there is no such job in the store", id)};
  }
  std::sort(selection.jobs.begin(), selection.jobs.end());
  selection.jobs.erase(std::unique(selection.jobs.begin(), selection.jobs.end()), selection.jobs.end());
  return selection;
}

Selection select_by_filters(const Machine& machine, const StudyOptions& options) {
  Selection selection;
  const std::set<std::string> excluded(options.exclude.begin(), options.exclude.end());
  for (std::uint32_t j = 0; j < machine.jobs.size(); ++j) {
    const Job& job = machine.jobs[j];
    if (job.end == no_time) {
      selection.leave_out("still running");
    } else if (machine.units[j].empty()) {
      selection.leave_out("no servers known");
    } else if (!options.every_job && seconds(job.end - job.start) < options.min_runtime) {
      selection.leave_out(fmt::format("shorter than {:g} s", options.min_runtime));
    } else if (!options.every_job && excluded.contains(job.name)) {
      selection.leave_out("excluded by name");
    } else {
      selection.jobs.push_back(j);
    }
  }
  return selection;
}

/// Leaves out jobs without I/O, which is known only now.
void filter_by_io(Study& study, Selection& selection) {
  if (!study.options.job_ids.empty() || study.options.every_job) return;
  Analysis kept;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    Measured& m = study.analysis.measured[i];
    const bool reads = m.totals[0] > 0 || m.totals[2] > 0, writes = m.totals[1] > 0 || m.totals[3] > 0;
    if (m.coverage && *m.coverage <= 0) {
      selection.leave_out("not measured");
    } else if (!reads && !writes) {
      selection.leave_out("no I/O");
    } else if (study.options.both_directions && !(reads && writes)) {
      selection.leave_out(reads ? "no writes" : "no reads");
    } else {
      kept.jobs.push_back(study.analysis.jobs[i]);
      kept.measured.push_back(std::move(m));
    }
  }
  study.analysis.jobs = std::move(kept.jobs);
  study.analysis.measured = std::move(kept.measured);
}

}  // namespace

Result<std::vector<std::string>> shared_servers(const Snapshot& snapshot, Database& database) {
  TRY(Rows rows, database.query(fmt::format("SELECT id FROM {} WHERE shared_servers = 1 AND samples > 0", snapshot.rows_of(sources_table))));
  std::string ids;
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", rows.number(0, r));
  TRY_VOID(rows.status());
  std::vector<std::string> servers;
  if (ids.empty()) return servers;
  TRY(Rows names, database.query(fmt::format("SELECT DISTINCT server FROM {} WHERE source IN ({}) ORDER BY 1", snapshot.rows_of(increments_table), ids)));
  while (names.next())
    for (std::size_t r = 0; r < names.size(); ++r) servers.emplace_back(names.text(0, r));
  TRY_VOID(names.status());
  return servers;
}

Result<Study> study(const Store& store, const StudyOptions& given) {
  Study result;
  result.options = given;
  if (result.options.threads == 0) result.options.threads = std::max(1u, std::thread::hardware_concurrency());
  const StudyOptions& options = result.options;
  TRY(Snapshot taken, store.snapshot());
  result.snapshot = std::make_shared<const Snapshot>(std::move(taken));
  const Snapshot& snapshot = *result.snapshot;
  TRY(Database database, Database::open({.threads = options.threads}));
  TRY(std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  if (jobs.empty()) return Error{ErrorKind::not_found, fmt::format("characterising the jobs of {}: the store holds no jobs; ingest a job log", store.path())};
  const std::vector<std::int32_t> days = increment_days(snapshot);
  if (days.empty()) return Error{ErrorKind::not_found, fmt::format("characterising the jobs of {}: the store holds no counters", store.path())};
  const auto first_part = [&](std::size_t done) { options.progress(0.25 * static_cast<double>(done) / static_cast<double>(days.size())); };
  TRY(const IncrementFacts facts, gather_facts(snapshot, days, options.threads, first_part));
  result.increments = facts.increments;
  TRY(std::vector<std::string> shared, shared_servers(snapshot, database));
  TRY(result.machine, build_machine(std::move(jobs), facts, {options.link, options.filesystem, std::move(shared)}));
  const Machine& machine = result.machine;
  Selection selection;
  result.whole = options.job_ids.empty();
  if (result.whole) {
    selection = select_by_filters(machine, options);
  } else {
    TRY(selection, select_named(machine, options));
  }
  AnalysisOptions analysis;
  analysis.link = options.link;
  analysis.sweep = {options.slot, options.thresholds, options.small, options.distribution};
  analysis.threads = options.threads;
  analysis.progress = [&](double share) { options.progress(0.25 + 0.75 * share); };
  TRY(result.analysis, analyse(snapshot, machine, selection.jobs, plan_days(machine, selection.jobs, result.whole), analysis));
  if (!result.analysis.ledger.conserved())
    return Error{ErrorKind::damaged, "linking increments to jobs: jobs + unattributed is not the total; please report this"};
  filter_by_io(result, selection);
  result.left_out = std::move(selection.left_out);
  return result;
}

}  // namespace fathom
