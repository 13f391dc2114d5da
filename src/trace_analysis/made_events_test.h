// SPDX-License-Identifier: Apache-2.0
/// A run made by hand: files, ranks and calls in the order a test writes them, in microseconds from the start.
#pragma once

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "trace_analysis/walk.h"

namespace fathom::trace {

struct MadeRange {
  std::int64_t offset = no_offset;
  std::uint64_t bytes = no_bytes;
  std::int64_t result = INT64_MAX;  // INT64_MAX: all that was asked for
};

class MadeRun {
 public:
  static constexpr std::int64_t epoch = 1'600'000'000'000'000'000;  // a whole second

  explicit MadeRun(std::uint32_t ranks) {
    for (const CallInfo& call : all_calls) trace.calls.push_back({std::string(call.name), call.interface, call.operation});
    for (std::uint32_t r = 0; r < ranks; ++r) {
      trace.units.push_back({static_cast<std::int32_t>(r), false, "node", epoch, epoch});
      Process process;
      process.unit = r;
      process.rank = static_cast<std::int32_t>(r);
      trace.processes.push_back(process);
    }
    trace.start = trace.end = epoch;
  }

  std::uint32_t file(std::string path, FileKind kind = FileKind::regular) {
    trace.files.push_back({std::move(path), kind, -1, {}});
    return static_cast<std::uint32_t>(trace.files.size() - 1);
  }

  /// A call from `start` to `end` microseconds; gives its number, to be the parent of others. Handles are one per file and rank.
  std::size_t call(std::uint32_t rank, std::string_view name, std::uint32_t of, double start, double end, MadeRange range = {},
                   std::size_t parent = SIZE_MAX, std::uint8_t detail = 0) {
    Event event;
    event.call = number(name);
    event.unit = event.process = rank;
    event.file = of;
    event.handle = of == no_file ? 0 : of + 1;
    event.start = epoch + static_cast<std::int64_t>(start * 1000);
    event.end = epoch + static_cast<std::int64_t>(end * 1000);
    event.offset = range.offset;
    event.bytes = range.bytes;
    event.result = range.result != INT64_MAX ? range.result : range.bytes == no_bytes ? 0 : static_cast<std::int64_t>(range.bytes);
    event.parent = parent == SIZE_MAX ? no_row : parent;
    event.depth = parent == SIZE_MAX ? 0 : static_cast<std::uint8_t>(events_[parent].depth + 1);
    event.detail = detail;
    events_.push_back(event);
    trace.end = std::max(trace.end, event.end);
    return events_.size() - 1;
  }
  Event& last() { return events_.back(); }

  /// The events in the order a reader gives them.
  std::vector<Event> events() const {
    std::vector<std::size_t> order(events_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return events_[a].start != events_[b].start ? events_[a].start < events_[b].start : events_[a].depth < events_[b].depth;
    });
    std::vector<std::uint64_t> row_of(order.size());
    for (std::size_t row = 0; row < order.size(); ++row) row_of[order[row]] = row;
    std::vector<Event> sorted;
    for (const std::size_t i : order) {
      sorted.push_back(events_[i]);
      sorted.back().row = row_of[i];
      if (sorted.back().parent != no_row) sorted.back().parent = row_of[sorted.back().parent];
    }
    return sorted;
  }

  template <class... Analyses>
  void feed(Analyses&... analyses) const {
    Walk walk(trace, {&analyses...});
    for (const Event& event : events()) walk.take(event);
    walk.finish();
  }

  Trace trace;

 private:
  std::uint16_t number(std::string_view name) const {
    for (std::size_t i = 0; i < trace.calls.size(); ++i)
      if (trace.calls[i].name == name) return static_cast<std::uint16_t>(i);
    assert(false && "no such call");
    return 0;
  }
  std::vector<Event> events_;
};

}  // namespace fathom::trace
