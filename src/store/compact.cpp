// SPDX-License-Identifier: Apache-2.0
#include "store/compact.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "store/series_times.h"

namespace fathom {
namespace {

/// Runs of samples that link become one extent: the first sample of the first, the last of the last.
std::string merged_extents(const std::string& rows) {
  std::string fields;
  for (const ColumnSchema& column : extents_table.columns.subspan(3)) {
    const bool of_last = column.name.starts_with("last_");
    fields += fmt::format(", {}({} ORDER BY first_time) AS {}", of_last ? "last" : "first", column.name, column.name);
  }
  return fmt::format(
      "WITH numbered AS (SELECT *, row_number() OVER w AS place FROM {0} WINDOW w AS (PARTITION BY server, filesystem, job ORDER BY "
      "first_time)), "
      "runs AS (SELECT *, sum(CASE WHEN joined = 0 OR place = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY server, filesystem, job ORDER BY "
      "first_time "
      "ROWS UNBOUNDED PRECEDING) AS run FROM numbered) "
      "SELECT server, filesystem, job{1} FROM runs GROUP BY server, filesystem, job, run ORDER BY {2}",
      rows, fields, "server, filesystem, job NULLS FIRST, first_time");
}

void count(const Manifest& manifest, std::uint64_t& segments, std::uint64_t& bytes) {
  segments = manifest.segments.size();
  bytes = 0;
  for (const Segment& segment : manifest.segments) bytes += segment.bytes;
}

/// Paths of segments by day and table, those that are to be merged.
std::map<std::pair<std::int32_t, const TableSchema*>, std::vector<std::string>> groups_to_merge(const Manifest& manifest,
                                                                                                const CompactChoice& choice) {
  std::map<std::pair<std::int32_t, const TableSchema*>, std::vector<std::string>> groups;
  for (const TableSchema* table : all_tables())
    for (const Segment* segment : manifest.of(table->name)) groups[{segment->day, table}].push_back(segment->path);
  std::set<std::string> outdated;
  for (const Segment& segment : manifest.segments) {
    const TableSchema* const table = table_named(segment.table);
    if (table != nullptr && !table->is_current(segment.format)) outdated.insert(segment.path);
  }
  std::erase_if(groups, [&](const auto& group) {
    const auto& [day, table] = group.first;
    const bool old =
        std::any_of(group.second.begin(), group.second.end(), [&](const std::string& path) { return outdated.contains(path); });
    return !choice.takes(table->by_day, day, group.second.size(), old);
  });
  return groups;
}

}  // namespace

bool anything_to_compact(const Manifest& manifest, const CompactChoice& choice) { return !groups_to_merge(manifest, choice).empty(); }

Result<CompactReport> compact(Transaction& transaction, const CompactChoice& choice,
                              const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
  CompactReport report;
  count(transaction.manifest(), report.segments_before, report.bytes_before);
  const auto groups = groups_to_merge(transaction.manifest(), choice);
  std::map<std::string_view, std::uint64_t> rows_of_path;
  const Manifest before = transaction.manifest();
  for (const Segment& segment : before.segments) rows_of_path[segment.path] = segment.rows;
  std::uint64_t total = 0, done = 0;
  for (const auto& [key, paths] : groups)
    for (const std::string& path : paths) total += rows_of_path[path];
  std::uint64_t staged_rows = 0;
  for (const auto& [key, paths] : groups) {
    const auto& [day, table] = key;
    const std::string rows = transaction.rows_of(*table, day, day);
    const std::string order = fmt::format("SELECT * FROM {} ORDER BY {}", rows, table->order);
    std::vector<FooterNote> notes;
    if (table == &increments_table) {
      TRY(const TimesBySeries times, read_times(transaction.database(), transaction.files_of(*table, day, day)));
      notes = notes_for(times);
    }
    TRY_VOID(transaction.stage_query(*table, day, table == &extents_table ? merged_extents(rows) : order, notes));
    for (const std::string& path : paths) {
      transaction.retire(path);
      done += rows_of_path[path];
    }
    progress(done, total);
    staged_rows += transaction.manifest().segments.back().rows;
    if (staged_rows > 20'000'000) {
      TRY_VOID(transaction.commit());
      staged_rows = 0;
    }
  }
  TRY_VOID(transaction.commit());
  count(transaction.manifest(), report.segments_after, report.bytes_after);
  return report;
}

}  // namespace fathom
