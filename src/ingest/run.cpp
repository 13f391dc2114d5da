// SPDX-License-Identifier: Apache-2.0
#include "ingest/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "ingest/node_list.h"

namespace fathom {
namespace {

constexpr std::size_t rows_per_stage = 1 << 20;
constexpr std::string_view by_option = "--job";

std::string process_name(const slices::Process& process) {
  if (process.rank == slices::all_ranks) return "all ranks";
  return process.rank >= 0 ? fmt::format("rank {}", process.rank) : fmt::format("pid {}", process.pid);
}

/// What of a slice the process lived through; all of it where its own times say otherwise (a clock was set).
std::pair<std::int64_t, std::int64_t> lived(const slices::Process& process, std::int64_t slice, std::int64_t length) {
  const std::int64_t from = slice * length, to = from + length;
  const std::int64_t start = std::max(from, process.start), end = std::min(to, process.end);
  return start < end ? std::pair{start, end} : std::pair{from, to};
}

void add_row(Columns& rows, const slices::Profile& profile, const std::string& trace, const std::string& job_id,
             const slices::Process& process, const slices::Slice& slice) {
  const auto [start, end] = lived(process, slice.number, profile.length);
  std::size_t column = 0;
  rows[column++].add(std::string_view(trace));
  rows[column++].add(std::string_view(job_id));
  rows[column++].add(std::string_view(process.host));
  rows[column++].add(std::string_view(process_name(process)));
  rows[column++].add(slice.number);
  rows[column++].add(static_cast<double>(profile.length) / 1e9);
  rows[column++].add(time_from_micros(start / 1000));
  rows[column++].add(time_from_micros((end + 999) / 1000));
  static const auto counters = [] {
    std::array<std::size_t, trace::slice_counters> found{};
    for (std::size_t c = 0; c < found.size(); ++c) found[c] = slices_table.column(trace::slice_counter_names[c]);
    return found;
  }();
  for (std::size_t c = 0; c < counters.size(); ++c) {
    if (trace::is_time(c))
      rows[counters[c]].add(static_cast<double>(slice.values[c]) / 1e9);
    else
      rows[counters[c]].add(static_cast<std::int64_t>(slice.values[c]));
  }
}

/// Batch systems round times to seconds, and clocks of hosts differ.
constexpr Duration slack = std::chrono::seconds(5);

bool ran_during(const Job& job, const JobRun& run) {
  return job.start - slack <= run.start && (job.end == no_time || job.end + slack >= run.end);
}

bool overlaps(const Job& job, const JobRun& run) {
  return job.start - slack <= run.end && (job.end == no_time || job.end + slack >= run.start);
}

bool ran_on(const Job& job, const std::vector<std::string>& hosts) {
  const auto nodes = expand_node_list(job.node_list);
  if (!nodes) return false;
  const auto is_node = [&](const std::string& host) {
    const std::string brief = host.substr(0, host.find('.'));
    return std::any_of(nodes->begin(), nodes->end(),
                       [&](const std::string& node) { return node == host || node.substr(0, node.find('.')) == brief; });
  };
  return std::all_of(hosts.begin(), hosts.end(), is_node);
}

bool is_number(const std::string& user) { return user.find_first_not_of("0123456789") == std::string::npos; }

/// Users of containers appear as root, and prologs of root act for others.
bool may_be_anybody(const std::string& user) { return user.empty() || user == "root" || user == "0"; }

/// False where both tell a user, and not the same one. A number that has no name on this machine says nothing beside a name.
bool may_be_same_user(const std::string& a, const std::string& b) {
  return may_be_anybody(a) || may_be_anybody(b) || a == b || is_number(a) != is_number(b);
}

/// Takes out what the store has of a run.
Result<void> take_out(Transaction& transaction, const TableSchema& table, const std::string& condition) {
  std::vector<Segment> old;
  for (const Segment* segment : transaction.manifest().of(table.name)) old.push_back(*segment);
  for (const Segment& segment : old) {
    const std::string rows = transaction.rows_of(segment);
    TRY(const std::int64_t stale, transaction.database().number(fmt::format("SELECT count(*) FROM {} WHERE {}", rows, condition)));
    if (stale > 0) TRY_VOID(transaction.rewrite(segment, fmt::format("SELECT * FROM {} WHERE NOT ({})", rows, condition)));
  }
  return {};
}

/// Rows of slices, held by day until they are many.
class SliceRows {
 public:
  explicit SliceRows(Transaction& transaction) : transaction_(transaction) {}

