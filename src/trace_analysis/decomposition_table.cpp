// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "trace_analysis/tables.h"

namespace fathom::trace {
namespace {

template <Part part>
ShownColumn<Decomposition> share_column() {
  return {{fmt::format("{}_share", part_names[static_cast<std::size_t>(part)]), Quantity::fraction},
          [](const Decomposition& row) { return row.time > 0 ? cell(row.share(part)) : Cell{}; }};
}

template <Part part>
ShownColumn<Decomposition> time_column() {
  return {{fmt::format("{}_time", part_names[static_cast<std::size_t>(part)]), Quantity::real},
          [](const Decomposition& row) { return seconds_cell(row.parts[static_cast<std::size_t>(part)]); },
          false};
}

template <Part part>
ShownColumn<Decomposition> calls_column() {
  return {{fmt::format("{}_calls", part_names[static_cast<std::size_t>(part)]), Quantity::count},
          [](const Decomposition& row) { return cell(row.posix_calls[static_cast<std::size_t>(part)]); },
          false};
}

std::vector<ShownColumn<Decomposition>> columns() {
  return {{{"call"}, [](const Decomposition& row) { return cell(std::string_view(row.name)); }},
          {{"calls", Quantity::count}, [](const Decomposition& row) { return cell(row.calls); }},
          {{"bytes", Quantity::bytes}, [](const Decomposition& row) { return cell(row.bytes); }},
          {{"time", Quantity::real}, [](const Decomposition& row) { return seconds_cell(row.time); }},
          share_column<Part::read>(),
          share_column<Part::write>(),
          share_column<Part::lock>(),
          share_column<Part::unlock>(),
          share_column<Part::other>(),
          share_column<Part::waiting>(),
          time_column<Part::read>(),
          time_column<Part::write>(),
          time_column<Part::lock>(),
          time_column<Part::unlock>(),
          time_column<Part::other>(),
          time_column<Part::waiting>(),
          calls_column<Part::read>(),
          calls_column<Part::write>(),
          calls_column<Part::lock>(),
          calls_column<Part::unlock>(),
          calls_column<Part::other>()};
}

}  // namespace

Table decomposition_table(const DecomposeAnalysis& analysis, bool brief) {
  std::vector<Decomposition> rows = analysis.totals();
  rows.insert(rows.end(), analysis.calls().begin(), analysis.calls().end());
  return table_of(rows, columns(), brief);
}

}  // namespace fathom::trace
