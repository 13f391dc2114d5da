// SPDX-License-Identifier: Apache-2.0
#include "store_export/export_store.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/talk.h"
#include "store_export/treatment.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr ColumnSchema replacement_columns[] = {{"original", ColumnType::text, ""}, {"replacement", ColumnType::text, ""}};
constexpr TableSchema replacement_table{"replacements", "", false, "", "", replacement_columns};

/// A table as it is to be written: SELECT and joins with tables of replacements.
class ExportQuery {
 public:
  ExportQuery(const TableSchema& table, const Snapshot& snapshot, Database& database, const ExportOptions& options)
      : table_(table), snapshot_(snapshot), database_(database), options_(options) {}

  Result<void> prepare() {
    for (const ColumnSchema& column : table_.columns) {
      const auto decided = treatment_of(table_, column);
      if (!decided)
        return Error{ErrorKind::unsupported,
                     fmt::format("exporting table {}: nobody has decided what becomes of its column {}", table_.name, column.name)};
      TRY(const std::string value, value_of(column, *decided));
      columns_ += fmt::format("{}{} AS {}", columns_.empty() ? "" : ", ", value, column.name);
    }
    return {};
  }

  std::string rows_of(std::int32_t day) const {
    const std::string rows = table_.by_day ? snapshot_.rows_of(table_, day, day) : snapshot_.rows_of(table_);
    return fmt::format("SELECT * FROM (SELECT {} FROM {} r{}) ORDER BY {}", columns_, rows, joins_, table_.order);
  }

 private:
  Result<std::string> value_of(const ColumnSchema& column, const ColumnTreatment& decided) {
    const std::string plain = fmt::format("r.{}", column.name);
    switch (decided.treatment) {
      case Treatment::time: return options_.shift_days == 0 ? plain : fmt::format("{} + to_days({})", plain, options_.shift_days);
      case Treatment::clock:
      case Treatment::empty: return fmt::format("NULL::{}", sql_type(column.type));
      case Treatment::slice_number: return fmt::format("{} + round({} * 86400.0 / r.length)::BIGINT", plain, options_.shift_days);
      default: break;
    }
    if (options_.pseudonyms == nullptr || !is_replaced(decided.treatment)) return plain;
    return replaced_value(column, decided);
  }

  /// Every text of the column becomes a row of a small table, with what stands in its place.
  Result<std::string> replaced_value(const ColumnSchema& column, const ColumnTreatment& decided) {
    const bool list = column.type == ColumnType::text_list;
    const std::string original = list ? fmt::format("array_to_string(r.{}, ';')", column.name) : fmt::format("r.{}", column.name);
    Columns replacements(replacement_table);
    TRY(Rows rows, database_.query(fmt::format("SELECT DISTINCT {} FROM {} r WHERE r.{} IS NOT NULL", original, snapshot_.rows_of(table_),
                                               column.name)));
    while (rows.next()) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        TRY(const std::string replacement, replaced(decided, rows.text(0, i), *options_.pseudonyms));
        replacements[0].add(rows.text(0, i));
        replacements[1].add(std::string_view(replacement));
      }
    }
    TRY_VOID(rows.status());
    const std::string name = fmt::format("replaced_{}_{}", table_.name, column.name);
    TRY_VOID(database_.create_table(name, replacements));
    joins_ += fmt::format(" LEFT JOIN {0} ON {1} = {0}.original", name, original);
    if (!list) return name + ".replacement";
    return fmt::format("CASE WHEN {0}.replacement = '' THEN []::VARCHAR[] ELSE string_split({0}.replacement, ';') END", name);
  }

  const TableSchema& table_;
  const Snapshot& snapshot_;
  Database& database_;
  const ExportOptions& options_;
  std::string columns_, joins_;
};

std::uint64_t bytes_of(const Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const Segment& segment : manifest.segments) bytes += segment.bytes;
  return bytes;
}

