// SPDX-License-Identifier: Apache-2.0
#include "ingest/job_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "store/job_rows.h"

namespace fathom {
namespace {

auto content(const Job& job) {
  return std::tie(job.end, job.servers, job.nodes, job.node_list, job.user, job.name, job.submit, job.time_limit, job.state, job.partition);
}

/// The better of two records of one job, whichever came first: a known end, then the later one, then the fuller.
bool better(const Job& a, const Job& b) { return content(a) > content(b); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ";") + word;
  return text;
}

void add_job(Columns& rows, const Job& job) {
  auto text = [&](std::size_t column, const std::string& value) {
    value.empty() ? rows[column].add_null() : rows[column].add(std::string_view(value));
  };
  rows[0].add(std::string_view(job.id));
  text(1, job.user);
  text(2, job.name);
  job.nodes == 0 ? rows[3].add_null() : rows[3].add(static_cast<std::int64_t>(job.nodes));
  text(4, job.node_list);
  rows[5].add(std::string_view(joined(job.servers)));
  rows[6].add(job.submit);
  rows[7].add(job.start);
  rows[8].add(job.end);
  job.time_limit ? rows[9].add(std::chrono::duration_cast<std::chrono::seconds>(*job.time_limit).count()) : rows[9].add_null();
  text(10, job.state);
  text(11, job.partition);
  rows[12].add(std::int64_t{job.source});
}

}  // namespace

void JobBook::add(Job job) {
  Key key{job.id, job.start};
  const auto [at, added] = jobs_.try_emplace(std::move(key), job);
  if (added) return;
  const bool replaces = better(job, at->second);
  if (job.source != at->second.source) ++overlaps_[replaces ? at->second.source : job.source];
  if (replaces) at->second = std::move(job);
}

Result<void> JobBook::stage(Transaction& transaction) {
  if (jobs_.empty()) return {};
  std::int32_t first = INT32_MAX, last = INT32_MIN;
  for (const auto& [key, job] : jobs_) first = std::min(first, day_of(job.start)), last = std::max(last, day_of(job.start));
  std::set<std::int32_t> replaced_days;
  Columns replaced(jobs_table);
  if (!transaction.manifest().of(jobs_table.name, first, last).empty()) {
    TRY(const std::vector<Job> known, read_jobs(transaction.database(), transaction.rows_of(jobs_table, first, last)));
    for (const Job& old : known) {
      const auto found = jobs_.find({old.id, old.start});
      if (found == jobs_.end()) continue;
      if (better(found->second, old)) {
        add_job(replaced, old);
        replaced_days.insert(day_of(old.start));
        if (found->second.source != old.source) ++overlaps_[old.source];
      } else {
        if (found->second.source != old.source) ++overlaps_[found->second.source];
        jobs_.erase(found);
      }
    }
  }
  if (!replaced.empty()) {
    TRY_VOID(transaction.database().create_table("replaced_jobs", replaced));
    std::vector<Segment> segments;
    for (const Segment* segment : transaction.manifest().of(jobs_table.name, first, last))
      if (replaced_days.contains(segment->day)) segments.push_back(*segment);
    for (const Segment& segment : segments)
      TRY_VOID(transaction.rewrite(
          segment, fmt::format("SELECT s.* FROM {} s ANTI JOIN replaced_jobs r ON s.job_id = r.job_id AND s.start_time = r.start_time",
                               transaction.rows_of(segment))));
  }
  std::map<std::int32_t, std::vector<const Job*>> by_day;
  for (const auto& [key, job] : jobs_) by_day[day_of(job.start)].push_back(&job);
  for (auto& [day, jobs] : by_day) {
    std::sort(jobs.begin(), jobs.end(), [](const Job* a, const Job* b) { return std::tie(a->start, a->id) < std::tie(b->start, b->id); });
    Columns rows(jobs_table);
    for (const Job* job : jobs) add_job(rows, *job);
    TRY_VOID(transaction.stage(rows, day));
  }
  jobs_.clear();
  return {};
}

Result<std::uint64_t> JobBook::remove_source(Transaction& transaction, SourceId source) {
  std::vector<Segment> segments;
  for (const Segment* segment : transaction.manifest().of(jobs_table.name)) segments.push_back(*segment);
  std::uint64_t removed = 0;
  for (const Segment& segment : segments) {
    const std::string rows = transaction.rows_of(segment);
    TRY(const std::int64_t stale, transaction.database().number(fmt::format("SELECT count(*) FROM {} WHERE source = {}", rows, source)));
    if (stale == 0) continue;
    removed += static_cast<std::uint64_t>(stale);
    TRY_VOID(transaction.rewrite(segment, fmt::format("SELECT * FROM {} WHERE source <> {}", rows, source)));
  }
  return removed;
}

}  // namespace fathom
