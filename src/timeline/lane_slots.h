// SPDX-License-Identifier: Apache-2.0
/// A lane as amounts per slot: where they change, and to what. A slot that two stretches share gets the sum of its parts.
#pragma once

#include <array>
#include <cstdint>

#include "timeline/stretch.h"

namespace fathom {

/// In the order of Stretch::amounts.
using FlowAmounts = std::array<double, stretch_flows>;

/// Walks a lane slot by slot, skipping what stays the same. Slots are numbered from the job's first one.
/// It can stop at any slot and go on later.
class LaneSlots {
 public:
  LaneSlots(const Lane& lane, std::int64_t first_slot_begin, std::int64_t slot) : lane_(&lane), base_(first_slot_begin), slot_(slot) {}

  /// Calls change(slot, amounts) for every change up to slot `end`, in order; amounts hold for each slot until the next change.
  /// Later stretches begin in slot `end` or after it, so a change at `end` itself may come in this call or in the next, never twice.
  template <std::int64_t slot_length, class Change, class Take>
  void walk(std::int64_t end, const Change& change, const Take& take) {
    const std::int64_t length = slot_length == 0 ? slot_ : slot_length;
    while (part_ < lane_->parts.size()) {
      const auto stretches = lane_->parts[part_];
      for (; at_ < stretches.size(); ++at_) {
        const Stretch& s = stretches[at_];
        const std::int64_t from = s.from - base_, to = s.to - base_;
        const std::int64_t first = from == last_to_ ? last_slot_ : from / length;
        if (first >= end) return settle(end, change);
        const std::int64_t last = to / length;
        last_to_ = to;
        last_slot_ = last;
        take(s);
        step(s, from, to, first, last, length, change);
      }
      at_ = 0;
      ++part_;
    }
    settle(end, change);
  }

 private:
  template <class Change>
  void step(const Stretch& s, std::int64_t from, std::int64_t to, std::int64_t first, std::int64_t last, std::int64_t length,
            const Change& change) {
    const double per_microsecond = 1.0 / static_cast<double>(s.spread);
    if (first == last) {  // inside one slot
      begin_pending(first, change);
      collect(s, static_cast<double>(to - from) * per_microsecond);
      return;
    }
    std::int64_t whole = first;
    const std::int64_t head = (first + 1) * length - from;
    if (head < length || pending_ == first) {
      begin_pending(first, change);
      collect(s, static_cast<double>(head) * per_microsecond);
      whole = first + 1;
    }
    flush(change);
    if (last > whole) {
      const double factor = static_cast<double>(length) * per_microsecond;
      FlowAmounts amounts;
      for (std::size_t i = 0; i < stretch_flows; ++i) amounts[i] = static_cast<double>(s.amounts[i]) * factor;
      put(whole, last, amounts, change);
    }
    const std::int64_t tail = to - last * length;
    if (tail > 0) {
      begin_pending(last, change);
      collect(s, static_cast<double>(tail) * per_microsecond);
    }
  }

  void collect(const Stretch& s, double factor) {
    for (std::size_t i = 0; i < stretch_flows; ++i) shared_[i] += static_cast<double>(s.amounts[i]) * factor;
  }

  template <class Change>
  void begin_pending(std::int64_t slot, const Change& change) {
    if (pending_ == slot) return;
    flush(change);
    pending_ = slot;
    shared_ = {};
  }

  template <class Change>
  void flush(const Change& change) {
    if (pending_ < 0) return;
    const std::int64_t slot = pending_;
    pending_ = -1;
    put(slot, slot + 1, shared_, change);
  }

  /// The slots [begin, end) have these amounts each.
  template <class Change>
  void put(std::int64_t begin, std::int64_t end, const FlowAmounts& amounts, const Change& change) {
    if (begin > known_until_) become_zero(known_until_, change);
    const bool zero = amounts == FlowAmounts{};
    if (!zero || !is_zero_) change(begin, amounts);
    is_zero_ = zero;
    known_until_ = end;
  }

  template <class Change>
  void become_zero(std::int64_t slot, const Change& change) {
    if (is_zero_) return;
    change(slot, FlowAmounts{});
    is_zero_ = true;
  }

  /// Nothing more comes before slot `end`.
  template <class Change>
  void settle(std::int64_t end, const Change& change) {
    if (pending_ >= 0 && pending_ < end) flush(change);
    if (pending_ < 0 ? known_until_ < end : known_until_ < std::min(pending_, end)) become_zero(known_until_, change);
  }

  const Lane* lane_;
  std::int64_t base_, slot_;
  std::size_t part_ = 0, at_ = 0;
  std::int64_t last_to_ = INT64_MIN, last_slot_ = 0;
  std::int64_t pending_ = -1;  // a slot whose amounts may still grow
  FlowAmounts shared_{};
  std::int64_t known_until_ = 0;
  bool is_zero_ = true;
};

}  // namespace fathom
