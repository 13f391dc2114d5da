// SPDX-License-Identifier: Apache-2.0
/// Traffic of the preset `spider` that belongs to no batch job: people at work, nightly backups and purges, small requests everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "synth/spider_traffic.h"

namespace fathom::titan {

/// Copies, archives and analyses started by hand all day, and backup streams at night: bursts without a job.
class Interactive {
 public:
  /// `often`: so many times as often as on an ordinary machine.
  explicit Interactive(std::uint64_t seed, double often = 1);
  /// Begins what is due before `to`.
  void begin_until(Millis to, Traffic& traffic);

 private:
  Burst by_hand();
  Burst backup();

  Random random_;
  double often_;
  Millis next_by_hand_ = -warm_up;
  Millis next_backup_ = -warm_up;
};

/// Small reads and writes: each OST has a level that wanders from minute to minute, and every step differs.
class SmallRequests {
 public:
  /// `much`: so many times as many bytes as on an ordinary machine.
  explicit SmallRequests(std::uint64_t seed, double much = 1);
  /// Adds the bytes of the step that begins at `from`; steps must come in order.
  void add(Millis from, StepBytes& bytes);

 private:
  static constexpr std::size_t table_size = 4096;
  void change_levels(Millis from);
  std::uint64_t change_surge(std::size_t partition);

  Random random_;
  double much_;
  std::array<std::array<std::uint32_t, table_size>, 2> factors_;  // of one step, 16.16 fixed point, by direction
  std::array<std::array<float, ost_count>, 2> wander_{};          // log of the level around its mean
  std::array<double, partition_count> surge_{};                   // log of what all OSTs of a partition have in common for a minute
  std::array<float, ost_count> busyness_;                         // some OSTs are always a little busier
  std::array<std::array<std::uint64_t, ost_count>, 2> levels_{};  // bytes of one step
  Millis next_change_;
};

}  // namespace fathom::titan
