// SPDX-License-Identifier: Apache-2.0
/// The OSTs' counters as the collector of the preset `spider` reads them, its faults, and what can be known from its readings.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "synth/spider_traffic.h"

namespace fathom::titan {

class OstCounters {
 public:
  struct Failover {  // an OSS restarts just before reading `index`, with its OSTs at zero
    std::int64_t index;
    std::size_t first_ost;
  };
  struct Outage {  // no readings in [from, to)
    std::int64_t from;
    std::int64_t to;
  };

  /// Counters that have run for long before the first of `samples` readings.
  OstCounters(std::uint64_t seed, std::int64_t samples);

  /// Counts the bytes of the step that ends with reading `index`; false when the collector was down then.
  bool advance(std::int64_t index, const StepBytes& bytes);
  const StepBytes& values() const { return values_; }

  /// What one OST's readings tell: the sum of its increments by the rules of ingestion (no increment for the first
  /// reading; after a fall the new values).
  struct Known {
    std::uint64_t samples = 0;
    std::uint64_t increments = 0;
    std::array<std::uint64_t, 2> bytes{};
  };
  Known known(std::size_t ost) const;
  std::uint64_t happened(Direction direction) const { return happened_[static_cast<std::size_t>(direction)]; }
  std::uint64_t resets() const { return resets_; }
  std::uint64_t gaps() const { return gaps_; }
  const std::vector<Failover>& failovers() const { return failovers_; }
  const std::vector<Outage>& outages() const { return outages_; }

 private:
  void fail_over(std::size_t first_ost, const StepBytes& bytes);

  std::vector<Failover> failovers_;
  std::vector<Outage> outages_;
  StepBytes values_{};
  StepBytes base_{};       // value from which the present stretch counts
  StepBytes last_read_{};  // at the latest reading; kept at failovers and at the end
  StepBytes before_{};     // known from stretches before the present one
  std::array<std::uint64_t, 2> happened_{};
  std::uint64_t readings_ = 1;
  std::uint64_t resets_ = 0;
  std::uint64_t gaps_ = 0;
  bool missed_ = false;
};

}  // namespace fathom::titan
