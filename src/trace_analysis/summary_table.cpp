// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "trace_analysis/tables.h"

namespace fathom::trace {
namespace {

using Json = nlohmann::ordered_json;

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }
Json or_null(double value) { return std::isnan(value) ? Json() : Json(value); }
Interface interface_at(std::size_t i) { return static_cast<Interface>(i); }

Json layer_json(const LayerTotals& t) {
  return {{"calls", t.calls},
          {"read_calls", t.transfers[0]},
          {"read_bytes", t.bytes[0]},
          {"read_seconds", seconds(t.time[0])},
          {"write_calls", t.transfers[1]},
          {"write_bytes", t.bytes[1]},
          {"write_seconds", seconds(t.time[1])},
          {"opens", t.opens},
          {"closes", t.closes},
          {"lock_calls", t.lock_calls},
          {"unlock_calls", t.unlock_calls},
          {"seeks", t.seeks},
          {"syncs", t.syncs},
          {"failed_calls", t.failed},
          {"seconds", seconds(t.all_time)}};
}

}  // namespace

Cell number_cell(double value) { return std::isfinite(value) ? cell(value) : Cell{}; }

Cell file_cell(const Trace& trace, std::uint32_t file, bool brief) {
  if (file != no_file) return cell(std::string_view(trace.files[file].path));
  return brief ? cell(std::string_view("(all)")) : Cell{};
}

bool is_told(const Summary& summary, std::size_t interface) {
  return interface_at(interface) <= Interface::mpiio || summary.layers[interface].calls > 0;
}

Interface top_layer(const Summary& summary) {
  return summary.layers[static_cast<std::size_t>(Interface::mpiio)].moved_data() ? Interface::mpiio : Interface::posix;
}

double perceived(const Summary& summary, const Bandwidth& moved, Direction direction) {
  const Interface layer = top_layer(summary);
  return moved.of(layer, direction).perceived(moved.mean_over(layer, direction));
}

nlohmann::ordered_json summary_json(const Trace& trace, const Summary& summary, const Bandwidth& moved) {
  Json interfaces, effective;
  for (std::size_t i = 0; i < summary.layers.size(); ++i) {
    if (!is_told(summary, i)) continue;
    const std::string name(interface_names[i]);
    interfaces[name] = layer_json(summary.layers[i]);
    effective[name] = {{"read", or_null(moved.of(interface_at(i), Direction::read).effective())},
                       {"write", or_null(moved.of(interface_at(i), Direction::write).effective())}};
  }
  Json troubles = Json::array();
  for (const Trouble& trouble : trace.troubles)
    troubles.push_back({{"what", trouble.what}, {"where", trouble.where}, {"count", trouble.count}});
  return {{"ranks", summary.ranks},
          {"hosts", summary.hosts},
          {"processes", summary.processes},
          {"killed", summary.killed},
          {"files", summary.files},
          {"events", summary.events},
          {"start", seconds(trace.start)},
          {"duration", seconds(trace.end - trace.start)},
          {"interfaces", interfaces},
          {"perceived_bw",
           {{"interface", interface_names[static_cast<std::size_t>(top_layer(summary))]},
            {"read", or_null(perceived(summary, moved, Direction::read))},
            {"write", or_null(perceived(summary, moved, Direction::write))}}},
          {"effective_bw", effective},
          {"clock_drift", trace.clock_drift},
          {"notes", trace.notes},
          {"troubles", troubles}};
}

}  // namespace fathom::trace
