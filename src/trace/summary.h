// SPDX-License-Identifier: Apache-2.0
/// A traced run in a few numbers: calls, bytes and time of each layer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace fathom::trace {

/// Calls of one layer on data files, without launchers. A call inside another of its own layer counts as part of that one.
struct LayerTotals {
  std::uint64_t calls = 0;
  std::array<std::uint64_t, 2> transfers{}, bytes{};  // reads, writes
  std::array<std::int64_t, 2> time{};                 // nanoseconds inside them, summed over all ranks
  std::uint64_t opens = 0, closes = 0, lock_calls = 0, unlock_calls = 0, seeks = 0, syncs = 0, failed = 0;
  std::int64_t all_time = 0;                          // nanoseconds inside any call

  bool moved_data() const { return transfers[0] + transfers[1] > 0; }
};

struct Summary {
  std::uint32_t ranks = 0, hosts = 0, processes = 0, killed = 0;
  std::uint64_t files = 0;   // data files with at least one call
  std::uint64_t events = 0;  // all of them
  std::array<LayerTotals, 4> layers;  // by Interface
  std::uint64_t unreadable_blocks = 0;
};

Result<Summary> summarise(const Trace& trace);

}  // namespace fathom::trace
