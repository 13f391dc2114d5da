// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/trace_timeline.h"

#include <algorithm>

namespace fathom::trace {
namespace {

constexpr std::size_t most_sizes = 1 << 16;  // different ones that are kept exactly

/// What a metadata server would be asked for. A call with two names is told twice: its second half (rename.to) does not count.
bool is_metadata(const Call& call) {
  switch (call.operation) {
    case Operation::open:
    case Operation::close:
    case Operation::stat:
    case Operation::remove:
    case Operation::rename:
    case Operation::metadata:
    case Operation::list: return !std::string_view(call.name).ends_with(".to");
    default: return false;
  }
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

}  // namespace

TimelineAnalysis::TimelineAnalysis(const Trace& trace, Interface layer, std::int64_t slot, std::vector<std::uint64_t> small)
    : layer_(layer), slot_(slot), small_(std::move(small)) {
  timeline_.units = trace.ranks();
  timeline_.start = floor_div(trace.start, 1000);
  timeline_.end = ceil_div(trace.end, 1000);
  lanes_.resize(trace.units.size());
  totals_.resize(timeline_.units);
  sizes_.prepare(small_.size(), true);
}

void TimelineAnalysis::put(LaneSet& lanes, const Event& event, const Amounts& amounts) {
  timeline_.start = std::min(timeline_.start, floor_div(event.start, 1000));
  timeline_.end = std::max({timeline_.end, ceil_div(event.end, 1000), timeline_.start + 1});
  const std::int64_t nanoseconds = slot_ * 1000;
  const std::int64_t first = floor_div(event.start, nanoseconds);
  if (event.end <= (first + 1) * nanoseconds) {  // also the one without length: it goes to its start
    const std::int64_t begin = first * slot_;
    if (lanes.slots.empty() || lanes.slots.back().from != begin) lanes.slots.push_back({begin, begin + slot_, slot_, {}});
    for (std::size_t f = 0; f < stretch_flows; ++f) lanes.slots.back().amounts[f] += amounts[f];
    return;
  }
  Stretch stretch{floor_div(event.start, 1000), ceil_div(event.end, 1000), 1, amounts};
  stretch.spread = stretch.to - stretch.from;
  auto lane = std::find_if(lanes.crossing.begin(), lanes.crossing.end(), [&](const auto& each) { return each.back().to <= stretch.from; });
  if (lane == lanes.crossing.end()) lane = lanes.crossing.emplace(lane);
  lane->push_back(stretch);
}

void TimelineAnalysis::count_size(std::size_t direction, std::uint64_t bytes) {
  sizes_.add(direction, static_cast<std::int64_t>(bytes), 1, 1, small_);
  auto& sizes = by_size_[direction];
  if (sizes.size() <= most_sizes) ++sizes[bytes];
}

void TimelineAnalysis::take(const Seen& seen) {
  if (!seen.is(layer_) || !seen.names || !seen.told() || seen.event.failed()) return;
  const Event& event = seen.event;
  UnitTotals& totals = totals_[event.unit];
  const bool of_a_file = layer_ != Interface::hdf5 || seen.call.name.starts_with("H5F");  // not of a dataset in it
  if (is_metadata(seen.call) && of_a_file) {
    ++totals.metadata;
    Amounts amounts{};
    amounts[metadata_flow] = 1;
    put(lanes_[event.unit].metadata, event, amounts);
  }
  if (!seen.counts) return;
  totals.opens += seen.call.operation == Operation::open && of_a_file;
  totals.closes += seen.call.operation == Operation::close && of_a_file;
  totals.lists += seen.call.operation == Operation::list;
  if (!seen.moves()) return;
  const auto direction = static_cast<std::size_t>(*seen.direction);
  const std::uint64_t bytes = seen.bytes_moved();
  totals.flows[direction] += bytes;
  ++totals.flows[2 + direction];
  count_size(direction, event.bytes == no_bytes ? bytes : event.bytes);
  Amounts amounts{};
  amounts[direction] = static_cast<std::int64_t>(bytes);
  amounts[2 + direction] = 1;
  put(lanes_[event.unit].data, event, amounts);
}

void TimelineAnalysis::add_lanes(std::uint32_t unit, LaneSet& lanes, CounterMask has) {
  for (Stretch& s : lanes.slots) {  // the first and last slot may stick out of the run
    s.from = std::max(s.from, timeline_.start);
    s.to = std::min(s.to, timeline_.end);
    s.spread = s.to - s.from;
  }
  if (!lanes.slots.empty()) timeline_.lanes.push_back({unit, true, has, {std::span<const Stretch>(lanes.slots)}});
  for (const auto& lane : lanes.crossing) timeline_.lanes.push_back({unit, true, has, {std::span<const Stretch>(lane)}});
}

void TimelineAnalysis::finish() {
  for (std::uint32_t unit = 0; unit < timeline_.units; ++unit) {
    add_lanes(unit, lanes_[unit].data, static_cast<CounterMask>(all_counters & ~mask(Counter::metadata_ops)));
    add_lanes(unit, lanes_[unit].metadata, mask(Counter::metadata_ops));
  }
  for (std::size_t d = 0; d < 2; ++d) {
    if (by_size_[d].size() <= most_sizes) exact_[d].assign(by_size_[d].begin(), by_size_[d].end());
    std::sort(exact_[d].begin(), exact_[d].end());
  }
}

}  // namespace fathom::trace
