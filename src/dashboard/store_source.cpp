// SPDX-License-Identifier: Apache-2.0
#include "dashboard/store_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "characterise/visits.h"
#include "store/increment_scan.h"
#include "store/job_rows.h"

namespace fathom::dashboard {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 1s;
constexpr auto patience = 5s;  // of an answer, for the first moment

std::string name_of(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::uint64_t segments_of(const Snapshot& snapshot, const TableSchema& table) {
  Hash hash;
  for (const Segment* segment : snapshot.manifest().of(table.name)) hash.add(segment->path);
  return hash.value();
}

std::uint64_t segments_of(const Snapshot& snapshot, std::int32_t day) {
  Hash hash;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name))
    if (segment->day == day) hash.add(segment->path);
  return hash.value();
}

/// Somebody said so, or neither jobs nor counters tell whose servers they are.
Result<bool> servers_are_shared(const Snapshot& snapshot, Database& database) {
  TRY(const std::vector<std::string> declared, shared_servers(snapshot, database));
  if (!declared.empty()) return true;
  TRY(const std::int64_t jobs, database.number(fmt::format("SELECT count(*) FROM {}", snapshot.rows_of(jobs_table))));
  if (jobs == 0) return false;
  TRY(const std::int64_t own,
      database.number(fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} WHERE len(servers) > 0 LIMIT 1)", snapshot.rows_of(jobs_table))));
  TRY(const std::int64_t tagged,
      database.number(fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} WHERE job <> '' LIMIT 1)", snapshot.rows_of(extents_table))));
  return own == 0 && tagged == 0;
}

/// Both are sorted by start and id; times of the machine are in microseconds.
std::shared_ptr<const std::vector<std::uint32_t>> rows_in_machine(const JobTable& jobs, const Machine& machine) {
  auto rows = std::make_shared<std::vector<std::uint32_t>>(jobs.size(), UINT32_MAX);
  std::uint32_t at = 0;
  const auto key = [&](std::uint32_t job) {
    return std::pair<double, std::string_view>(unix_seconds(machine.jobs[job].start), machine.jobs[job].id);
  };
  for (std::uint32_t row = 0; row < jobs.size(); ++row) {
    const std::pair<double, std::string_view> wanted(jobs.start[row], jobs.ids[row]);
    while (at < machine.jobs.size() && key(at) < wanted) ++at;
    if (at < machine.jobs.size() && key(at) == wanted) (*rows)[row] = at;
  }
  return rows;
}

}  // namespace

StoreSource::StoreSource(std::string id, std::string path, Changed changed)
    : id_(std::move(id)), path_(std::move(path)), name_(name_of(path_)), changed_(std::move(changed)) {}

StoreSource::~StoreSource() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StoreSource::start() {
  thread_ = std::thread([this] { follow(); });
}

Result<std::shared_ptr<const StoreMoment>> StoreSource::moment() const {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, patience, [&] { return moment_ != nullptr || !problem_.empty() || stopping(); });
  if (!problem_.empty()) return Error{ErrorKind::unreadable, problem_};
  if (moment_ == nullptr) return Error{ErrorKind::busy, fmt::format("store {} is being read; try again in a moment", name_)};
  return moment_;
}

std::shared_ptr<const StoreMoment> StoreSource::peek() const {
  const std::lock_guard lock(mutex_);
  return moment_;
}

Preparation StoreSource::overview_progress() const {
  const std::lock_guard lock(mutex_);
  return overview_state_;
}

Preparation StoreSource::machine_progress() const {
  const std::lock_guard lock(mutex_);
  return machine_state_;
}

std::string StoreSource::version() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("{}-{}", id_, revision_);
}

std::string StoreSource::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void StoreSource::publish(std::shared_ptr<const StoreMoment> moment) {
  {
    const std::lock_guard lock(mutex_);
    moment_ = std::move(moment);
    problem_.clear();
    ++revision_;
  }
  news_.notify_all();
  changed_(*this);
}

