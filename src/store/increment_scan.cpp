// SPDX-License-Identifier: Apache-2.0
#include "store/increment_scan.h"

#include <fmt/format.h>

namespace fathom {
namespace {

enum ScanColumn : std::size_t { server, filesystem, job, start_time, end_time, flags, first_amount };

std::string select(const Snapshot& snapshot, std::int32_t day, const ScanOptions& options) {
  std::string list = "server, filesystem, job, start_time, end_time, flags";
  if (options.amounts)
    for (std::size_t c = 0; c < counter_count; ++c)
      if (holds(options.counters, c)) list += fmt::format(", {}", counter_names[c]);
  std::string where;
  if (options.servers != nullptr) {
    for (const std::string& name : *options.servers) where += fmt::format("{}{}", where.empty() ? " WHERE server IN (" : ", ", sql_text(name));
    where += options.servers->empty() ? " WHERE false" : ")";
  }
  if (options.filesystem != nullptr) where += fmt::format("{} filesystem = {}", where.empty() ? " WHERE" : " AND", sql_text(*options.filesystem));
  if (options.after != no_time) where += fmt::format("{} end_time > make_timestamp({})", where.empty() ? " WHERE" : " AND", micros(options.after));
  if (options.until != no_time) where += fmt::format("{} end_time <= make_timestamp({})", where.empty() ? " WHERE" : " AND", micros(options.until));
  return fmt::format("SELECT {} FROM {}{}", list, snapshot.rows_of(increments_table, day, day), where);
}

}  // namespace

SeriesId SeriesIndex::id(std::string_view of_server, std::string_view of_filesystem, std::string_view of_job) {
  key_.assign(of_server).append(1, '\0').append(of_filesystem).append(1, '\0').append(of_job);
  const auto [at, added] = ids_.try_emplace(key_, static_cast<SeriesId>(names_.size()));
  if (added) names_.push_back({std::string(of_server), std::string(of_filesystem), std::string(of_job)});
  return at->second;
}

std::vector<std::int32_t> increment_days(const Snapshot& snapshot) {
  std::vector<std::int32_t> days;
  for (const Segment* segment : snapshot.manifest().of(increments_table.name))
    if (days.empty() || days.back() != segment->day) days.push_back(segment->day);
  return days;
}

Result<void> scan_increments(const Snapshot& snapshot, Database& database, std::int32_t day, SeriesIndex& series, const ScanOptions& options,
                             const std::function<void(const IncrementRun&)>& take) {
  TRY(Rows rows, database.query(select(snapshot, day, options)));
  while (rows.next()) {
    for (std::size_t begin = 0; begin < rows.size();) {
      const std::size_t end = rows.end_of_run(job + 1, begin);
      IncrementRun run;
      run.series = series.id(rows.text(server, begin), rows.text(filesystem, begin), rows.text(job, begin));
      run.size = end - begin;
      run.start = rows.numbers(start_time) + begin;
      run.end = rows.numbers(end_time) + begin;
      run.flags = rows.numbers(flags) + begin;
      run.first_bit = begin;
      std::size_t column = first_amount;
      for (std::size_t c = 0; options.amounts && c < counter_count; ++c) {
        if (!holds(options.counters, c)) continue;
        run.amounts[c] = rows.numbers(column) + begin;
        run.valid[c] = rows.validity(column++);
      }
      take(run);
      begin = end;
    }
  }
  return rows.status();
}

}  // namespace fathom
