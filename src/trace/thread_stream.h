// SPDX-License-Identifier: Apache-2.0
/// The events of one thread in order of their start, each with the call that encloses it.
///
/// Records stand in the order in which calls ended, so that a call stands behind those made inside it, maybe blocks later. What may still
/// come is known from the headers of the later blocks (RecordBlock::behind) and from a look at the times of the one at hand: an event that
/// starts before all of them is ready.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/blocks.h"
#include "trace/decode.h"
#include "trace/event.h"
#include "trace/time_order.h"

namespace fathom::trace {

/// Memory that all streams of a merge use in turn.
struct StreamScratch {
  BlockDecoder decoder;
  RecordColumns columns;
  std::uint64_t broken_blocks = 0;
};

class ThreadStream {
 public:
  static constexpr std::int64_t at_end = INT64_MAX;

  void open(const Trace::Blocks& blocks, const ThreadBlocks& thread, StreamScratch& scratch);

  /// Sees to it that at least `most` events are ready, if there are so many.
  void top_up(std::size_t most, StreamScratch& scratch) {
    if (ready_ - at_ < most && more_to_come()) fill(most, scratch);
  }

  /// A hint that `top_up` comes soon: between two calls for one thread come those for all others, and the cache is small.
  [[gnu::always_inline]] void prefetch() const { records_.prefetch(); }

  /// When the next event starts; at_end if there is none.
  std::int64_t key() const { return at_ < ready_ ? order_[at_].start : at_end; }
  /// Before this time all events are known, and no more than `most` of them start (unless several start together); later than key().
  std::int64_t known_until(std::size_t most) const { return at_ + most < ready_ ? std::max(order_[at_ + most].start, key() + 1) : behind_; }

  /// Adds when the ready events start, in nanoseconds since `from`; gives how many do so in the piece.
  std::size_t list(std::int64_t from, TimeOrder& piece) const {
    const Place* const next = order_.get() + at_;
    return piece.add_sorted(ready_ - at_, [&](std::size_t i) { return static_cast<std::uint64_t>(next[i].start - from); });
  }
  /// Puts the next `count` events to where they belong in `events`, the first of which has the row `row`.
  void give(const std::uint32_t* places, std::size_t count, Event* events, std::uint64_t row);

 private:
  /// What records of a kind have in common in events; and of an item, where its enclosing call stands. Sixteen bytes, copied at once.
  struct alignas(16) Kind {
    std::uint32_t file, handle;
    std::uint16_t call;
    std::uint8_t depth, detail;
    std::uint32_t parent = 0;  // so many items further on; 0: none
  };
  struct Item {  // a line of the cache
    Kind kind;
    std::int64_t start, end, offset;
    std::uint64_t bytes;
    std::int64_t result;
    std::uint64_t row;  // no_row until it was given
  };
  struct Place {
    std::int64_t start;
    std::uint32_t number;  // of the item, in the order in which calls ended; starts again after 2^32
    std::uint32_t depth;
    bool before(const Place& other) const { return start != other.start ? start < other.start : depth < other.depth; }
  };

  Item& item(std::uint32_t number) const { return items_[number & (item_room_ - 1)]; }
  bool more_to_come() const { return records_.left() > 0 || next_block_ < source_->blocks.size(); }
  void fill(std::size_t most, StreamScratch& scratch);
  void open_block(StreamScratch& scratch);
  void add_stretch(StreamScratch& scratch);
  void put_in_order(Place* late);
  void make_room_for_items(std::uint32_t more);
  void make_room_in_order(std::size_t more);

  const Trace::Blocks* blocks_ = nullptr;
  const ThreadBlocks* source_ = nullptr;
  const ProcessMeaning* meaning_ = nullptr;
  std::size_t next_block_ = 0;
  std::int64_t behind_ = at_end;  // least start of what was not unpacked yet

  BlockRecords records_;  // of the block at hand
  unsigned tick_shift_ = 0;
  std::vector<Kind> kinds_;

  // Items stand in a ring, by their number. A call inside another has the lesser number: the enclosing one stays at least as long.
  std::unique_ptr<Item[]> items_;
  std::uint32_t item_room_ = 0;                 // a power of two
  std::uint32_t oldest_ = 0, next_number_ = 0;  // the ring holds [oldest_, next_number_)

  std::unique_ptr<Place[]> order_;  // by start
  std::size_t order_room_ = 0;
  std::size_t at_ = 0, ready_ = 0, count_ = 0;  // in order_: next to give, end of those that are ready, end
  std::int64_t latest_start_ = INT64_MIN;       // of all so far
};

}  // namespace fathom::trace