void StoreSource::set(Preparation& which, bool ready, double done, std::string problem) {
  {
    const std::lock_guard lock(mutex_);
    if (which.ready == ready && which.done == done && which.problem == problem) return;
    which = {ready, done, std::move(problem)};
    ++revision_;
  }
  changed_(*this);
}

void StoreSource::follow() {
  while (!stopping()) {
    const bool busy = look();
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, busy ? 0s : look_every, [&] { return stopping(); });
  }
}

bool StoreSource::look() {
  const auto opened = Store::open(path_);
  Result<void> done = opened ? take(*opened) : Result<void>(opened.error());
  if (!done) {
    {
      const std::lock_guard lock(mutex_);
      if (problem_ == done.error().message) return false;
      problem_ = done.error().message;
      ++revision_;
    }
    news_.notify_all();
    changed_(*this);
    return false;
  }
  if (moment_->commit == prepared_commit_) return false;
  const std::uint64_t commit = moment_->commit;
  if (const auto prepared = prepare(); !prepared) {
    // The store may have been changed or removed meanwhile: the next look tells. What was prepared stays.
    set(overview_state_, false, overview_state_.done, prepared.error().message);
    return false;
  }
  if (stopping()) return false;
  prepared_commit_ = commit;
  return true;
}

/// What is quick: jobs and what is known of applications. Tables that did not change are not read again.
Result<void> StoreSource::take(const Store& store) {
  TRY(Snapshot taken, store.snapshot());
  const bool readable = problem().empty();
  if (moment_ != nullptr && taken.manifest().commit == moment_->commit && readable) return {};
  auto next = moment_ != nullptr ? std::make_shared<StoreMoment>(*moment_) : std::make_shared<StoreMoment>();
  next->snapshot = std::make_shared<const Snapshot>(std::move(taken));
  next->commit = next->snapshot->manifest().commit;
  const auto changed = [&](const TableSchema& table) {
    const std::uint64_t now = segments_of(*next->snapshot, table);
    const auto [at, first] = tables_.try_emplace(std::string(table.name), now);
    return first || std::exchange(at->second, now) != now;
  };
  const bool jobs = changed(jobs_table);
  if (jobs) {
    TRY(JobTable table, read_job_table(*next->snapshot));
    table.index();
    next->jobs = std::make_shared<const JobTable>(std::move(table));
    if (next->study) next->machine_rows = rows_in_machine(*next->jobs, next->study->machine);
  }
  if (changed(criteria_table) || jobs) next->kept = std::make_shared<KeptValues>(next->snapshot, next->jobs);
  TRY(Database database, Database::open({.threads = 1}));
  if (changed(patterns_table)) {
    TRY(auto known, mine::read_knowledge(*next->snapshot, database));
    next->applications = std::make_shared<const std::vector<mine::KnownApplication>>(std::move(known));
  }
  const bool counted = changed(increments_table);
  if (counted) {
    if (auto counters = load_counters(*next->snapshot, {}))
      next->counters = std::move(*counters);
    else
      next->counters.reset();
    if (auto counters = load_counters(*next->snapshot, {}, LoadOf::metadata))
      next->metadata_counters = std::move(*counters);
    else
      next->metadata_counters.reset();
  }
  if (counted || jobs) {
    TRY(next->shared, servers_are_shared(*next->snapshot, database));
  }
  next->overview = overview_;
  publish(std::move(next));
  return {};
}

Result<void> StoreSource::prepare() {
  if (!moment_->counters) {
    set(overview_state_, true, 1);
    set(machine_state_, true, 1);
    return {};
  }
  TRY_VOID(read_facts(*moment_->snapshot));
  if (stopping()) return {};
  TRY_VOID(read_overview());
  if (stopping()) return {};
  TRY_VOID(build_study());
  return read_usual_columns();
}

