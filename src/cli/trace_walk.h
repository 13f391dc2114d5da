// SPDX-License-Identifier: Apache-2.0
/// What the commands that analyse a trace share: going through its events with a progress bar, and cells of tables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "report/table.h"
#include "trace_analysis/analysis.h"

namespace fathom {

Result<void> walk_with_progress(const trace::Trace& trace, std::vector<trace::Analysis*> analyses);

/// Empty for what is not a number.
Cell number_cell(double value);
inline Cell seconds_cell(std::int64_t nanoseconds) { return cell(trace::seconds_of(nanoseconds)); }
/// The path; of all files together: empty, or "(all)" where people read it.
Cell file_cell(const trace::Trace& trace, std::uint32_t file, bool brief);

/// Declares --layer; posix unless told otherwise.
std::shared_ptr<std::string> add_layer_option(CLI::App& app);
trace::Interface layer_named(std::string_view name);

/// A column with its quantity and the function that fills it, for tables with a short form.
template <class Row>
struct ShownColumn {
  TableColumn column;
  Cell (*value)(const Row& row);
  bool brief = true;  // also where people read it
};

template <class Row>
Table table_of(const std::vector<Row>& rows, const std::vector<ShownColumn<Row>>& columns, bool brief) {
  Table table;
  for (const auto& each : columns)
    if (!brief || each.brief) table.columns.push_back(each.column);
  for (const Row& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& each : columns)
      if (!brief || each.brief) cells.push_back(each.value(row));
  }
  return table;
}

}  // namespace fathom
