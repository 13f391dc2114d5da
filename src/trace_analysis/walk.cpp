// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/walk.h"

#include <algorithm>

namespace fathom::trace {

std::uint8_t traits_of(const Call& call) {
  const std::string_view name = call.name;
  if (call.interface == Interface::posix)
    return name == "fread" || name == "fwrite" || name == "fprintf" || name == "fscanf" ? buffered : 0;
  if (call.interface != Interface::mpiio) return 0;
  std::uint8_t traits = 0;
  if (name.find("_all") != name.npos || name.find("_ordered") != name.npos) traits |= collective;
  if (name.starts_with("MPI_File_iread") || name.starts_with("MPI_File_iwrite") || name.ends_with("_begin")) traits |= non_blocking;
  if (call.operation == Operation::wait) traits |= completes;
  if (name == "MPI_Init" || name == "MPI_Finalize") traits |= mpi_setup;
  return traits;
}

namespace {

/// The system calls that make up most of a trace have no other calls in them, and need not be remembered.
bool may_enclose(const Call& call) {
  if (call.interface != Interface::posix || (traits_of(call) & buffered) != 0) return true;
  switch (call.operation) {
    case Operation::read:
    case Operation::write:
    case Operation::seek:
    case Operation::lock:
    case Operation::unlock:
    case Operation::stat: return false;
    default: return true;
  }
}

}  // namespace

Walk::Walk(const Trace& trace, std::vector<Analysis*> analyses) : trace_(trace), analyses_(std::move(analyses)) {
  for (const Call& call : trace.calls) {
    traits_.push_back(traits_of(call));
    encloses_.push_back(may_enclose(call));
  }
}

std::optional<Direction> Walk::direction_of(const Event& event, const Call& call, std::uint8_t traits) {
  const std::uint64_t key = static_cast<std::uint64_t>(event.process) << 32 | event.handle;
  if (call.operation == Operation::read || call.operation == Operation::write) {
    const Direction direction = call.operation == Operation::read ? Direction::read : Direction::write;
    if ((traits & non_blocking) != 0) {
      Pending& pending = pending_[key];
      pending.waiting.push_back(direction);
      pending.last = direction;
    }
    return direction;
  }
  if ((traits & completes) == 0) return std::nullopt;
  const auto found = pending_.find(key);
  std::optional<Direction> direction;
  if (found != pending_.end()) direction = found->second.complete(event);
  if (call.name.starts_with("MPI_File_read")) direction = Direction::read;
  if (call.name.starts_with("MPI_File_write")) direction = Direction::write;
  return direction;
}

/// A wait for several requests has a call without length inside for each of them: the first of these is the one that the wait itself took.
Direction Walk::Pending::complete(const Event& wait) {
  if (wait.parent != no_row && wait.parent == taken_by) {
    taken_by = no_row;
    return last;
  }
  if (wait.parent == no_row || wait.end > wait.start) taken_by = wait.row;
  if (waiting.empty()) return last;
  const Direction direction = waiting.front();
  waiting.pop_front();
  return direction;
}

void Walk::forget_before(std::int64_t time) {
  while (!endings_.empty() && endings_.top().end < time) {
    open_.erase(endings_.top().row);
    endings_.pop();
  }
}

void Walk::take(const Event& event) {
  forget_before(event.start);
  const Call& call = trace_.calls[event.call];
  Seen seen{event, call, traits_[event.call], false, false, true, true, no_row, std::nullopt};
  // Opening, closing and setting views by MPI-IO is mostly meeting the other ranks: what it does to files are the calls inside.
  const bool looked_through =
      call.interface != Interface::posix && !seen.moves() && call.operation != Operation::wait && call.operation != Operation::sync;
  bool on_file = event.file != no_file && !looked_through;
  seen.top = !looked_through;
  bool setup = (seen.traits & mpi_setup) != 0;
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(call.interface));
  std::uint8_t interfaces = bit, posix_data = 0;
  if (seen.moves() && seen.is(Interface::posix)) posix_data = call.operation == Operation::read ? 1 : 2;
  if (const auto parent = event.parent == no_row ? open_.end() : open_.find(event.parent); parent != open_.end()) {
    seen.outermost = (parent->second.interfaces & bit) == 0;
    seen.mpi_call = parent->second.mpi_call;
    seen.top = seen.top && !parent->second.on_file;
    interfaces |= parent->second.interfaces;
    on_file = on_file || parent->second.on_file;
    setup = setup || parent->second.setup;
    seen.other_data = posix_data != 0 && (parent->second.posix_data & posix_data) == 0;
    posix_data |= parent->second.posix_data;
  }
  // What MPI opens and writes to set itself up (its shared memory, its settings) is not the program's I/O.
  if (event.file != no_file && !setup && !trace_.units[event.unit].launcher) {
    // What MPI and the libraries above it open is a file, even where nobody asked the system what kind of one.
    const File& file = trace_.files[event.file];
    seen.names = file.is_data() || file.kind == FileKind::directory || file.kind == FileKind::unknown;
    seen.counts = file.is_data() || (file.kind == FileKind::unknown && call.interface != Interface::posix);
  }
  if (seen.moves() || call.operation == Operation::wait) seen.direction = direction_of(event, call, seen.traits);
  if (call.operation == Operation::close) pending_.erase(static_cast<std::uint64_t>(event.process) << 32 | event.handle);
  if (encloses_[event.call] != 0) {
    open_[event.row] = {call.interface == Interface::mpiio && !setup ? event.row : seen.mpi_call, interfaces, on_file, setup, posix_data};
    endings_.push({event.end, event.row});
  }
  for (Analysis* analysis : analyses_) analysis->take(seen);
}

void Walk::finish() {
  for (Analysis* analysis : analyses_) analysis->finish();
}

}  // namespace fathom::trace
