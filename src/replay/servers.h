// SPDX-License-Identifier: Apache-2.0
/// The OSTs of the replayed machine: bursts share them from moment to moment, and each ends with its slowest OST.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "synth/spider_traffic.h"

namespace fathom::replay {

/// Exact in time, where the preset `spider` moves in steps of 10 s; the law is the same (docs/synthetic-spider.md): the flows of an OST
/// share 460 MB/s, none gets more than its nodes can feed (max-min), and between the files of k jobs the OST seeks, so that
/// each of their flows runs at 2 / (k + 1) of its part. OSTs do not know of each other.
class Servers {
 public:
  Servers() : osts_(titan::ost_count), moved_(titan::ost_count, 0) {}

  /// Begins a burst; `of_job` false: somebody's copy by hand or a backup. Times are seconds and never go back.
  std::uint32_t begin(const titan::Burst& burst, bool of_job, double now);
  /// The burst's job has died.
  void cancel(std::uint32_t burst, double now);
  /// When the next flow ends, if nothing else happens.
  std::optional<double> next();
  /// Ends the flow that is due at next(); the burst that ends with it, if one does.
  std::optional<std::uint32_t> finish_next();
  /// Bytes of each OST since the last call.
  std::span<const double> sample(double now);

  /// How long a burst takes when nobody is in the way.
  static double alone_seconds(const titan::Burst& burst);

 private:
  struct Flow {
    std::uint32_t burst;
    bool of_job;
    double most;  // bytes per second that the nodes can feed
    double left;
    double rate = 0;
  };
  struct Ost {
    std::vector<Flow> flows;
    double updated = 0;
    std::uint64_t version = 0;
  };
  struct Due {
    double t;
    std::uint32_t ost;
    std::uint64_t version;
    bool operator>(const Due& other) const { return t != other.t ? t > other.t : ost > other.ost; }
  };
  struct Live {
    std::vector<std::uint16_t> osts;
    std::uint32_t flows_left = 0;
  };
  void move_on(std::uint32_t ost, double now);
  void share(std::uint32_t ost);

  std::vector<Ost> osts_;
  std::vector<double> moved_, sampled_;
  std::vector<Live> bursts_;
  std::vector<std::uint32_t> free_bursts_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::uint32_t> order_;
};

}  // namespace fathom::replay
