// SPDX-License-Identifier: Apache-2.0
/// The events of one thread in order of their start, each with the call that encloses it.
///
/// Records stand in the order in which calls ended, so that a call stands behind those made inside it, maybe blocks later. What may still
/// come is known from the headers of the later blocks (RecordBlock::behind): an event that starts before all of them is ready.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/blocks.h"
#include "trace/decode.h"
#include "trace/event.h"

namespace fathom::trace {

/// Memory that all streams of a merge use in turn.
struct StreamScratch {
  BlockDecoder decoder;
  RecordColumns columns;
  struct Kind {
    std::uint32_t file, handle;
    std::uint16_t call;
    std::uint8_t depth, detail;
  };
  std::vector<Kind> kinds;
  std::uint64_t broken_blocks = 0;
};

class ThreadStream {
 public:
  static constexpr std::int64_t at_end = INT64_MAX;

  /// An event that has no row yet.
  struct Item {
    std::int64_t start, end, offset;
    std::uint64_t bytes;
    std::int64_t result;
    std::uint32_t file, handle;
    std::uint16_t call;
    std::uint8_t depth, detail;
    std::uint32_t parent;
  };

  void open(const Trace::Blocks& blocks, const ThreadBlocks& thread, StreamScratch& scratch);

  /// When the next event starts; at_end if there is none.
  std::int64_t key() const { return key_; }
  /// Before this time all events are known, and no more than `most` of them start (unless several start together); later than key().
  std::int64_t known_until(std::size_t most) const { return at_ + most < ready_ ? std::max(items_[order_[at_ + most]].start, key_ + 1) : behind_; }

  /// Gives the events that start before `until` to use(item); they keep their place until `advance`.
  template <class Use>
  void list(std::int64_t until, Use&& use) {
    while (at_ < ready_) {
      const Item& item = items_[order_[at_]];
      if (item.start >= until) break;
      __builtin_prefetch(&item + 16);
      use(item);
      ++at_;
    }
  }
  /// After all that were listed have their rows.
  void advance(StreamScratch& scratch) {
    if (at_ < ready_) key_ = items_[order_[at_]].start;
    else fill(scratch);
  }

  /// An item with its row, which the calls inside it will want to know.
  void make_event(const Item& item, std::uint64_t row, Event& event) {
    event.start = item.start;
    event.end = item.end;
    event.offset = item.offset;
    event.bytes = item.bytes;
    event.result = item.result;
    event.row = row;
    event.parent = no_row;
    event.unit = unit_;
    event.process = process_;
    event.thread = thread_;
    event.file = item.file;
    event.handle = item.handle;
    event.call = item.call;
    event.depth = item.depth;
    event.detail = item.detail;
    if (item.parent == 0) return;
    if ((item.parent & has_children) != 0) rows_[static_cast<std::size_t>(&item - items_.get())] = row;
    if (const std::uint32_t parent = item.parent & place_bits; parent != 0) event.parent = (item.parent & gone) != 0 ? gone_rows_[parent - 1] : rows_[parent - 1];
  }

 private:
  // Item::parent: the place of the enclosing call + 1 (0: none), and
  static constexpr std::uint32_t gone = 1u << 31;  // it was taken and forgotten: the place is one in gone_rows_
  static constexpr std::uint32_t has_children = 1u << 30;
  static constexpr std::uint32_t place_bits = has_children - 1;

  void fill(StreamScratch& scratch);
  void forget_taken();
  bool add_block(StreamScratch& scratch);
  void resolve_kinds(StreamScratch& scratch);
  void adopt(std::uint32_t place);
  void put_in_order(std::size_t from);
  bool before(std::uint32_t a, std::uint32_t b) const {
    return items_[a].start != items_[b].start ? items_[a].start < items_[b].start : items_[a].depth < items_[b].depth;
  }

  const Trace::Blocks* blocks_ = nullptr;
  const ThreadBlocks* source_ = nullptr;
  const ProcessMeaning* meaning_ = nullptr;
  std::uint32_t unit_ = 0, process_ = 0, thread_ = 0;
  std::int64_t key_ = at_end;
  std::size_t next_block_ = 0;
  std::int64_t behind_ = at_end;       // least start of what was not unpacked yet

  void make_room(std::size_t count);

  std::unique_ptr<Item[]> items_;      // in the order in which they ended; not set to anything when made
  std::size_t room_ = 0;
  std::size_t at_ = 0, ready_ = 0, count_ = 0;  // places in order: next to take, end of those that are ready, end
  std::vector<std::uint32_t> order_;   // items in order of their start
  std::vector<std::uint64_t> rows_;    // of items that have calls inside
  std::vector<std::uint64_t> gone_rows_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by depth: calls whose enclosing one has not ended
};

}  // namespace fathom::trace
