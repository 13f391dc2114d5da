// SPDX-License-Identifier: Apache-2.0
/// Where an event is drawn: a track for each thread, and more beside it for transfers that go on while the thread does other things.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace fathom {

class PerfettoTracks {
 public:
  explicit PerfettoTracks(const trace::Trace& trace) : trace_(trace) {
    for (const trace::Call& call : trace.calls) overlaps_.push_back(call.name.starts_with("aio."));
  }

  struct Track {
    std::uint32_t process, thread, lane;  // lane 0: the thread's own calls
    /// A number for it that no other thread of the process has.
    std::uint64_t number() const { return std::uint64_t{lane} * 1'000'000 + thread; }
    std::uint64_t id() const { return (std::uint64_t{process} + 1) << 40 | std::uint64_t{lane} << 24 | thread; }
  };

  /// `is_new`: nothing was drawn on it before.
  Track track_of(const trace::Event& event, bool& is_new) {
    auto& lanes = lanes_[std::uint64_t{event.process} << 32 | event.thread];
    std::size_t lane = 0;
    if (overlaps_[event.call]) {
      lane = 1;
      while (lane < lanes.size() && lanes[lane] > event.start) ++lane;
    }
    is_new = lane >= lanes.size() || lanes[lane] == INT64_MIN;
    if (lane >= lanes.size()) lanes.resize(lane + 1, INT64_MIN);
    lanes[lane] = event.end;
    return {event.process, event.thread, static_cast<std::uint32_t>(lane)};
  }

  std::string process_name(std::uint32_t process) const {
    const trace::Process& p = trace_.processes[process];
    const trace::Unit& unit = trace_.units[p.unit];
    const std::string program = p.executable.substr(p.executable.rfind('/') + 1);
    return unit.launcher ? fmt::format("launcher: {} ({})", program, p.host) : fmt::format("rank {}: {} ({})", unit.rank, program, p.host);
  }
  static std::string thread_name(const Track& track) {
    return track.lane == 0 ? fmt::format("thread {}", track.thread) : fmt::format("thread {}, asynchronous {}", track.thread, track.lane);
  }

 private:
  const trace::Trace& trace_;
  std::vector<bool> overlaps_;
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> lanes_;  // when each is free again
};

}  // namespace fathom
