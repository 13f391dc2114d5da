// SPDX-License-Identifier: Apache-2.0
/// What goes wrong on which server and when: drawn a day at a time, the same for the same seed.
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

enum class FaultKind : std::uint8_t {
  reset,            // `reset` given to mmpmon: logged, all file systems of the node at zero
  restart,          // the node or its GPFS daemon restarts: counters at zero, nothing logged
  masked_restart,   // a reset, a sample, a restart, a sample: the second sample exceeds the first, nothing shows
  gap,              // no samples for a while
  dead_node,        // the same, and another node reports it as dead
  lost_sample,      // one sample is missing
  duplicate,        // one answer is written twice
  late,             // one answer is written after its successor
  nothing_mounted,  // one answer is `_rc_ 1`
  unmount,          // one file system is away for a while
};

/// How many of each a day, on the whole machine.
struct FaultRates {
  int resets = 0, restarts = 0, masked_restarts = 0, gaps = 0, dead_nodes = 0, lost_samples = 0, duplicates = 0, late = 0,
      nothing_mounted = 0, unmounts = 0;
  double reset_at_begin = 0;  // share of nodes whose logging starts with a reset
  double near_wrap = 0;       // share of series whose operation counters start a little below 2^32
};

struct Fault {
  FaultKind kind{};
  std::uint32_t server = 0;
  std::uint8_t filesystem = 0;
  std::int64_t t = 0;  // true time, microseconds
  std::int64_t t_end = 0;
};

/// The faults of one day that begin before `end`, in order of time.
std::vector<Fault> faults_of_day(const FaultRates& rates, std::uint64_t seed, std::int32_t day, std::int64_t end, std::uint32_t servers,
                                 std::uint8_t filesystems);

}  // namespace fathom
