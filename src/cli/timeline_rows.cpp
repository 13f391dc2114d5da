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
    for (std::size_t f = 0; f < flow_count; ++f) row.push_back(holds(slot.has, f) ? cell(slot.amounts[f]) : Cell{});
    for (const std::size_t first : {0u, 2u}) {
      const double all = slot.amounts[first] + slot.amounts[first + 1];
      row.push_back(holds(slot.has, first) && holds(slot.has, first + 1) && all > 0 ? cell(slot.amounts[first] / all) : Cell{});
    }
    const auto type = dominating(slot);
    row.push_back(type ? cell(std::string_view(dominating_names[static_cast<std::size_t>(*type)])) : Cell{});
    row.push_back((slot.has & byte_counters) != 0 ? cell(std::uint64_t{slot.active[2]}) : Cell{});
    for (std::size_t d = 0; d < 2; ++d)
      for (const double value : {slot.units[d].min, slot.units[d].mean, slot.units[d].max})
        row.push_back(holds(slot.has, d) ? cell(value) : Cell{});
    row.push_back(metadata);
  }
  return table;
}

}  // namespace fathom
