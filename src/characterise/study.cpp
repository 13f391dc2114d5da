// SPDX-License-Identifier: Apache-2.0
#include "characterise/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "characterise/kept.h"
#include "characterise/packed.h"
#include "characterise/visits.h"
#include "criteria/criterion.h"
#include "store/increment_scan.h"
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
        return Error{ErrorKind::unsupported,
                     fmt::format("characterising job {}: it was still running when the job log was written, so its end is not known", id)};
      if (machine.units[j].empty())
        return Error{ErrorKind::unsupported,
                     fmt::format("characterising job {}: no log says which servers were its own, and no counter carries its tag; "
                                 "ingest a server map (fathom ingest --map), or use --link window",
                                 id)};
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

/// Why a job is left out for its I/O, which is known only now; empty if it is not.
std::string reason_by_io(const StudyOptions& options, bool measured, bool reads, bool writes) {
  if (!measured) return "not measured";
  if (!reads && !writes) return "no I/O";
  if (options.both_directions && !(reads && writes)) return reads ? "no writes" : "no reads";
  return {};
}

void filter_by_io(Study& study, Selection& selection) {
  if (!study.options.job_ids.empty() || study.options.every_job) return;
  const auto place = [](std::string_view name) {
    const auto& columns = value_columns();
    return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), [&](const ValueColumn& c) { return c.name == name; }) -
                                    columns.begin());
  };
  const std::size_t read_bytes = place("read_bytes"), read_ops = place("read_ops"), write_bytes = place("write_bytes"),
                    write_ops = place("write_ops");
  std::erase_if(study.kept, [&](const KeptJob& job) {
    const auto& v = job.values.front();
    const bool measured = job.coverage ? *job.coverage > 0 : job.sampling_step > 0;  // where it has no length: at its moment
    const std::string reason =
        reason_by_io(study.options, measured, v[read_bytes] > 0 || v[read_ops] > 0, v[write_bytes] > 0 || v[write_ops] > 0);
    if (!reason.empty()) selection.leave_out(reason);
    return !reason.empty();
  });
  Analysis kept;
  kept.jobs.reserve(study.analysis.jobs.size()), kept.measured.reserve(study.analysis.jobs.size());
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    Measured& m = study.analysis.measured[i];
    const bool reads = m.totals[0] > 0 || m.totals[2] > 0, writes = m.totals[1] > 0 || m.totals[3] > 0;
    const std::string reason = reason_by_io(study.options, was_measured(m), reads, writes);
    if (!reason.empty()) {
      selection.leave_out(reason);
    } else {
      kept.jobs.push_back(study.analysis.jobs[i]);
      kept.measured.push_back(std::move(m));
    }
  }
  study.analysis.jobs = std::move(kept.jobs);
  study.analysis.measured = std::move(kept.measured);
}

/// Which of the days are this process's own: blocks of about as many rows each.
std::vector<std::uint8_t> own_days(const Snapshot& snapshot, const std::vector<std::int32_t>& days, const Exchange& exchange) {
  std::vector<std::uint64_t> rows(days.size(), 0);
  std::uint64_t all = 0;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name)) {
    rows[static_cast<std::size_t>(std::lower_bound(days.begin(), days.end(), segment->day) - days.begin())] += segment->rows;
    all += segment->rows;
  }
  std::vector<std::uint8_t> own(days.size(), 0);
  std::uint64_t before = 0;
  for (std::size_t d = 0; d < days.size(); ++d) {
    const std::uint64_t middle = before + rows[d] / 2;
    own[d] = static_cast<int>(middle * static_cast<std::uint64_t>(exchange.size) / std::max<std::uint64_t>(all, 1)) == exchange.rank;
    before += rows[d];
  }
  return own;
}

/// All processes must look at the same moment of the store.
Result<void> same_moment(const Snapshot& snapshot, const Exchange& exchange) {
  TRY(const std::vector<std::string> commits, exchange.all_gather(std::to_string(snapshot.manifest().commit)));
  for (const std::string& commit : commits)
    if (commit != commits.front())
      return Error{ErrorKind::busy, "starting on several ranks: the store was changed in between; start again"};
  return {};
}

Result<IncrementFacts> gather_all_facts(const Snapshot& snapshot, const std::vector<std::int32_t>& days,
                                        const std::vector<std::uint8_t>& own, const StudyOptions& options) {
  std::vector<std::int32_t> mine;
  for (std::size_t d = 0; d < days.size(); ++d)
    if (own[d]) mine.push_back(days[d]);
  const auto progress = [&](std::size_t done) { options.progress(0.25 * static_cast<double>(done) / static_cast<double>(mine.size())); };
  TRY(IncrementFacts facts, gather_facts(snapshot, mine, options.threads, progress));
  if (options.exchange.size == 1) return facts;
  TRY(const std::vector<std::string> all, options.exchange.all_gather(facts.packed()));
  IncrementFacts together;
  for (const std::string& part : all) {
    TRY(const IncrementFacts unpacked, IncrementFacts::unpacked(part));
    together.add(unpacked);
  }
  return together;
}

