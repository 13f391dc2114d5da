// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/summary.h"

#include <set>
#include <string_view>

namespace fathom::trace {

SummaryAnalysis::SummaryAnalysis(const Trace& trace) : used_(trace.files.size()) {
  summary_.ranks = trace.ranks();
  std::set<std::string_view> hosts;
  for (const Unit& unit : trace.units)
    if (!unit.launcher) hosts.insert(unit.host);
  summary_.hosts = static_cast<std::uint32_t>(hosts.size());
  summary_.processes = static_cast<std::uint32_t>(trace.processes.size());
  for (const Process& process : trace.processes) summary_.killed += !process.ended_well;
}

void SummaryAnalysis::take(const Seen& seen) {
  ++summary_.events;
  if (!seen.counts || !seen.told()) return;
  const Event& event = seen.event;
  if (!used_[event.file]) ++summary_.files;
  used_[event.file] = true;
  LayerTotals& layer = summary_.layers[static_cast<std::size_t>(seen.call.interface)];
  ++layer.calls;
  layer.failed += event.failed();
  layer.all_time += event.duration();
  switch (seen.call.operation) {
    case Operation::open: ++layer.opens; break;
    case Operation::close: ++layer.closes; break;
    case Operation::lock: ++layer.lock_calls; break;
    case Operation::unlock: ++layer.unlock_calls; break;
    case Operation::seek: ++layer.seeks; break;
    case Operation::sync: ++layer.syncs; break;
    default: break;
  }
  if (!seen.direction) return;
  const auto direction = static_cast<std::size_t>(*seen.direction);
  layer.time[direction] += event.duration();
  if (!seen.moves()) return;
  ++layer.transfers[direction];
  layer.bytes[direction] += seen.bytes_moved();
}

}  // namespace fathom::trace
