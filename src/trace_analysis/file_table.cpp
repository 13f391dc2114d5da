// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/tables.h"

namespace fathom::trace {
namespace {

constexpr std::array<std::string_view, 9> kind_names = {"unknown",   "regular", "directory", "pipe",     "socket",
                                                        "character", "block",   "pseudo",    "anonymous"};

}  // namespace

Table file_table(const Trace& trace, const std::vector<FileTotals>& totals, bool all) {
  Table table{{{"file"},
               {"kind"},
               {"ranks", Quantity::count},
               {"opens", Quantity::count},
               {"read_calls", Quantity::count},
               {"read_bytes", Quantity::bytes},
               {"write_calls", Quantity::count},
               {"write_bytes", Quantity::bytes},
               {"lock_calls", Quantity::count},
               {"other_calls", Quantity::count},
               {"first", Quantity::time},
               {"last", Quantity::time},
               {"hints"}},
              {}};
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const File& file = trace.files[i];
    const FileTotals& t = totals[i];
    if ((!file.is_data() && !all) || t.calls == 0) continue;
    std::string hints;
    for (const std::string& hint : file.hints) hints += (hints.empty() ? "" : ";") + hint;
    table.rows.push_back({cell(std::string_view(file.path)), cell(kind_names[static_cast<std::size_t>(file.kind)]), cell(t.units),
                          cell(t.opens), cell(t.read_calls), cell(t.read_bytes), cell(t.write_calls), cell(t.write_bytes),
                          cell(t.lock_calls), cell(t.calls - t.opens - t.read_calls - t.write_calls - t.lock_calls),
                          cell(time_from_micros(t.first / 1000)), cell(time_from_micros(t.last / 1000)), cell(std::move(hints))});
  }
  return table;
}

}  // namespace fathom::trace
