// SPDX-License-Identifier: Apache-2.0
/// Events that are still to come, the next one first: those of each I/O node in its agenda, and the queue of the agendas.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/wide.h"
#include "simulate/picoseconds.h"

namespace fathom::simulate {

/// Events at the same moment come in the order of these classes, then of I/O nodes, then of lanes. The order of the classes is part of the
/// model: room becomes free before somebody looks for it. `disk_sent` and `tree_passed` are not needed here (their stations feed one other
/// each, so that departures follow from arrivals); the reference engine of the tests has them.
enum class EventClass : std::uint8_t {
  disk_sent,      // data left the disk link for the I/O node
  external_sent,  // data arrived at the I/O node
  buffer_sent,    // data from the burst buffer arrived at the I/O node
  tree_passed,    // data passed a link of the tree on its way to a compute node
  delivered,      // data arrived at its compute node
  step,           // the next step of a node's work is due
  own,            // a compute node's own next request is due
  sent,           // a write left the external link
  at_disks,       // a write arrived at the disks
  server_up,      // a piece of a write left the link of an object server
  on_target,      // a target has done a piece
  server_down,    // a piece of a read left the link of an object server
  in_buffer,      // a write arrived in the burst buffer
  climbed,        // a write passed a link of the tree
  message,        // a message without size goes on after it had to wait
};

inline constexpr Picoseconds never = INT64_MAX;

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
  const Event& top() const { return events_.front(); }

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

/// What is to come on one I/O node. A station has one event at a time, so that most of them have a fixed place; all others are in a heap.
struct Agenda {
  /// In the order of their classes. Two root links have two places each: the one with the smaller lane comes first.
  enum Place : std::uint8_t { delivered, delivered_too, step, sent, in_buffer, climbed, climbed_too, others, places };

  alignas(64) std::array<Picoseconds, places> time;
  EventHeap heap;  // keys: class and lane

  Agenda() { time.fill(never); }

  void add(Picoseconds at, EventClass what, std::uint32_t lane) {
    heap.push({at, static_cast<std::uint64_t>(what) << 32 | lane});
    time[others] = heap.top().time;
  }
  std::uint32_t take() {
    const Event event = heap.pop();
    time[others] = heap.empty() ? never : heap.top().time;
    return static_cast<std::uint32_t>(event.key);
  }

  struct Next {
    Picoseconds time;
    EventClass what;
    Place place;
  };
  Next next() const {
    static constexpr EventClass classes[] = {EventClass::delivered, EventClass::delivered, EventClass::step,   EventClass::sent,
                                             EventClass::in_buffer, EventClass::climbed,   EventClass::climbed};
    // In pairs: the comparisons of a row would wait for each other.
    struct Candidate {
      Picoseconds time;
      std::uint32_t place;
    };
    const auto first = [](Candidate a, Candidate b) { return b.time < a.time ? b : a; };
    const Candidate least = first(first(first({time[0], 0}, {time[1], 1}), first({time[2], 2}, {time[3], 3})),
                                  first(first({time[4], 4}, {time[5], 5}), {time[6], 6}));
    if (time[others] <= least.time && !heap.empty()) {
      const auto what = static_cast<EventClass>(heap.top().key >> 32);
      if (time[others] < least.time || what < classes[least.place]) return {time[others], what, others};
    }
    return {least.time, classes[least.place], static_cast<Place>(least.place)};
  }
};

/// The next event of every agenda, in a heap in which each has a place that can be found again. An agenda that changes moves a little.
class AgendaQueue {
 public:
  explicit AgendaQueue(std::size_t agendas) : size_(agendas), heap_(agendas + 3, {never, UINT64_MAX}), where_(agendas) {
    for (std::uint32_t i = 0; i < agendas; ++i) {
      heap_[i] = {never, std::uint64_t{i} << 8};
      where_[i] = i;
    }
  }

  /// Its key has the class, the agenda and the place there.
  const Event& top() const { return heap_.front(); }
  static EventClass class_of(const Event& event) { return static_cast<EventClass>(event.key >> 40); }
  static std::uint32_t agenda_of(const Event& event) { return static_cast<std::uint32_t>(event.key >> 8); }
  static Agenda::Place place_of(const Event& event) { return static_cast<Agenda::Place>(event.key & 0xff); }

  void update(std::uint32_t agenda, const Agenda::Next& next) {
    const Event entry{next.time, static_cast<std::uint64_t>(next.what) << 40 | std::uint64_t{agenda} << 8 | next.place};
    std::size_t hole = where_[agenda];
    // Often the I/O node of the last event has the next one too, as when many messages waited for the same transfer.
    if (hole == 0 && entry.before(runner_up_)) {
      heap_.front() = entry;
      return;
    }
    runner_up_ = {0, 0};
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!entry.before(heap_[parent])) break;
      put(hole, heap_[parent]);
      hole = parent;
    }
    for (std::size_t child = 4 * hole + 1; child < size_; child = 4 * hole + 1) {
      // In pairs and by arithmetic: which child is the least is as good as random, and a wrong guess of a branch costs more than all of
      // this.
      const std::size_t one = child + (heap_[child + 1].before(heap_[child]) ? 1 : 0);
      const std::size_t other = child + 2 + (heap_[child + 3].before(heap_[child + 2]) ? 1 : 0);
      const std::size_t least = one + (other - one) * static_cast<std::size_t>(heap_[other].before(heap_[one]));
      if (!heap_[least].before(entry)) {
        if (hole == 0) runner_up_ = heap_[least];
        break;
      }
      put(hole, heap_[least]);
      hole = least;
    }
    put(hole, entry);
  }

 private:
  void put(std::size_t hole, const Event& entry) {
    heap_[hole] = entry;
    where_[agenda_of(entry)] = static_cast<std::uint32_t>(hole);
  }

  std::size_t size_;
  std::vector<Event> heap_;  // and three that come last, so that nobody has fewer than four children
  std::vector<std::uint32_t> where_;
  Event runner_up_{0, 0};  // the second one, if it is known; nothing comes before {0, 0}
};

}  // namespace fathom::simulate
