// SPDX-License-Identifier: Apache-2.0
/// The tables of a store: what others read, and what every segment is checked against.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fathom {

enum class ColumnType { text, number, real, time, text_list };

struct ColumnSchema {
  std::string_view name;
  ColumnType type;
  std::string_view meaning;  // for the documentation
  int since = 1;             // the store format that brought it; null in older segments
};

struct TableSchema {
  std::string_view name;  // folder in the store
  std::string_view summary;
  bool by_day = false;  // partitioned as day=YYYY-MM-DD (UTC), by `day_column`
  std::string_view day_column;
  std::string_view order;  // how rows are sorted inside a segment
  std::span<const ColumnSchema> columns;

  std::size_t column(std::string_view column_name) const;
  /// True if segments written by this format have all of its columns.
  bool is_current(int format) const;
};

std::string_view sql_type(ColumnType type);

/// All tables, declared from the start; a table without segments is empty, not missing.
std::span<const TableSchema* const> all_tables();
const TableSchema* table_named(std::string_view name);

extern const TableSchema increments_table, extents_table, marks_table, jobs_table, sources_table;
extern const TableSchema criteria_table, slices_table, bursts_table, burst_blocks_table, patterns_table, annotations_table, traces_table;

}  // namespace fathom
