// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/tables.h"

namespace fathom::trace {

Table finding_table(const Trace& trace, const std::vector<Finding>& findings) {
  Table table{{{"finding"},
               {"severity"},
               {"file"},
               {"calls", Quantity::count},
               {"bytes", Quantity::bytes},
               {"share_of_time", Quantity::fraction},
               {"what"},
               {"evidence"},
               {"advice"},
               {"hint"},
               {"where"}},
              {}};
  for (const Finding& f : findings)
    table.rows.push_back({cell(f.kind->name), cell(std::string_view(severity_names[static_cast<std::size_t>(f.severity)])),
                          file_cell(trace, f.file, false), cell(f.calls), cell(f.bytes), cell(f.share_of_time), cell(f.kind->what),
                          cell(std::string_view(f.evidence)), cell(f.kind->advice), f.kind->hint.empty() ? Cell{} : cell(f.kind->hint),
                          cell(f.kind->where)});
  return table;
}

}  // namespace fathom::trace
