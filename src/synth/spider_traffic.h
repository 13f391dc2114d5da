// SPDX-License-Identifier: Apache-2.0
/// Bursts of the preset `spider` on their OSTs: what moves in each step of the collector's grid.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "synth/spider_machine.h"

namespace fathom::titan {

enum class Direction : std::uint8_t { read, write };

/// Bytes of each OST in one step, by direction.
using StepBytes = std::array<std::array<std::uint64_t, ost_count>, 2>;

/// A phase of I/O: so many bytes, evenly over some OSTs, each fed at a rate of its own.
struct Burst {
  struct Flow {
    std::uint32_t ost = 0;
    std::uint32_t rate = 0;  // bytes per millisecond if nobody is in the way
    std::uint64_t left = 0;
  };
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t owner = nobody;  // slot of the job
  Direction direction = Direction::write;
  bool restart = false;      // the read at a job's start, not one of its regular bursts
  std::uint8_t pattern = 0;  // which of its application's patterns it belongs to
  Millis begin = 0;
  Millis deadline = std::numeric_limits<Millis>::max();  // the job is dead by then
  Millis end = 0;                                        // when the last OST was done
  std::uint64_t moved = 0;
  std::vector<Flow> flows;  // those not yet done
  std::vector<std::uint16_t> osts;

  bool done() const { return flows.empty(); }
};

/// `bytes` over `footprint` OSTs of a partition: whole stripes of four, elsewhere each time, all of them where that many are asked for.
Burst make_burst(std::uint64_t bytes, std::uint32_t footprint, std::size_t partition, std::uint64_t rate, Random& random);

class Traffic {
 public:
  void begin(Burst burst) {
    burst.end = burst.begin;
    active_.push_back(std::move(burst));
  }
  /// Moves everything on through [from, from + step), adds to `bytes`, and returns the bursts that ended.
  /// The flows of an OST get an equal part of its capacity at most. Between the files of k jobs it loses time
  /// seeking: each of their flows then runs at 2 / (k + 1) of what it would get. (What belongs to no job is slow or
  /// read ahead, and costs no more than its share.)
  std::vector<Burst> advance(Millis from, StepBytes& bytes);

  const std::vector<Burst>& active() const { return active_; }

 private:
  std::vector<Burst> active_;
  struct Load {
    std::uint16_t flows = 0;
    std::uint16_t of_jobs = 0;
  };
  std::array<Load, ost_count> loads_{};
};

}  // namespace fathom::titan