/// Segments and manifest as they are: then what was computed from them, and kept, is still up to date.
Result<std::vector<ExportedTable>> copy_store(const Snapshot& snapshot, const std::string& folder, const ExportOptions& options) {
  std::map<std::string, std::uint64_t> rows;
  Manifest manifest = snapshot.manifest();
  TRY_VOID(make_directories(folder));
  const std::uint64_t total = bytes_of(manifest);
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < manifest.segments.size(); ++i) {
    const std::string to = folder + "/" + manifest.segments[i].path;
    TRY_VOID(make_directories(fs::path(to).parent_path()));
    std::error_code problem;
    fs::copy_file(snapshot.pinned_path(snapshot.manifest().segments[i]), to, problem);
    if (problem) return Error{ErrorKind::unwritable, fmt::format("writing {}: {}", to, problem.message())};
    TRY_VOID(flush_to_disk(to));
    options.progress(done += manifest.segments[i].bytes, total);
    manifest.segments[i].staged.clear();
    rows[manifest.segments[i].table] += manifest.segments[i].rows;
  }
  manifest.removed.clear();
  TRY_VOID(save_manifest(folder, manifest));
  std::vector<ExportedTable> tables;
  for (const TableSchema* table : all_tables())
    if (const auto found = rows.find(std::string(table->name)); found != rows.end()) tables.push_back({table, found->second});
  return tables;
}

Result<void> can_be_moved(const Snapshot& snapshot, Database& database, int days) {
  if (days == 0) return {};
  const auto cannot = [&](const std::string& why) {
    return Error{ErrorKind::usage, fmt::format("moving times by {} days: {}", days, why)};
  };
  for (const Segment& segment : snapshot.manifest().segments)
    if (const TableSchema* table = table_named(segment.table); table != nullptr && table->by_day && segment.day + days < 0)
      return cannot(fmt::format("the store has something of {}, which would come before 1970", format_day(segment.day)));
  TRY(Rows rows, database.query(fmt::format("SELECT DISTINCT length FROM {} WHERE length > 0", snapshot.rows_of(slices_table))));
  while (rows.next())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double slices = days * 86400.0 / rows.real(0, i);
      if (std::abs(slices - std::round(slices)) > 1e-6)
        return cannot(fmt::format("time slices of {} s are numbered from 1970 on, and that is no whole number of them", rows.real(0, i)));
    }
  return rows.status();
}

}  // namespace

Result<std::vector<ExportedTable>> export_store(const Snapshot& snapshot, const std::string& folder, const ExportOptions& options) {
  if (options.pseudonyms == nullptr && options.shift_days == 0) return copy_store(snapshot, folder, options);
  TRY(const Store target, Store::open_or_create(folder));
  TRY(Transaction transaction, target.begin());
  TRY_VOID(can_be_moved(snapshot, transaction.database(), options.shift_days));
  const Manifest& from = snapshot.manifest();
  transaction.edit().next_source = from.next_source;
  if (from.forgotten_before) transaction.edit().forgotten_before = *from.forgotten_before + options.shift_days;
  std::vector<ExportedTable> tables;
  const std::uint64_t total = bytes_of(from);
  std::uint64_t done = 0;
  for (const TableSchema* table : all_tables()) {
    std::map<std::int32_t, std::uint64_t> days;  // and their bytes
    for (const Segment* segment : from.of(table->name)) days[segment->day] += segment->bytes;
    if (days.empty()) continue;
    ExportedTable& exported = tables.emplace_back(ExportedTable{table});
    exported.left_out = options.pseudonyms != nullptr && holds_free_text(*table);
    for (const Segment* segment : from.of(table->name)) exported.rows += segment->rows;
    if (exported.left_out) continue;
    const Phase phase(fmt::format("exporting {}", table->name));
    ExportQuery query(*table, snapshot, transaction.database(), options);
    TRY_VOID(query.prepare());
    for (const auto& [day, bytes] : days) {
      TRY_VOID(transaction.stage_query(*table, table->by_day ? day + options.shift_days : 0, query.rows_of(day)));
      options.progress(done += bytes, total);
    }
  }
  transaction.touch();
  TRY_VOID(transaction.commit());
  return tables;
}

}  // namespace fathom
