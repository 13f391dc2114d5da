// SPDX-License-Identifier: Apache-2.0
#include "cli/timeline_rows.h"

namespace fathom {

Table slot_rows(const std::vector<Slot>& slots) {
  Table table{{{"t", Quantity::time},
               {"length", Quantity::duration},
               {"read_bytes", Quantity::bytes},
               {"write_bytes", Quantity::bytes},
               {"read_ops", Quantity::real},
               {"write_ops", Quantity::real},
               {"read_share_bytes", Quantity::fraction},
               {"read_share_ops", Quantity::fraction},
               {"dominating"},
               {"units_active", Quantity::count},
               {"unit_read_bytes_min", Quantity::bytes},
               {"unit_read_bytes_mean", Quantity::bytes},
               {"unit_read_bytes_max", Quantity::bytes},
               {"unit_write_bytes_min", Quantity::bytes},
               {"unit_write_bytes_mean", Quantity::bytes},
               {"unit_write_bytes_max", Quantity::bytes},
               {"metadata_ops", Quantity::real}},
              {}};
  for (const Slot& slot : slots) {
    auto& row = table.rows.emplace_back();
    row = {cell(time_from_micros(slot.begin)), cell(Duration{slot.length})};
    const Cell metadata = slot.metadata_measured > 0 ? cell(slot.amounts[metadata_flow]) : Cell{};
    if (slot.measured == 0) {  // missing is not zero
      row.resize(table.columns.size());
      row.back() = metadata;
      continue;
    }
    for (std::size_t f = 0; f < flow_count; ++f) row.push_back(cell(slot.amounts[f]));
    for (const std::size_t first : {0u, 2u}) {
      const double all = slot.amounts[first] + slot.amounts[first + 1];
      row.push_back(all > 0 ? cell(slot.amounts[first] / all) : Cell{});
    }
    row.push_back(cell(std::string_view(dominating_names[static_cast<std::size_t>(dominating(slot.amounts[2], slot.amounts[3]))])));
    row.push_back(cell(std::uint64_t{slot.active[2]}));
    for (const Spread& spread : slot.units) {
      row.push_back(cell(spread.min));
      row.push_back(cell(spread.mean));
      row.push_back(cell(spread.max));
    }
    row.push_back(metadata);
  }
  return table;
}

}  // namespace fathom
