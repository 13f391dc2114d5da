// SPDX-License-Identifier: Apache-2.0
/// All that was measured of one job, whatever measured it: what the criteria are computed from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/counters.h"
#include "timeline/stretch.h"
#include "timeline/sweep.h"

namespace fathom {

/// What is to be kept in mind about a job's numbers; bits, in the order of `measured_flag_names`.
enum MeasuredFlags : std::uint8_t {
  low_coverage = 1,  // less than 95 % of its unit-seconds were measured
  wide_band = 2,     // what belongs to it is uncertain by more than 10 % of its bytes
  reset = 4,         // counters were set to zero meanwhile
  gap = 8,           // measured, but when is not known well
  boundary = 16,     // a maximum, of bytes or operations, comes from an increment that reaches beyond the job
  window = 32,       // all traffic while it ran, its own or not
};
inline constexpr std::array<const char*, 6> measured_flag_names = {"low_coverage", "wide_band", "reset", "gap", "boundary", "window"};

inline constexpr double enough_coverage = 0.95;
inline constexpr double narrow_band = 0.1;

struct Measured {
  std::int64_t start = 0;  // microseconds since the epoch
  std::int64_t end = 0;
  std::uint32_t units = 0;
  CounterMask has = 0;             // what was counted at all; of a job without length, at its moment
  std::optional<double> coverage;  // none for a job without length or without units
  std::int64_t sampling_step = 0;  // usual time between samples, microseconds; 0: every call was seen, or nothing was sampled
  std::array<double, counter_count> totals{};
  std::array<double, 2> lower{}, upper{};  // bytes
  std::array<double, 2> bound{};           // worst case error of the bytes
  std::uint32_t other_jobs = 0;
  std::uint8_t flags = 0;
  Swept swept;

  double duration() const { return static_cast<double>(end - start) / 1e6; }
};

}  // namespace fathom
