// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/decompose.h"

#include <algorithm>
#include <numeric>

namespace fathom::trace {

Part part_of(Operation operation) {
  switch (operation) {
    case Operation::read: return Part::read;
    case Operation::write: return Part::write;
    case Operation::lock: return Part::lock;
    case Operation::unlock: return Part::unlock;
    default: return Part::other;
  }
}

void Decomposition::add(const Decomposition& other) {
  calls += other.calls;
  bytes += other.bytes;
  time += other.time;
  for (std::size_t p = 0; p < part_count; ++p) parts[p] += other.parts[p], posix_calls[p] += other.posix_calls[p];
}

std::size_t DecomposeAnalysis::group_of(const Seen& seen) {
  const std::uint8_t direction = seen.direction ? static_cast<std::uint8_t>(*seen.direction) : 2;
  const auto [at, is_new] = groups_.try_emplace(static_cast<std::uint32_t>(seen.event.call) << 2 | direction, calls_.size());
  if (is_new) {
    std::string name = seen.call.name;
    if (seen.call.operation == Operation::wait && !name.starts_with("MPI_File") && direction < 2)
      name += direction == 0 ? " (read)" : " (write)";
    calls_.push_back({std::move(name), 0, 0, 0, {}, {}});
    direction_.push_back(direction);
  }
  return at->second;
}

/// Now and then, so that what is held is at most twice what is under way.
void DecomposeAnalysis::forget_before(std::int64_t time) {
  if (under_way_.size() < forget_at_) return;
  std::erase_if(under_way_, [&](const auto& each) { return each.second.end < time; });
  forget_at_ = std::max<std::size_t>(1024, 2 * under_way_.size());
}

void DecomposeAnalysis::take(const Seen& seen) {
  const Event& event = seen.event;
  if (seen.is(Interface::mpiio)) {
    if (!seen.counts || !seen.outermost) return;
    forget_before(event.start);
    const std::size_t group = group_of(seen);
    Decomposition& sum = calls_[group];
    ++sum.calls;
    sum.bytes += seen.bytes_moved();
    sum.time += event.duration();
    sum.parts[static_cast<std::size_t>(Part::waiting)] += event.duration();  // until POSIX calls say otherwise
    under_way_[event.row] = {group, event.end, event.start};
    return;
  }
  if (!seen.is(Interface::posix) || !seen.outermost || seen.mpi_call == no_row) return;
  const auto found = under_way_.find(seen.mpi_call);
  if (found == under_way_.end()) return;
  Under& around = found->second;
  Decomposition& sum = calls_[around.group];
  const auto part = static_cast<std::size_t>(part_of(seen.call.operation));
  const std::int64_t from = std::max(event.start, around.covered), to = std::min(event.end, around.end);
  ++sum.posix_calls[part];
  if (to <= from) return;
  sum.parts[part] += to - from;
  sum.parts[static_cast<std::size_t>(Part::waiting)] -= to - from;
  around.covered = to;
}

void DecomposeAnalysis::finish() {
  totals_ = {{"read", 0, 0, 0, {}, {}}, {"write", 0, 0, 0, {}, {}}, {"read+write", 0, 0, 0, {}, {}}, {"all", 0, 0, 0, {}, {}}};
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (direction_[i] < 2) totals_[direction_[i]].add(calls_[i]), totals_[2].add(calls_[i]);
    totals_[3].add(calls_[i]);
  }
  std::stable_sort(calls_.begin(), calls_.end(), [](const Decomposition& a, const Decomposition& b) { return a.time > b.time; });
}

const Decomposition* DecomposeAnalysis::total(std::string_view name) const {
  for (const Decomposition& each : totals_)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace fathom::trace
