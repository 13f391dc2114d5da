// SPDX-License-Identifier: Apache-2.0
#include "trace/summary.h"

#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace fathom::trace {
namespace {

/// The calls that a thread is in, by depth.
struct Inside {
  struct Level {
    std::uint64_t row = no_row;
    std::uint8_t layers = 0;  // a bit for each layer of the call and of those around it
  };
  std::vector<Level> levels;
};

/// What a call moves: a transfer, the second half of a split one, or nothing.
struct Role {
  std::optional<std::size_t> direction;  // 0 reads, 1 writes
  bool transfers = false;
};

Role role_of(const Call& call) {
  if (call.operation == Operation::read) return {0, true};
  if (call.operation == Operation::write) return {1, true};
  const std::string_view name = call.name;
  if (call.operation != Operation::wait || !name.ends_with("_end")) return {};
  return {name.find("write") != std::string_view::npos ? 1 : 0, false};
}

class Summing {
 public:
  Summing(const Trace& trace, Summary& summary) : trace_(trace), summary_(summary), used_(trace.files.size()) {
    for (const Call& call : trace.calls) roles_.push_back(role_of(call));
  }

  void add(const Event& event) {
    ++summary_.events;
    const Call& call = trace_.calls[event.call];
    const auto layer = static_cast<std::uint8_t>(1u << static_cast<unsigned>(call.interface));
    const std::uint8_t around = enclosing(event, static_cast<std::uint8_t>(is_mpi_setup(call) ? layer | mpi_setup : layer));
    if (trace_.units[event.unit].launcher || event.file == no_file || !trace_.files[event.file].is_data()) return;
    // What MPI does to set itself up is not the program's I/O. The file that copy_file_range writes, and what was queued and is now
    // waited for, move data of their own inside calls of their layer.
    const bool transfers = call.interface == Interface::posix && roles_[event.call].transfers;
    if ((around & mpi_setup) != 0 || ((around & layer) != 0 && !transfers)) return;
    if (!used_[event.file]) ++summary_.files;
    used_[event.file] = true;
    count(event, call);
  }

 private:
  static constexpr std::uint8_t mpi_setup = 0x80;  // beside the bits of layers

  /// The layers of the calls around it; remembers its own for those inside.
  std::uint8_t enclosing(const Event& event, std::uint8_t layer) {
    const std::uint64_t thread = static_cast<std::uint64_t>(event.process) << 32 | event.thread;
    if (thread != last_thread_ || last_ == nullptr) {
      last_ = &threads_[thread];
      last_thread_ = thread;
    }
    auto& levels = last_->levels;
    if (levels.size() <= event.depth) levels.resize(event.depth + 1u);
    const bool has_parent = event.depth > 0 && event.parent != no_row && levels[event.depth - 1u].row == event.parent;
    const std::uint8_t around = has_parent ? levels[event.depth - 1u].layers : std::uint8_t{0};
    levels[event.depth] = {event.row, static_cast<std::uint8_t>(around | layer)};
    return around;
  }

  void count(const Event& event, const Call& call) {
    LayerTotals& layer = summary_.layers[static_cast<std::size_t>(call.interface)];
    ++layer.calls;
    layer.failed += event.failed();
    layer.all_time += event.duration();
    switch (call.operation) {
      case Operation::open: ++layer.opens; break;
      case Operation::close: ++layer.closes; break;
      case Operation::lock: ++layer.lock_calls; break;
      case Operation::unlock: ++layer.unlock_calls; break;
      case Operation::seek: ++layer.seeks; break;
      case Operation::sync: ++layer.syncs; break;
      default: break;
    }
    const Role& role = roles_[event.call];
    if (!role.direction) return;
    const std::size_t direction = *role.direction;
    layer.time[direction] += event.duration();
    if (!role.transfers) return;
    ++layer.transfers[direction];
    layer.bytes[direction] += event.moved();
  }

  const Trace& trace_;
  Summary& summary_;
  std::vector<Role> roles_;
  std::vector<bool> used_;
  std::unordered_map<std::uint64_t, Inside> threads_;
  std::uint64_t last_thread_ = 0;
  Inside* last_ = nullptr;
};

}  // namespace

Result<Summary> summarise(const Trace& trace) {
  Summary summary;
  summary.ranks = trace.ranks();
  std::set<std::string_view> hosts;
  for (const Unit& unit : trace.units)
    if (!unit.launcher) hosts.insert(unit.host);
  summary.hosts = static_cast<std::uint32_t>(hosts.size());
  summary.processes = static_cast<std::uint32_t>(trace.processes.size());
  for (const Process& process : trace.processes) summary.killed += !process.ended_well;
  Summing summing(trace, summary);
  EventStream stream(trace);
  for (;;) {
    TRY(const auto events, stream.next());
    if (events.empty()) break;
    for (const Event& event : events) summing.add(event);
  }
  summary.unreadable_blocks = stream.unreadable_blocks();
  return summary;
}

}  // namespace fathom::trace
