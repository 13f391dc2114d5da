// SPDX-License-Identifier: Apache-2.0
#include "characterise/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

/// Grows when results change without their inputs changing: another definition, a mended mistake.
constexpr int results_version = 4;

std::string numbers(const std::vector<std::uint64_t>& all) {
  std::string text;
  for (const std::uint64_t each : all) text += fmt::format("{}{}", text.empty() ? "" : ", ", each);
  return text;
}

std::string columns_text() {
  std::string list;
  for (const ValueColumn& column : value_columns()) list += ", " + column.name;
  return list;
}

/// Of the visits of a server those in a job's time.
void add_visits(Hash& hash, const std::vector<TimeRange>& visits, const JobSpan& span) {
  for (const TimeRange& visited : visits) {
    if (!visited.overlaps(span.start, span.end)) continue;
    hash.add(static_cast<std::uint64_t>(std::max(visited.from, span.start)));
    hash.add(static_cast<std::uint64_t>(std::min(visited.to, span.end)));
  }
}

std::string key_condition(const StudyOptions& options) {
  return fmt::format("link = {} AND filesystem = {} AND threshold IN ({}) AND small IN ({})", sql_text(name_of(options.link)),
                     sql_text(options.filesystem), numbers(options.thresholds), numbers(options.small));
}

void add_row(Columns& rows, const Study& study, std::size_t place, const std::string& inputs, Setting setting) {
  const Job& job = study.machine.jobs[study.analysis.jobs[place]];
  const Measured& m = study.analysis.measured[place];
  std::size_t c = 0;
  const auto real_or_null = [&](double value) { std::isnan(value) ? rows[c++].add_null() : rows[c++].add(value); };
  rows[c++].add(std::string_view(job.id));
  rows[c++].add(job.start);
  rows[c++].add(name_of(study.options.link));
  rows[c++].add(std::string_view(study.options.filesystem));
  rows[c++].add(static_cast<std::int64_t>(study.options.thresholds[setting.threshold]));
  rows[c++].add(static_cast<std::int64_t>(study.options.small[setting.small]));
  rows[c++].add(std::string_view(inputs));
  rows[c++].add(static_cast<std::int64_t>(m.units));
  real_or_null(m.coverage.value_or(undefined));
  rows[c++].add(static_cast<double>(m.sampling_step) / 1e6);
  rows[c++].add(static_cast<std::int64_t>(m.flags));
  rows[c++].add(static_cast<std::int64_t>(m.other_jobs));
  for (const double bound : m.bound) rows[c++].add(bound);
  for (const ValueColumn& column : value_columns()) real_or_null(column.value(m, setting));
}

}  // namespace

InputHashes::InputHashes(const Machine& machine, const Snapshot& snapshot) : machine_(machine) {
  for (const std::int32_t day : machine.days) {
    Hash hash;
    for (const Segment* segment : snapshot.manifest().of(increments_table.name, day, day)) hash.add(segment->hash);
    days_.push_back(hash.value());
  }
  std::vector<Hash> servers(machine.servers.size());
  for (std::size_t s = 0; s < machine.series.size(); ++s) {
    const MachineSeries& series = machine.series[s];
    if (machine.rules[s].schedule == nullptr) continue;
    Hash& hash = servers[series.server];
    hash.add(series.name.filesystem), hash.add(series.name.job), hash.add(static_cast<std::uint64_t>(series.usual_interval));
  }
  for (const Hash& hash : servers) servers_.push_back(hash.value());
  jobs_of_server_.resize(machine.servers.size());
  for (std::uint32_t j = 0; j < machine.jobs.size(); ++j)
    for (const std::uint32_t server : machine.units[j]) jobs_of_server_[server].push_back(j);
}

std::uint64_t InputHashes::beside(std::uint32_t day, std::uint32_t server) {
  const auto [at, added] = beside_.try_emplace({day, server}, 0);
  if (!added) return at->second;
  const TimeRange& range = machine_.ranges[day][server];
  Hash hash;
  for (const std::uint32_t job : jobs_of_server_[server]) {
    const JobSpan& span = machine_.spans[job];
    if (span.start >= range.to) break;
    if (span.end <= range.from) continue;
    hash.add(machine_.jobs[job].id), hash.add(static_cast<std::uint64_t>(span.start)), hash.add(static_cast<std::uint64_t>(span.end));
  }
  return at->second = hash.value();
}

