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
  double length = 0;          // seconds until nearly all of them have come down: a burst is over when its slowest server is done
};

/// A server takes part if it rises when the burst begins, about as much as the others do, and comes down again about when they do. Other
/// jobs' bursts that overlap this one rise or come down at other times.
class FootprintSearch {
 public:
  /// Looks at slots [first, end) of the matrix alone.
  FootprintSearch(const TrafficMatrix& matrix, std::size_t direction, std::size_t first, std::size_t end)
      : matrix_(matrix), direction_(direction), first_(first), end_(end) {}
  /// `burst` has its time, whatever its slots.
  Footprint of(const Burst& burst);

 private:
  struct Window {
    std::size_t from = 0, slots = 0;  // of the matrix
    double start = 0, end = 0;        // of the burst, in slots of the window
    std::size_t first = 0, last = 0;  // its slots
  };
  struct Part {
    double before = 0, rise = 0;   // just before the burst, and how far from there; bytes per slot
    double ground = 0, noise = 0;  // what goes on all the time
    double area = 0;               // bytes over the background
    std::size_t down = 0;          // the slot in which it has come down
    double end = 0;                // when, in slots
    bool takes_part = false;
    bool alone = false;  // nobody else's burst is on this server at the time
  };

  Window window_of(const Burst& burst) const;
  void gather(const Window& window);
  std::span<const float> course_of(std::size_t server, const Window& window) const {
    return std::span(courses_).subspan(server * window.slots, window.slots);
  }
  Part begin_of(std::span<const float> course, const Window& window) const;
  void find_ground(std::span<const float> course, const Window& window, Part& part) const;
  void follow(std::span<const float> course, const Window& window, double usual, Part& part) const;
  double usual_rise() const;
  double last_end(const Window& window) const;
  Footprint summed(const Burst& burst, const Window& window) const;

  const TrafficMatrix& matrix_;
  std::size_t direction_, first_, end_;
  std::vector<float> courses_;  // of a window, server by server
  std::vector<Part> parts_;
};

}  // namespace fathom::mine