/// The jobs of this process: those whose last day is its own; rank 0 has those of no day.
std::vector<std::uint32_t> own_jobs(const Machine& machine, const std::vector<std::uint32_t>& jobs, const std::vector<std::uint8_t>& own,
                                    const Exchange& exchange) {
  if (exchange.size == 1) return jobs;
  std::vector<std::uint32_t> mine;
  for (const std::uint32_t job : jobs) {
    const std::vector<std::uint32_t> days = machine.days_of(job);
    if (days.empty() ? exchange.first() : own[days.back()] != 0) mine.push_back(job);
  }
  return mine;
}

/// Brings all parts to rank 0, jobs in their order.
Result<Analysis> gather_analyses(Analysis mine, const Exchange& exchange) {
  if (exchange.size == 1) return mine;
  TRY(const std::vector<std::string> all, exchange.gather(pack(mine)));
  Analysis together;
  if (!exchange.first()) return together;
  for (const std::string& part : all) TRY_VOID(unpack_into(together, part));
  std::vector<std::size_t> order(together.jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return together.jobs[a] < together.jobs[b]; });
  Analysis sorted;
  sorted.ledger = together.ledger;
  sorted.server_totals = std::move(together.server_totals);
  sorted.server_has = std::move(together.server_has);
  for (const std::size_t i : order) {
    sorted.jobs.push_back(together.jobs[i]);
    sorted.measured.push_back(std::move(together.measured[i]));
  }
  return sorted;
}

}  // namespace

Result<std::vector<std::string>> shared_servers(const Snapshot& snapshot, Database& database) {
  TRY(Rows rows,
      database.query(fmt::format("SELECT id FROM {} WHERE shared_servers = 1 AND samples > 0", snapshot.rows_of(sources_table))));
  std::string ids;
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", rows.number(0, r));
  TRY_VOID(rows.status());
  std::vector<std::string> servers;
  if (ids.empty()) return servers;
  TRY(Rows names, database.query(fmt::format("SELECT DISTINCT server FROM {} WHERE source IN ({}) ORDER BY 1",
                                             snapshot.rows_of(increments_table), ids)));
  while (names.next())
    for (std::size_t r = 0; r < names.size(); ++r) servers.emplace_back(names.text(0, r));
  TRY_VOID(names.status());
  return servers;
}

Result<Study> study(const Store& store, const StudyOptions& given) {
  Study result;
  result.options = given;
  if (result.options.threads == 0) result.options.threads = given.exchange.size > 1 ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const StudyOptions& options = result.options;
  TRY(Snapshot taken, store.snapshot());
  result.snapshot = std::make_shared<const Snapshot>(std::move(taken));
  const Snapshot& snapshot = *result.snapshot;
  TRY(Database database, Database::open({.threads = options.threads}));
  TRY(std::vector<Job> jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  if (jobs.empty())
    return Error{ErrorKind::not_found,
                 fmt::format("characterising the jobs of {}: the store holds no jobs; ingest a job log", store.path())};
  const std::vector<std::int32_t> days = increment_days(snapshot);
  if (days.empty())
    return Error{ErrorKind::not_found, fmt::format("characterising the jobs of {}: the store holds no counters", store.path())};
  TRY_VOID(same_moment(snapshot, options.exchange));
  const std::vector<std::uint8_t> own = own_days(snapshot, days, options.exchange);
  TRY(const IncrementFacts facts, gather_all_facts(snapshot, days, own, options));
  result.increments = facts.increments;
  TRY(std::vector<std::string> shared, shared_servers(snapshot, database));
  TRY(result.machine, build_machine(std::move(jobs), facts, {options.link, options.filesystem, std::move(shared)}));
  TRY_VOID(find_visits(result.machine, snapshot, database));
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
  if (options.keep && result.whole) {
    TRY(result.kept, read_kept(snapshot, database, machine, options, selection.jobs));
    std::set<std::uint32_t> known;
    for (const KeptJob& kept : result.kept) known.insert(kept.job);
    std::erase_if(selection.jobs, [&](std::uint32_t job) { return known.contains(job); });
    result.whole = result.kept.empty();
  }
  // A few named jobs are not worth sharing.
  const bool shared_out = options.job_ids.empty() && options.exchange.size > 1;
  std::vector<std::uint32_t> mine = shared_out                 ? own_jobs(machine, selection.jobs, own, options.exchange)
                                    : options.exchange.first() ? selection.jobs
                                                               : std::vector<std::uint32_t>{};
  std::vector<DayTask> tasks = plan_days(machine, shared_out ? selection.jobs : mine, result.whole);
  if (shared_out) tasks = plan_days(machine, mine, own, tasks);
  TRY(Analysis found, analyse(snapshot, machine, mine, tasks, analysis));
  TRY(result.analysis, gather_analyses(std::move(found), options.exchange));
  if (!options.exchange.first()) return result;
  if (!result.analysis.ledger.conserved())
    return Error{ErrorKind::damaged, "linking increments to jobs: jobs + unattributed is not the total; please report this"};
  if (options.keep && options.job_ids.empty())
    if (const auto kept = keep(store, result); !kept) result.not_kept = kept.error().message;
  filter_by_io(result, selection);
  result.left_out = std::move(selection.left_out);
  return result;
}

}  // namespace fathom