std::string InputHashes::of(std::uint32_t job) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(results_version));
  const Job& record = machine_.jobs[job];
  hash.add(record.id), hash.add(static_cast<std::uint64_t>(machine_.spans[job].start)),
      hash.add(static_cast<std::uint64_t>(machine_.spans[job].end));
  for (const std::uint32_t server : machine_.units[job]) hash.add(machine_.servers[server]), hash.add(servers_[server]);
  if (machine_.tagged[job])
    for (const std::uint32_t server : machine_.units[job]) add_visits(hash, machine_.visited[server], machine_.spans[job]);
  for (const std::uint32_t day : machine_.days_of(job)) {
    hash.add(days_[day]);
    for (const std::uint32_t server : machine_.units[job]) hash.add(beside(day, server));
  }
  return fmt::format("{:016x}", hash.value());
}

Result<std::vector<KeptJob>> read_kept(const Snapshot& snapshot, Database& database, const Machine& machine, const StudyOptions& options,
                                       const std::vector<std::uint32_t>& jobs) {
  std::vector<KeptJob> kept;
  if (snapshot.manifest().of(criteria_table.name).empty()) return kept;
  std::map<std::pair<std::string, std::int64_t>, std::uint32_t> by_key;
  for (const std::uint32_t job : jobs) by_key[{machine.jobs[job].id, machine.spans[job].start}] = job;
  InputHashes hashes(machine, snapshot);
  TRY(Rows rows,
      database.query(fmt::format(
          "SELECT job_id, start_time, threshold, small, inputs, units, coverage, sampling_step, flags, other_jobs, read_bytes_bound, "
          "write_bytes_bound{} FROM {} WHERE {}",
          columns_text(), snapshot.rows_of(criteria_table), key_condition(options))));
  std::map<std::uint32_t, KeptJob> found;
  std::map<std::uint32_t, std::string> inputs;
  const std::size_t settings = options.thresholds.size() * options.small.size(), first_value = 12;
  const auto place_of = [](const std::vector<std::uint64_t>& all, std::int64_t value) {
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), static_cast<std::uint64_t>(value)) - all.begin());
  };
  while (rows.next()) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto key = by_key.find({std::string(rows.text(0, r)), rows.number(1, r)});
      if (key == by_key.end()) continue;
      auto& expected = inputs[key->second];
      if (expected.empty()) expected = hashes.of(key->second);
      if (rows.text(4, r) != expected) continue;
      KeptJob& job = found[key->second];
      job.job = key->second;
      job.units = static_cast<std::uint32_t>(rows.number(5, r));
      if (!rows.is_null(6, r)) job.coverage = rows.real(6, r);
      job.sampling_step = std::llround(rows.real(7, r) * 1e6);
      job.flags = static_cast<std::uint8_t>(rows.number(8, r));
      job.other_jobs = static_cast<std::uint32_t>(rows.number(9, r));
      job.bound = {rows.real(10, r), rows.real(11, r)};
      job.values.resize(settings);
      auto& values =
          job.values[place_of(options.thresholds, rows.number(2, r)) * options.small.size() + place_of(options.small, rows.number(3, r))];
      values.clear();
      for (std::size_t v = 0; v < value_columns().size(); ++v)
        values.push_back(rows.is_null(first_value + v, r) ? undefined : rows.real(first_value + v, r));
    }
  }
  TRY_VOID(rows.status());
  for (auto& [job, each] : found)
    if (std::none_of(each.values.begin(), each.values.end(), [](const auto& values) { return values.empty(); }))
      kept.push_back(std::move(each));
  return kept;
}

Result<void> keep(const Store& store, const Study& study) {
  if (study.analysis.jobs.empty()) return {};
  InputHashes hashes(study.machine, *study.snapshot);
  std::map<std::int32_t, Columns> by_day;
  for (std::size_t i = 0; i < study.analysis.jobs.size(); ++i) {
    const std::uint32_t job = study.analysis.jobs[i];
    const std::string inputs = hashes.of(job);
    Columns& rows = by_day.try_emplace(day_of(study.machine.jobs[job].start), criteria_table).first->second;
    for (std::size_t c = 0; c < study.options.thresholds.size(); ++c)
      for (std::size_t s = 0; s < study.options.small.size(); ++s) add_row(rows, study, i, inputs, {c, s});
  }
  TRY(Transaction transaction, store.begin());
  for (const auto& [day, rows] : by_day) {
    std::vector<Segment> old;
    for (const Segment* segment : transaction.manifest().of(criteria_table.name, day, day)) old.push_back(*segment);
    if (!old.empty()) {
      TRY_VOID(transaction.database().create_table("new_criteria", rows));
      for (const Segment& segment : old)
        TRY_VOID(transaction.rewrite(
            segment, fmt::format("SELECT s.* FROM {} s ANTI JOIN new_criteria n ON s.job_id = n.job_id AND s.start_time = n.start_time AND "
                                 "s.link = n.link AND s.filesystem = n.filesystem AND s.threshold = n.threshold AND s.small = n.small",
                                 transaction.rows_of(segment))));
    }
    TRY_VOID(transaction.stage(rows, day));
  }
  return transaction.commit();
}

}  // namespace fathom
