// SPDX-License-Identifier: Apache-2.0
/// One pass over a job's change points: totals, maxima, and for each threshold when how many units were active.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "timeline/request_sizes.h"
#include "timeline/stretch.h"

namespace fathom {

/// When units were active above one threshold; H and delta of D Eqs. 3.30 and 3.31, times in microseconds inside the job.
struct Activity {
  std::int64_t busy = 0;  // H = 1
  std::int64_t idle = 0;  // H = 0
  std::uint64_t busy_runs = 0;
  std::uint64_t idle_runs = 0;
  std::int64_t unit_busy = 0;  // sum over units of their active time

  bool operator==(const Activity&) const = default;
};

/// Largest amount per second over all slots, summed over units; bytes and operations by direction.
struct Peaks {
  std::array<double, direction_count> bytes{};
  std::array<double, direction_count> ops{};
  double metadata = 0;  // operations
};

struct Swept {
  std::array<double, flow_count> totals{};
  Peaks peaks;
  Peaks inner;                                                  // of lanes that are inner
  CounterMask inner_has = 0;                                    // what was counted in these; 0 if there is none
  std::vector<std::array<Activity, direction_count>> activity;  // one for each threshold
  RequestSizes sizes;
  /// Bytes that were moved by the operations of which the size is known (sizes.sized): not those of increments without operations.
  std::array<double, 2> sized_bytes{};
};

struct SweepOptions {
  std::int64_t slot = 1'000'000;          // microseconds; slots start at whole multiples of it since the epoch
  std::vector<std::uint64_t> thresholds;  // bytes per second, ascending, none twice
  std::vector<std::uint64_t> small;       // request sizes s_small, ascending, none twice
  bool distribution = false;              // also the distribution of request sizes
};

/// Keeps its memory from job to job; one for each thread.
class Sweeper {
 public:
  explicit Sweeper(SweepOptions options);
  ~Sweeper();
  Sweeper(Sweeper&&) noexcept;

  const SweepOptions& options() const;
  Swept sweep(const JobTimeline& job);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom
