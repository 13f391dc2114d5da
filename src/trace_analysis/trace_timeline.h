// SPDX-License-Identifier: Apache-2.0
/// A traced run as a timeline, so that its criteria come from the same code as those of counters.
#pragma once

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "timeline/request_sizes.h"
#include "timeline/stretch.h"
#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// The reads, writes and metadata operations of one interface by unit and slot. A call inside one slot adds its bytes and itself to the
/// slot as a whole; a call over several is a stretch of its own, from and to whole microseconds around it. So memory follows units x
/// seconds with I/O, not calls.
class TimelineAnalysis : public Analysis {
 public:
  /// `slot` in microseconds; `small` sizes ascending.
  TimelineAnalysis(const Trace& trace, Interface layer, std::int64_t slot, std::vector<std::uint64_t> small);
  void take(const Seen& seen) override;
  void finish() override;

  /// After finish; lives as long as this.
  const JobTimeline& timeline() const { return timeline_; }
  /// Of every request, as it was asked for.
  const RequestSizes& sizes() const { return sizes_; }
  struct UnitTotals {
    std::array<std::uint64_t, flow_count> flows{};
    std::uint64_t opens = 0, closes = 0, lists = 0, metadata = 0;
  };
  const std::vector<UnitTotals>& units() const { return totals_; }
  /// Requests of each exact size, by direction; empty if there were too many different ones.
  const std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, 2>& exact_sizes() const { return exact_; }

 private:
  struct LaneSet {
    std::vector<Stretch> slots;
    std::vector<std::vector<Stretch>> crossing;  // none over another
  };
  struct UnitLanes {
    LaneSet data, metadata;
  };
  using Amounts = std::array<std::int64_t, stretch_flows>;
  void put(LaneSet& lanes, const Event& event, const Amounts& amounts);
  void add_lanes(std::uint32_t unit, LaneSet& lanes, CounterMask has);
  void count_size(std::size_t direction, std::uint64_t bytes);

  Interface layer_;
  std::int64_t slot_;
  std::vector<std::uint64_t> small_;
  std::vector<UnitLanes> lanes_;
  std::vector<UnitTotals> totals_;
  RequestSizes sizes_;
  std::array<std::unordered_map<std::uint64_t, std::uint64_t>, 2> by_size_;
  std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, 2> exact_;
  JobTimeline timeline_;
};

}  // namespace fathom::trace
