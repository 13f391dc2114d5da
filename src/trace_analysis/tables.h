// SPDX-License-Identifier: Apache-2.0
/// What analyses found as tables: the same rows for every way of showing them.
#pragma once

#include <nlohmann/json.hpp>

#include "report/table.h"
#include "trace/file_totals.h"
#include "trace_analysis/bandwidth.h"
#include "trace_analysis/concurrency.h"
#include "trace_analysis/decompose.h"
#include "trace_analysis/finding.h"
#include "trace_analysis/summary.h"

namespace fathom::trace {

/// Empty for what is not a number.
Cell number_cell(double value);
inline Cell seconds_cell(std::int64_t nanoseconds) { return cell(seconds_of(nanoseconds)); }
/// The path; of all files together: empty, or "(all)" where people read it.
Cell file_cell(const Trace& trace, std::uint32_t file, bool brief);

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

/// `brief`: with the columns that people read, and "(all)" for all files together.
Table bandwidth_table(const Trace& trace, const BandwidthAnalysis& analysis, bool brief);
Table concurrency_table(const Trace& trace, const ConcurrencyAnalysis& analysis, bool brief);
/// First the totals.
Table decomposition_table(const DecomposeAnalysis& analysis, bool brief);
Table finding_table(const Trace& trace, const std::vector<Finding>& findings);
/// Data files that were used; `all`: others too.
Table file_table(const Trace& trace, const std::vector<FileTotals>& totals, bool all);

/// A run in a few numbers; `moved` is that of all files.
nlohmann::ordered_json summary_json(const Trace& trace, const Summary& summary, const Bandwidth& moved);
/// POSIX and MPI-IO are always told; the others where they were used.
bool is_told(const Summary& summary, std::size_t interface);
/// The layer the program itself used: MPI-IO if data went through it, else POSIX.
Interface top_layer(const Summary& summary);
/// What a rank waits for: bytes / mean time inside the calls of the top layer.
double perceived(const Summary& summary, const Bandwidth& moved, Direction direction);

}  // namespace fathom::trace
