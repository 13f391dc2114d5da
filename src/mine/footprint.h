// SPDX-License-Identifier: Apache-2.0
/// Which servers take part in a burst of their file system, and what those move in it (AID section IV-C: footprint and refinement).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mine/bursts.h"
#include "mine/traffic_matrix.h"

namespace fathom::mine {

struct Footprint {
  std::uint32_t servers = 0;  // 0: none could be told
  double height = 0;          // bytes per second of the highest slot, over each server's own background
  double area = 0;            // bytes, likewise
};

/// A server takes part if it rises when the burst begins, about as much as the others do, and comes down again about when they do. Other jobs' bursts
/// that overlap this one rise or come down at other times.
class FootprintSearch {
 public:
  FootprintSearch(const TrafficMatrix& matrix, std::size_t direction) : matrix_(matrix), direction_(direction) {}
  Footprint of(const Burst& burst);

 private:
  struct Window {
    std::size_t from = 0, slots = 0;    // of the matrix
    double start = 0, end = 0;          // of the burst, in slots of the window
    std::size_t first = 0, last = 0;    // its slots
  };
  struct Part {
    double rise = 0;  // bytes per slot
    double base = 0;
    double slots = 0;
    bool takes_part = false;
  };

  Window window_of(const Burst& burst) const;
  void gather(const Window& window);
  Part look_at(std::span<const float> course, const Window& window) const;
  double usual_rise() const;

  const TrafficMatrix& matrix_;
  std::size_t direction_;
  std::vector<float> courses_;  // of a window, server by server
  std::vector<Part> parts_;
};

}  // namespace fathom::mine
