// SPDX-License-Identifier: Apache-2.0
#include "trace/summary.h"

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
  std::optional<Direction> direction;
  bool transfers = false;
};

Role role_of(const Call& call) {
  if (call.operation == Operation::read) return {Direction::read, true};
  if (call.operation == Operation::write) return {Direction::write, true};
  const std::string_view name = call.name;
  if (call.operation != Operation::wait || !name.ends_with("_end")) return {};
  return {name.find("write") != std::string_view::npos ? Direction::write : Direction::read, false};
}

class Summing {
 public:
  Summing(const Trace& trace, Summary& summary) : trace_(trace), summary_(summary), used_(trace.files.size()) {
    for (const Call& call : trace.calls) roles_.push_back(role_of(call));
  }

  void add(const Event& event) {
    ++summary_.events;
    const Call& call = trace_.calls[event.call];
    std::uint8_t layer = static_cast<std::uint8_t>(1u << static_cast<unsigned>(call.interface));
    if (is_mpi_setup(call)) layer |= everything;
    const bool nested = inside_same_layer(event, layer);
    if (trace_.units[event.unit].launcher || event.file == no_file || !trace_.files[event.file].is_data()) return;
    if (nested) return;
    if (!used_[event.file]) ++summary_.files;
    used_[event.file] = true;
    count(event, call);
  }

 private:
  static constexpr std::uint8_t everything = 0xff;  // what is inside MPI_Init counts as part of it, whatever its layer

  /// Whether a call of the same layer encloses it; remembers it for those inside.
  bool inside_same_layer(const Event& event, std::uint8_t layer) {
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
    return (around & layer) != 0;
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
    const auto direction = static_cast<std::size_t>(*role.direction);
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

std::optional<double> Summary::effective(Interface interface, Direction direction) const {
  const LayerTotals& layer = layers[static_cast<std::size_t>(interface)];
  const auto which = static_cast<std::size_t>(direction);
  if (layer.bytes[which] == 0 || layer.time[which] <= 0) return std::nullopt;
  return static_cast<double>(layer.bytes[which]) / (static_cast<double>(layer.time[which]) * 1e-9);
}

std::optional<double> Summary::perceived(Direction direction) const {
  const auto serial = effective(top(), direction);
  if (!serial || ranks == 0) return std::nullopt;
  return *serial * ranks;  // the mean of the time is its sum / ranks
}

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
