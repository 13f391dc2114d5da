// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/concurrency.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fathom::trace {
namespace {

/// Where calls overlap without end, a group is cut after so many: its quickest call is to be one of its time.
constexpr std::uint64_t most_of_a_group = 4096;

}  // namespace

double Serialisation::index() const {
  if (could_wait <= 0) return std::numeric_limits<double>::quiet_NaN();
  return std::clamp(static_cast<double>(lost) / static_cast<double>(could_wait), 0.0, 1.0);
}

double Serialisation::served_at_once() const {
  return span > 0 ? static_cast<double>(service) / static_cast<double>(span) : std::numeric_limits<double>::quiet_NaN();
}

void ConcurrencyAnalysis::close_group(Flight& flight) {
  Group& group = flight.group;
  if (group.several && group.calls.size() > 1) {
    std::array<std::int64_t, 65> quickest;
    quickest.fill(INT64_MAX);
    for (const Ended& call : group.calls)
      quickest[static_cast<std::size_t>(call.power)] = std::min(quickest[static_cast<std::size_t>(call.power)], call.length);
    Serialisation& all = flight.sums.serialisation;
    ++all.groups;
    all.calls += group.calls.size();
    all.span += flight.last_end - group.first_start;
    for (const Ended& call : group.calls) {
      const std::int64_t lost = std::min(call.length - quickest[static_cast<std::size_t>(call.power)], call.could_wait);
      all.lost += lost;
      all.could_wait += call.could_wait;
      all.service += call.length - lost;
    }
  }
  group.calls.clear();  // keeps its memory
  group = {std::move(group.calls), INT64_MAX, UINT32_MAX, false};
}

void ConcurrencyAnalysis::end_until(Flight& flight, std::int64_t time) {
  while (!flight.under_way.empty() && flight.under_way.top().end <= time) {
    const Ending call = flight.under_way.top();
    flight.under_way.pop();
    Group& group = flight.group;
    const std::int64_t wait = group.calls.empty() ? 0 : std::max<std::int64_t>(0, flight.last_end - call.start);
    group.calls.push_back({call.end - call.start, wait, static_cast<int>(std::bit_width(call.bytes))});
    flight.last_end = call.end;
    group.first_start = std::min(group.first_start, call.start);
    if (group.unit == UINT32_MAX) group.unit = call.unit;
    group.several = group.several || group.unit != call.unit;
    if (flight.under_way.empty() || group.calls.size() >= most_of_a_group) close_group(flight);
  }
}

void ConcurrencyAnalysis::take(Flight& flight, const Ending& call) {
  end_until(flight, call.start);
  InFlight& sums = flight.sums;
  ++sums.calls;
  sums.time += call.end - call.start;
  sums.busy += std::max<std::int64_t>(0, call.end - std::max(call.start, flight.busy_until));
  flight.busy_until = std::max(flight.busy_until, call.end);
  flight.under_way.push(call);
  sums.most = std::max(sums.most, static_cast<std::uint32_t>(flight.under_way.size()));
}

void ConcurrencyAnalysis::take(const Seen& seen) {
  if (!seen.is(layer_) || !seen.counts || !seen.told() || !seen.moves()) return;
  const Event& event = seen.event;
  const Ending call{event.start, event.end, event.bytes == no_bytes ? 0 : event.bytes, event.unit};
  for (const Direction direction : {*seen.direction, Direction::total}) {
    const auto d = static_cast<std::size_t>(direction);
    take(whole_[d], call);
    take(by_file_[static_cast<std::uint64_t>(event.file) << 2 | d], call);
  }
}

void ConcurrencyAnalysis::finish() {
  const auto end = [](Flight& flight) {
    end_until(flight, INT64_MAX);
    return flight.sums;
  };
  for (std::size_t d = 0; d < direction_count; ++d) all_[d] = end(whole_[d]);
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (auto& [key, flight] : by_file_) {
    const auto file = static_cast<std::uint32_t>(key >> 2);
    const auto [at, is_new] = places.try_emplace(file, result_.size());
    if (is_new) result_.push_back({file, {}});
    result_[at->second].flights[key & 3] = end(flight);
  }
  by_file_.clear();
  std::sort(result_.begin(), result_.end(), [](const OfFile& a, const OfFile& b) { return a.file < b.file; });
}

}  // namespace fathom::trace
