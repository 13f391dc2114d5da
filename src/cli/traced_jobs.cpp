// SPDX-License-Identifier: Apache-2.0
#include "cli/traced_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ingest/ingest.h"
#include "ingest/run.h"
#include "ingest/user_name.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

Time time_of(std::int64_t nanoseconds) { return time_from_micros(nanoseconds / 1000); }

std::set<std::string> hosts_of(const trace::Trace& trace) {
  std::set<std::string> hosts;
  for (const trace::Process& process : trace.processes) hosts.insert(process.host);
  return hosts;
}

const trace::Process* first_that(const trace::Trace& trace, bool (*wanted)(const trace::Process&)) {
  const auto found = std::find_if(trace.processes.begin(), trace.processes.end(), wanted);
  return found == trace.processes.end() ? nullptr : &*found;
}

/// A job that no batch log told of, as far as its trace knows it.
Job job_told_by(const trace::Trace& trace, const std::string& id) {
  Job job;
  job.id = id;
  const trace::Process* const ranked = first_that(trace, [](const trace::Process& p) { return p.rank >= 0; });
  if (const trace::Process* const main = ranked ? ranked : trace.processes.empty() ? nullptr : &trace.processes.front()) {
    job.name = fs::path(main->executable).filename().string();
    job.user = user_name(main->user);
  }
  const auto hosts = hosts_of(trace);
  job.nodes = hosts.size();
  for (const std::string& host : hosts) job.node_list += (job.node_list.empty() ? "" : ",") + host;
  job.start = time_of(trace.start);
  job.end = time_of(trace.end);
  job.state = "traced";
  return job;
}

bool has_slices(const trace::Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(), [](const trace::Process& process) { return process.has_slices; });
}

/// What the store is told of a trace; `given` names its job, if it is not empty.
Result<JobRun> run_of(const trace::Trace& trace, const std::string& path, const std::string& given) {
  const trace::Process* const named = first_that(trace, [](const trace::Process& p) { return !p.job.empty(); });
  const trace::Process* const ranked = first_that(trace, [](const trace::Process& p) { return p.rank >= 0; });
  JobRun run;
  run.path = path;
  run.job = job_told_by(trace, !given.empty() ? given : named ? named->job : "");
  run.job_named_by = !given.empty() ? "--job" : named == nullptr || named->job_source.empty() ? "environment" : named->job_source;
  run.command = ranked ? ranked->command : trace.processes.empty() ? "" : trace.processes.front().command;
  std::replace(run.command.begin(), run.command.end(), '\x1f', ' ');
  const auto hosts = hosts_of(trace);
  run.hosts.assign(hosts.begin(), hosts.end());
  run.ranks = static_cast<std::int64_t>(trace.ranks());
  run.processes = static_cast<std::int64_t>(trace.processes.size());
  run.calls = static_cast<std::int64_t>(trace.records);
  run.start = time_of(trace.start);
  run.end = time_of(trace.end);
  if (has_slices(trace)) {
    TRY(run.slices, slices::profile_of(trace));
  }
  return run;
}

}  // namespace

bool is_trace(const fs::path& folder) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) return false;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    if (entry.path().extension() == ".fathom") return true;
  return false;
}

std::vector<std::string> traces_below(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  std::error_code problem;
  for (const std::string& path : paths) {
    if (is_trace(path)) {
      found.push_back(path);
      continue;
    }
    if (!fs::is_directory(path, problem)) continue;
    std::vector<std::string> below;
    for (fs::recursive_directory_iterator it(path, problem), end; !problem && it != end; it.increment(problem)) {
      if (!it->is_directory(problem)) continue;
      const bool hidden = it->path().filename().string().starts_with(".");
      if (is_trace(it->path()) && !hidden) below.push_back(it->path().string());
      if (hidden || fs::exists(it->path() / ".fathom-ignore", problem) || is_trace(it->path())) it.disable_recursion_pending();
    }
    std::sort(below.begin(), below.end());
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

Result<TracedJob> add_trace(const Store& store, const fs::path& folder, const std::string& job) {
  TRY(const trace::Trace trace, trace::open_trace(folder));
  std::vector<Job> jobs;
  {
    TRY(const Snapshot snapshot, store.snapshot());
    TRY(Database database, Database::open({}));
    TRY(jobs, read_jobs(database, snapshot.rows_of(jobs_table)));
  }
  const std::string path = fs::weakly_canonical(fs::absolute(folder)).string();
  LinkedRun linked;
  TRY(linked.run, run_of(trace, path, job));
  TRY(linked.link, link_run(jobs, linked.run));
  const Job& its_job = linked.link.job;
  if (!linked.link.known) {
    TRY_VOID(ingest_from(
        store, path, "trace",
        [&](Harvest& harvest) -> Result<void> {
          harvest.job(its_job);
          return {};
        },
        IngestOptions{}));
  }
  TRY(Transaction transaction, store.begin());
  TRY_VOID(remove_run(transaction, path));
  TRY_VOID(stage_runs(transaction, {&linked, 1}));
  TRY_VOID(transaction.commit());
  return TracedJob{path, its_job.id, its_job.start, linked.link.by, trace.records, slices_of(linked.run)};
}

Result<std::vector<TracedJob>> traced_jobs(const Store& store, const std::vector<std::string>& ids) {
  std::vector<TracedJob> found;
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({}));
  TRY(Rows rows, database.query(fmt::format(
                     "SELECT trace, job_id, job_start_time, linked_by FROM {} WHERE NOT {} ORDER BY job_start_time, job_id, trace",
                     snapshot.rows_of(traces_table), is_of_source)));
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r) {
      TracedJob job{std::string(rows.text(0, r)), std::string(rows.text(1, r)), rows.time(2, r), std::string(rows.text(3, r)), 0, 0};
      if (ids.empty() || std::find(ids.begin(), ids.end(), job.job_id) != ids.end()) found.push_back(std::move(job));
    }
  TRY_VOID(rows.status());
  return found;
}

}  // namespace fathom
