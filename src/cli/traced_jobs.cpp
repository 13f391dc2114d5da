// SPDX-License-Identifier: Apache-2.0
#include "cli/traced_jobs.h"

#include <pwd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/sliced_jobs.h"
#include "ingest/ingest.h"
#include "ingest/node_list.h"
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

/// Batch systems round times to seconds, and clocks of hosts differ.
constexpr Duration slack = std::chrono::seconds(5);

bool ran_during(const Job& job, const trace::Trace& trace) {
  return job.start - slack <= time_of(trace.start) && (job.end == no_time || job.end + slack >= time_of(trace.end));
}

bool overlaps(const Job& job, const trace::Trace& trace) {
  return job.start - slack <= time_of(trace.end) && (job.end == no_time || job.end + slack >= time_of(trace.start));
}

bool ran_on(const Job& job, const std::set<std::string>& hosts) {
  const auto nodes = expand_node_list(job.node_list);
  if (!nodes) return false;
  const auto is_node = [&](const std::string& host) {
    const std::string brief = host.substr(0, host.find('.'));
    return std::any_of(nodes->begin(), nodes->end(), [&](const std::string& node) { return node == host || node.substr(0, node.find('.')) == brief; });
  };
  return std::all_of(hosts.begin(), hosts.end(), is_node);
}

/// The name behind a user's number, where this machine knows it.
std::string user_name(const std::string& number) {
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos && number.size() < 10;
  const passwd* const entry = is_number ? ::getpwuid(static_cast<uid_t>(std::stoul(number))) : nullptr;
  return entry != nullptr ? entry->pw_name : number;
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

struct Link {
  Job job;
  std::string by;
  bool known = false;
};

Result<Link> find_job(const std::vector<Job>& jobs, const trace::Trace& trace, const std::string& given) {
  const trace::Process* const named = first_that(trace, [](const trace::Process& p) { return !p.job.empty(); });
  const std::string id = !given.empty() ? given : named ? named->job : "";
  if (!id.empty()) {
    const std::string by = !given.empty() ? "--job" : named->job_source.empty() ? "environment" : named->job_source;
    for (const Job& job : jobs)
      if (job.id == id && overlaps(job, trace)) return Link{job, by, true};
    return Link{job_told_by(trace, id), by, false};
  }
  std::vector<const Job*> candidates;
  const auto hosts = hosts_of(trace);
  for (const Job& job : jobs)
    if (ran_during(job, trace) && ran_on(job, hosts)) candidates.push_back(&job);
  if (candidates.size() == 1) return Link{*candidates.front(), "host and time", true};
  return Error{ErrorKind::not_found, fmt::format("linking {} to its job: {}; name the job with --job", trace.directory.string(),
                                                 candidates.empty() ? "no batch system named one, and no job of the store ran on its hosts at that time"
                                                                    : fmt::format("{} jobs ran on its hosts at that time", candidates.size()))};
}

bool has_slices(const trace::Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(), [](const trace::Process& process) { return process.has_slices; });
}

Result<void> note(const Store& store, const trace::Trace& trace, TracedJob& traced) {
  TRY(Transaction transaction, store.begin());
  const std::string path = traced.trace;
  std::vector<Segment> old;
  for (const Segment* segment : transaction.manifest().of(traces_table.name)) old.push_back(*segment);
  for (const Segment& segment : old)
    TRY_VOID(transaction.rewrite(segment, fmt::format("SELECT * FROM {} WHERE trace <> {}", relation(traces_table, {transaction.file_of(segment)}), sql_text(path))));
  Columns row(traces_table);
  const trace::Process* const ranked = first_that(trace, [](const trace::Process& p) { return p.rank >= 0; });
  std::string command = ranked ? ranked->command : trace.processes.empty() ? "" : trace.processes.front().command;
  std::replace(command.begin(), command.end(), '\x1f', ' ');
  const auto hosts = hosts_of(trace);
  row[0].add(std::string_view(path));
  row[1].add(std::string_view(traced.job_id));
  row[2].add(traced.job_start);
  row[3].add(std::string_view(traced.linked_by));
  row[4].add(std::string_view(command));
  std::string list;
  for (const std::string& host : hosts) list += (list.empty() ? "" : ";") + host;
  row[5].add(std::string_view(list));
  row[6].add(static_cast<std::int64_t>(trace.ranks()));
  row[7].add(static_cast<std::int64_t>(trace.processes.size()));
  row[8].add(static_cast<std::int64_t>(trace.records));
  row[9].add(time_of(trace.start));
  row[10].add(time_of(trace.end));
  row[11].add(Time{std::chrono::floor<Duration>(std::chrono::system_clock::now())});
  TRY_VOID(transaction.stage(row, 0));
  if (has_slices(trace)) {
    TRY(const slices::Profile profile, slices::profile_of(trace));
    TRY_VOID(stage_slices(transaction, profile, traced.trace, traced.job_id));
    for (const slices::Process& process : profile.processes) traced.slices += process.slices.size();
  }
  transaction.touch();
  return transaction.commit();
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
  TRY(const Link link, find_job(jobs, trace, job));
  const std::string path = fs::weakly_canonical(fs::absolute(folder)).string();
  if (!link.known) {
    TRY_VOID(ingest_from(store, path, "trace", [&](Harvest& harvest) -> Result<void> {
      harvest.job(link.job);
      return {};
    }, IngestOptions{}));
  }
  TracedJob traced{path, link.job.id, link.job.start, link.by, trace.records, 0};
  TRY_VOID(note(store, trace, traced));
  return traced;
}

Result<std::vector<TracedJob>> traced_jobs(const Store& store, const std::vector<std::string>& ids) {
  std::vector<TracedJob> found;
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({}));
  TRY(Rows rows, database.query(fmt::format("SELECT trace, job_id, job_start_time, linked_by FROM {} ORDER BY job_start_time, job_id, trace", snapshot.rows_of(traces_table))));
  while (rows.next())
    for (std::size_t r = 0; r < rows.size(); ++r) {
      TracedJob job{std::string(rows.text(0, r)), std::string(rows.text(1, r)), rows.time(2, r), std::string(rows.text(3, r)), 0, 0};
      if (ids.empty() || std::find(ids.begin(), ids.end(), job.job_id) != ids.end()) found.push_back(std::move(job));
    }
  TRY_VOID(rows.status());
  return found;
}

}  // namespace fathom
