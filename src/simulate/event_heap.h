// SPDX-License-Identifier: Apache-2.0
/// Events that are still to come, the next one first.
#pragma once

#include <cstdint>
#include <vector>

#include "base/wide.h"
#include "simulate/picoseconds.h"

namespace fathom::simulate {

/// At the same time the smaller key comes first.
struct Event {
  Picoseconds time;
  std::uint64_t key;
  bool before(const Event& other) const {
    // One comparison of 128 bits: half the branches that nobody can foretell.
    return (static_cast<Uint128>(time) << 64 | key) < (static_cast<Uint128>(other.time) << 64 | other.key);
  }
};

/// A heap with four children each: half as deep as a binary one, and the children are neighbours in memory.
class EventHeap {
 public:
  bool empty() const { return events_.empty(); }

  void push(Event event) {
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!event.before(events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  Event pop() {
    const Event first = events_.front(), last = events_.back();
    events_.pop_back();
    const std::size_t size = events_.size();
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 4 * hole + 1) {
      std::size_t least = child;
      for (std::size_t other = child + 1; other < size && other < child + 4; ++other)
        if (events_[other].before(events_[least])) least = other;
      if (!events_[least].before(last)) break;
      events_[hole] = events_[least];
      hole = least;
    }
    if (size > 0) events_[hole] = last;
    return first;
  }

 private:
  std::vector<Event> events_;
};

}  // namespace fathom::simulate
