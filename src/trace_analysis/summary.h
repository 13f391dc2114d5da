// SPDX-License-Identifier: Apache-2.0
/// A traced run in a few numbers: calls, bytes and time of each layer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// Calls of one layer on data files, without launchers. A call inside another of its own layer counts as part of that one.
struct LayerTotals {
  std::uint64_t calls = 0;
  std::array<std::uint64_t, 2> transfers{}, bytes{};  // reads, writes
  std::array<std::int64_t, 2> time{};                 // nanoseconds inside them and the waits that complete them, summed over all ranks
  std::uint64_t opens = 0, closes = 0, lock_calls = 0, unlock_calls = 0, seeks = 0, syncs = 0, failed = 0;
  std::int64_t all_time = 0;  // nanoseconds inside any call

  bool moved_data() const { return transfers[0] + transfers[1] > 0; }
};

struct Summary {
  std::uint32_t ranks = 0, hosts = 0, processes = 0, killed = 0;
  std::uint64_t files = 0;                                 // data files with at least one call
  std::uint64_t events = 0;                                // all of them
  std::array<LayerTotals, interface_names.size()> layers;  // by Interface
};

class SummaryAnalysis : public Analysis {
 public:
  explicit SummaryAnalysis(const Trace& trace);
  void take(const Seen& seen) override;
  const Summary& summary() const { return summary_; }

 private:
  Summary summary_;
  std::vector<bool> used_;  // files
};

}  // namespace fathom::trace
