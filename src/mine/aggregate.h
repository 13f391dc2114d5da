// SPDX-License-Identifier: Apache-2.0
/// The traffic of all servers of a file system together on a regular grid, in one pass over the store.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mine/series.h"
#include "store/store.h"

namespace fathom {

enum class TrafficDirection : std::uint8_t { read, write, total };

struct AggregateTraffic {
  std::string filesystem;
  Time start{};
  Duration step{};
  std::array<std::vector<std::uint64_t>, 2> bytes;  // by slot: read, written; whole bytes, whatever the order of reading
  std::vector<std::uint64_t> measured;              // microseconds of all servers together that were measured, by slot
  std::uint64_t servers = 0;
  std::uint64_t increments = 0;
  std::uint64_t gaps = 0;  // increments too long to say when their bytes moved: left out

  std::size_t size() const { return measured.size(); }
  /// A slot is known if at least `coverage` of its servers' time was measured; what is missing is not made up.
  TrafficSeries series(TrafficDirection direction, double coverage = 0.5) const;
  /// Share of the time of all servers that was measured.
  double coverage() const;
};

struct AggregateRequest {
  std::string filesystem;             // empty: the store's only one
  Time from = no_time, to = no_time;  // no_time: all there is
  Duration step{};                    // 0: the servers' usual interval
  unsigned threads = 0;               // 0: one per core
};

/// The file systems that a store has counters of, in order of their names; an empty name is servers' totals.
Result<std::vector<std::string>> filesystems_of(const Snapshot& snapshot, Database& database);

/// Slots begin at whole multiples of the step since 1970. An increment's bytes spread evenly over its time. Memory: 24 bytes per slot and
/// thread.
Result<AggregateTraffic> aggregate_traffic(const Snapshot& snapshot, const AggregateRequest& request,
                                           const std::function<void(std::size_t done, std::size_t all)>& progress);

}  // namespace fathom
