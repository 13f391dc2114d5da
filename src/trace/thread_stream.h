// SPDX-License-Identifier: Apache-2.0
/// The events of one thread in order of their start, each with the call that encloses it.
///
/// Records stand in the order in which calls ended, so that a call stands behind those made inside it, maybe blocks later. What may still
/// come is known from the headers of the later blocks (RecordBlock::behind): an event that starts before all of them is ready.
#pragma once

#include <cstdint>
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
  std::vector<std::uint32_t> stack, sorted, merged;
  std::uint64_t broken_blocks = 0;
};

class ThreadStream {
 public:
  static constexpr std::int64_t at_end = INT64_MAX;

  void open(const Trace::Blocks& blocks, const ThreadBlocks& thread, StreamScratch& scratch);

  /// When the next event starts; at_end if there is none.
  std::int64_t key() const { return key_; }
  /// Gives the next event its place among all; unpacks more when it was the last that is ready.
  void take(std::uint64_t row, Event& event, StreamScratch& scratch) {
    const std::size_t place = in_order_ ? at_ : order_[at_];
    const Item& item = items_[place];
    event.start = item.start;
    event.end = item.end;
    event.offset = item.offset;
    event.bytes = item.bytes;
    event.result = item.result;
    event.row = row;
    event.parent = item.parent == none ? no_row : parent_row(item.parent);
    event.unit = unit_;
    event.process = process_;
    event.thread = thread_;
    event.file = item.file;
    event.handle = item.handle;
    event.call = item.call;
    event.depth = item.depth;
    event.detail = item.detail;
    if (nested_) rows_[place] = row;
    ++at_;
    if (at_ < ready_) {
      const std::size_t next = in_order_ ? at_ : order_[at_];
      key_ = items_[next].start;
      __builtin_prefetch(items_.data() + next + 3);
    } else {
      fill(scratch);
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t gone = 1u << 31;  // a parent that was taken and forgotten: place in gone_rows_

  struct Item {
    std::int64_t start, end, offset;
    std::uint64_t bytes;
    std::int64_t result;
    std::uint32_t file, handle;
    std::uint16_t call;
    std::uint8_t depth, detail;
    std::uint32_t parent;
  };

  std::uint64_t parent_row(std::uint32_t parent) const { return (parent & gone) != 0 ? gone_rows_[parent & ~gone] : rows_[parent]; }
  void fill(StreamScratch& scratch);
  void forget_taken();
  bool add_block(StreamScratch& scratch);
  void resolve_kinds(StreamScratch& scratch);
  void adopt(std::size_t from);
  void put_in_order(std::size_t from, StreamScratch& scratch);
  bool before(std::uint32_t a, std::uint32_t b) const {
    return items_[a].start != items_[b].start ? items_[a].start < items_[b].start : items_[a].depth < items_[b].depth;
  }

  const Trace::Blocks* blocks_ = nullptr;
  const ThreadBlocks* source_ = nullptr;
  const ProcessMeaning* meaning_ = nullptr;
  std::uint32_t unit_ = 0, process_ = 0, thread_ = 0;
  std::int64_t key_ = at_end;
  std::size_t next_block_ = 0;
  std::int64_t behind_ = INT64_MAX;    // least start of what was not unpacked yet

  std::vector<Item> items_;            // in the order in which they ended
  std::size_t at_ = 0, ready_ = 0, count_ = 0;  // places in order: next to take, end of those that are ready, end
  bool in_order_ = true;               // order is 0, 1, 2 ...
  bool nested_ = false;                // some have a depth
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> rows_, gone_rows_;
  std::vector<std::vector<std::uint32_t>> waiting_;  // by depth: calls whose enclosing one has not ended
};

}  // namespace fathom::trace
