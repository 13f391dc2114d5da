// SPDX-License-Identifier: Apache-2.0
#include "trace/file_totals.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace fathom::trace {
namespace {

void add(const Event& event, Operation operation, FileTotals& totals) {
  ++totals.calls;
  totals.first = std::min(totals.first, event.start);
  totals.last = std::max(totals.last, event.end);
  switch (operation) {
    case Operation::open: ++totals.opens; break;
    case Operation::lock: ++totals.lock_calls; break;
    case Operation::read: ++totals.read_calls, totals.read_bytes += event.moved(); break;
    case Operation::write: ++totals.write_calls, totals.write_bytes += event.moved(); break;
    default: break;
  }
}

}  // namespace

Result<std::vector<FileTotals>> file_totals(const Trace& trace, const std::function<void(std::uint64_t)>& progress) {
  constexpr std::array nearest_first = {Interface::posix, Interface::mpiio, Interface::pnetcdf, Interface::hdf5};
  std::array<std::vector<FileTotals>, 4> layers;
  for (auto& layer : layers) layer.resize(trace.files.size());
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint64_t> units(trace.files.size());
  EventStream stream(trace);
  std::uint64_t events_seen = 0;
  for (;;) {
    TRY(const auto events, stream.next());
    if (events.empty()) break;
    progress(events_seen += events.size());
    for (const Event& event : events) {
      if (event.file == no_file || trace.units[event.unit].launcher) continue;
      const Call& call = trace.calls[event.call];
      add(event, call.operation, layers[static_cast<std::size_t>(call.interface)][event.file]);
      if (seen.insert(static_cast<std::uint64_t>(event.file) << 32 | event.unit).second) ++units[event.file];
    }
  }
  std::vector<FileTotals> totals(trace.files.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    for (const Interface interface : nearest_first) {
      totals[i] = layers[static_cast<std::size_t>(interface)][i];
      if (totals[i].calls > 0) break;
    }
    totals[i].units = units[i];
  }
  return totals;
}

}  // namespace fathom::trace