/// What nearly every question about jobs needs, before somebody asks.
Result<void> StoreSource::read_usual_columns() {
  TRY(const std::vector<KeptSetting> settings, moment_->kept->settings());
  if (settings.empty()) return {};
  for (const char* name : {"units", "coverage", "read_bytes", "write_bytes", "total_bytes", "read_ops", "write_ops"}) {
    if (stopping()) return {};
    TRY_VOID(moment_->kept->column(settings.front(), name));
  }
  return {};
}

/// Usual intervals of all series, from what is known of each day.
Result<void> StoreSource::read_facts(const Snapshot& snapshot) {
  const std::vector<std::int32_t> days = increment_days(snapshot);
  std::erase_if(facts_, [&](const auto& each) { return !std::binary_search(days.begin(), days.end(), each.first); });
  std::vector<std::int32_t> missing;
  for (const std::int32_t day : days)
    if (const auto at = facts_.find(day); at == facts_.end() || at->second.segments != segments_of(snapshot, day)) missing.push_back(day);
  set(overview_state_, missing.empty() && overview_state_.ready, 0);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (stopping()) return {};
    TRY(IncrementFacts facts, gather_facts(snapshot, {missing[i]}, 1, [](std::size_t) {}));
    facts_[missing[i]] = {segments_of(snapshot, missing[i]), std::move(facts)};
    set(overview_state_, false, 0.3 * static_cast<double>(i + 1) / static_cast<double>(missing.size()));
  }
  std::map<SeriesName, LengthCounts> lengths;
  for (const auto& [day, kept] : facts_)
    for (const auto& [name, counts] : kept.facts.lengths) lengths[name].add(counts);
  auto usual = std::make_shared<UsualIntervals>();
  for (const auto& [name, counts] : lengths) usual->emplace(name, counts.median());
  auto next = std::make_shared<StoreMoment>(*moment_);
  next->usual = std::move(usual);
  publish(std::move(next));
  return {};
}

Result<void> StoreSource::read_overview() {
  const StoreMoment now = *moment_;
  overview_->keep_only(*now.snapshot);
  const std::vector<std::int32_t> days = overview_->missing(*now.snapshot);
  TRY(Database database, Database::open({.threads = 1}));
  for (std::size_t i = 0; i < days.size(); ++i) {
    if (stopping()) return {};
    TRY_VOID(overview_->read(*now.snapshot, database, days[i], *now.counters, now.metadata_counters ? &*now.metadata_counters : nullptr,
                             *now.usual));
    set(overview_state_, false, 0.3 + 0.7 * static_cast<double>(i + 1) / static_cast<double>(days.size()));
  }
  set(overview_state_, true, 1);
  return {};
}

Result<void> StoreSource::build_study() {
  if (moment_->jobs->size() == 0) {
    set(machine_state_, true, 1, "the store holds no jobs; ingest a job log");
    return {};
  }
  set(machine_state_, machine_state_.ready, 0.1);
  auto study = std::make_shared<Study>();
  study->options.threads = 1;
  study->options.distribution = true;
  study->snapshot = moment_->snapshot;
  TRY(Database database, Database::open({.memory_limit = std::size_t{2} << 30}));
  TRY(std::vector<Job> jobs, read_jobs(database, study->snapshot->rows_of(jobs_table)));
  TRY(std::vector<std::string> shared, shared_servers(*study->snapshot, database));
  IncrementFacts facts;
  for (const auto& [day, kept] : facts_) facts.add(kept.facts);
  study->increments = facts.increments;
  auto machine = build_machine(std::move(jobs), facts, {study->options.link, {}, std::move(shared)});
  auto next = std::make_shared<StoreMoment>(*moment_);
  if (machine) {
    study->machine = std::move(*machine);
    TRY_VOID(find_visits(study->machine, *study->snapshot, database));
    next->machine_rows = rows_in_machine(*next->jobs, study->machine);
    next->study = std::move(study);
    next->study_problem.clear();
  } else {
    next->study.reset();
    next->study_problem = machine.error().message;  // servers are shared and nothing carries a tag: an answer, not a failure
  }
  publish(std::move(next));
  set(machine_state_, true, 1, moment_->study_problem);
  return {};
}

}  // namespace fathom::dashboard