  Result<void> add(const slices::Profile& profile, const std::string& trace, const std::string& job_id) {
    for (const slices::Process& process : profile.processes) {
      for (const slices::Slice& slice : process.slices) {
        const auto day = day_of(time_from_micros((lived(process, slice.number, profile.length).second + 999) / 1000));
        add_row(by_day_.try_emplace(day, slices_table).first->second, profile, trace, job_id, process, slice);
        if (++held_ == rows_per_stage) TRY_VOID(stage());
      }
    }
    return {};
  }

  Result<void> stage() {
    for (const auto& [day, rows] : by_day_) TRY_VOID(transaction_.stage(rows, day));
    by_day_.clear();
    held_ = 0;
    return {};
  }

 private:
  Transaction& transaction_;
  std::map<std::int32_t, Columns> by_day_;
  std::size_t held_ = 0;
};

void add_trace_row(Columns& row, const JobRun& run, const RunLink& link) {
  std::string hosts;
  for (const std::string& host : run.hosts) hosts += (hosts.empty() ? "" : ";") + host;
  row[0].add(std::string_view(run.path));
  row[1].add(std::string_view(link.job.id));
  row[2].add(link.job.start);
  row[3].add(std::string_view(link.by));
  row[4].add(std::string_view(run.command));
  row[5].add(std::string_view(hosts));
  row[6].add(run.ranks);
  row[7].add(run.processes);
  row[8].add(run.calls);
  row[9].add(run.start);
  row[10].add(run.end);
  row[11].add(Time{std::chrono::floor<Duration>(std::chrono::system_clock::now())});
}

}  // namespace

std::string of_source(std::string_view path, SourceId source) { return fmt::format("{} (source {})", path, source); }

Result<RunLink> link_run(const std::vector<Job>& jobs, const JobRun& run) {
  if (!run.job.id.empty()) {
    const Job* others = nullptr;
    for (const Job& job : jobs) {
      if (job.id != run.job.id || !overlaps(job, run)) continue;
      // Whoever wrote the run wrote the job's id into it; --job is the word of whoever adds it.
      if (run.job_named_by == by_option || may_be_same_user(job.user, run.job.user)) return RunLink{job, run.job_named_by, true};
      others = &job;
    }
    if (others == nullptr) return RunLink{run.job, run.job_named_by, false};
    return Error{ErrorKind::not_found, fmt::format("linking {} to its job: it names job {}, which is of user {}, and is of user {} itself; "
                                                   "name the job with --job",
                                                   run.path, run.job.id, others->user, run.job.user)};
  }
  std::vector<const Job*> candidates;
  for (const Job& job : jobs)
    if (ran_during(job, run) && ran_on(job, run.hosts) && may_be_same_user(job.user, run.job.user)) candidates.push_back(&job);
  if (candidates.size() == 1) return RunLink{*candidates.front(), "host and time", true};
  return Error{ErrorKind::not_found,
               fmt::format("linking {} to its job: {}; name the job with --job", run.path,
                           candidates.empty() ? "no batch system named one, and no job of the store ran on its hosts at that time"
                                              : fmt::format("{} jobs ran on its hosts at that time", candidates.size()))};
}

Result<void> stage_runs(Transaction& transaction, std::span<const LinkedRun> runs) {
  if (runs.empty()) return {};
  Columns traces(traces_table);
  SliceRows slices(transaction);
  for (const LinkedRun& each : runs) {
    add_trace_row(traces, each.run, each.link);
    TRY_VOID(slices.add(each.run.slices, each.run.path, each.link.job.id));
  }
  TRY_VOID(transaction.stage(traces, 0));
  TRY_VOID(slices.stage());
  transaction.touch();
  return {};
}

Result<void> remove_run(Transaction& transaction, const std::string& path) {
  const std::string same = fmt::format("trace = {}", sql_text(path));
  TRY_VOID(take_out(transaction, traces_table, same));
  return take_out(transaction, slices_table, same);
}

Result<void> remove_runs(Transaction& transaction, SourceId source) {
  const std::string of_it = fmt::format("ends_with(trace, {})", sql_text(of_source("", source)));
  TRY_VOID(take_out(transaction, traces_table, of_it));
  return take_out(transaction, slices_table, of_it);
}

}  // namespace fathom
