// SPDX-License-Identifier: Apache-2.0
#include "trace/thread_stream.h"

#include <algorithm>
#include <cstring>

namespace fathom::trace {

void ThreadStream::open(const Trace::Blocks& blocks, const ThreadBlocks& thread, StreamScratch& scratch) {
  blocks_ = &blocks;
  source_ = &thread;
  meaning_ = &blocks.processes[thread.process];
  unit_ = meaning_->unit;
  process_ = thread.process;
  thread_ = thread.thread;
  next_block_ = 0;
  behind_ = thread.earliest;
  count_ = at_ = ready_ = 0;
  if (waiting_.empty()) waiting_.resize(257);
  for (auto& list : waiting_) list.clear();
  fill(scratch);
}

void ThreadStream::fill(StreamScratch& scratch) {
  forget_taken();
  for (;;) {
    const bool all = next_block_ == source_->blocks.size();
    if (at_ < count_) {
      // Equal starts wait as well: the enclosing call may be among what comes.
      if (all || items_[order_[at_]].start < behind_) break;
    } else if (all) {
      key_ = at_end;
      return;
    }
    add_block(scratch);
  }
  ready_ = count_;
  if (next_block_ < source_->blocks.size()) {
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(at_);
    ready_ = at_ + static_cast<std::size_t>(std::partition_point(from, order_.end(), [this](std::uint32_t place) { return items_[place].start < behind_; }) - from);
  }
  key_ = items_[order_[at_]].start;
}

void ThreadStream::make_room(std::size_t count) {
  if (count > room_) {
    const std::size_t room = std::max(count, room_ + room_ / 2);
    auto larger = std::make_unique_for_overwrite<Item[]>(room);
    std::copy(items_.get(), items_.get() + count_, larger.get());
    items_ = std::move(larger);
    room_ = room;
  }
  if (rows_.size() < count) rows_.resize(count);
}

/// Moves what is left to the front, when that is less than what goes.
void ThreadStream::forget_taken() {
  if (at_ == count_) {
    at_ = ready_ = count_ = 0;
    order_.clear();
    gone_rows_.clear();
    for (auto& list : waiting_) list.clear();
    return;
  }
  if (at_ < count_ - at_) return;
  // What is left stays in the order in which it ended: adoption and later sorting build on that.
  std::vector<std::uint32_t> moved(count_, UINT32_MAX);
  const std::vector<std::uint32_t> left(order_.begin() + static_cast<std::ptrdiff_t>(at_), order_.end());
  for (const std::uint32_t place : left) moved[place] = 0;
  std::uint32_t next = 0;
  for (std::size_t place = 0; place < count_; ++place) {
    if (moved[place] == UINT32_MAX) continue;
    moved[place] = next;
    items_[next++] = items_[place];
  }
  for (std::size_t i = 0; i < next; ++i) {
    std::uint32_t& parent = items_[i].parent;
    const std::uint32_t place = parent & place_bits;
    if (place == 0 || (parent & gone) != 0) continue;
    if (moved[place - 1] != UINT32_MAX) {
      parent = (parent & has_children) | (moved[place - 1] + 1);
    } else {
      gone_rows_.push_back(rows_[place - 1]);
      parent = gone | (parent & has_children) | static_cast<std::uint32_t>(gone_rows_.size());
    }
  }
  for (auto& list : waiting_) {
    for (std::uint32_t& place : list) place = moved[place];
    std::erase(list, UINT32_MAX);
  }
  order_.resize(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) order_[i] = moved[left[i]];
  count_ = next;
  at_ = ready_ = 0;
}

void ThreadStream::resolve_kinds(StreamScratch& scratch) {
  const auto& table = blocks_->call_tables[meaning_->call_table];
  scratch.kinds.resize(scratch.columns.kinds.size());
  for (std::size_t i = 0; i < scratch.kinds.size(); ++i) {
    RecordKind kind;
    std::memcpy(&kind, &scratch.columns.kinds[i], sizeof kind);
    const ObjectMeaning* const object = kind.object == 0 ? nullptr : meaning_->find(kind.object);
    scratch.kinds[i] = {object != nullptr ? object->file : no_file, object != nullptr && object->handle ? kind.object : 0,
                        kind.call < table.size() ? table[kind.call] : blocks_->unknown_call, kind.depth, kind.detail};
  }
}

/// Unpacks the next block behind what is there; false if it could not be read.
bool ThreadStream::add_block(StreamScratch& scratch) {
  const RecordBlock& next = source_->blocks[next_block_++];
  behind_ = next.behind;
  RecordColumns& columns = scratch.columns;
  if (!scratch.decoder.records(next.block, columns)) {
    ++scratch.broken_blocks;
    return false;
  }
  resolve_kinds(scratch);
  const std::size_t from = count_, n = columns.count;
  make_room(from + n);
  const ClockLine clock = meaning_->clock;
  const unsigned shift = next.block.header.tick_shift;
  for (std::size_t i = 0; i < n; ++i) {
    const StreamScratch::Kind& kind = scratch.kinds[columns.kind_of[i]];
    Item& item = items_[from + i];
    item.start = clock(columns.start[i] << shift);
    item.end = clock(columns.end[i] << shift);
    item.offset = static_cast<std::int64_t>(columns.offset[i]);
    item.bytes = columns.bytes[i];
    item.result = static_cast<std::int64_t>(columns.result[i]);
    item.file = kind.file;
    item.handle = kind.handle;
    item.call = kind.call;
    item.depth = kind.depth;
    item.detail = kind.detail;
    item.parent = 0;
  }
  count_ = from + n;
  put_in_order(from);
  return true;
}

/// A call adopts those one deeper that ended before it and after its start.
void ThreadStream::adopt(std::uint32_t place) {
  Item& item = items_[place];
  auto& children = waiting_[item.depth + 1u];
  for (const std::uint32_t child : children) {
    if (items_[child].start < item.start) continue;
    items_[child].parent |= place + 1;
    item.parent |= has_children;
  }
  children.clear();
}

/// Items from `from` on stand in the order in which they ended: mostly behind all others, or, if calls were made inside them, before a few.
void ThreadStream::put_in_order(std::size_t from) {
  order_.resize(count_);
  std::uint32_t* const order = order_.data();
  std::int64_t last = at_ < from ? items_[order[from - 1]].start : INT64_MIN;
  for (std::size_t i = from; i < count_; ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const Item& item = items_[i];
    if (!waiting_[item.depth + 1u].empty()) adopt(place);
    if (item.depth > 0) waiting_[item.depth].push_back(place);
    if (item.start > last || (item.start == last && !before(place, order[i - 1]))) {
      order[i] = place;
      last = item.start;
      continue;
    }
    // Near the end, if it is an enclosing call; anywhere, if it is a transfer that went on beside other calls.
    std::uint32_t* at = order + i;
    for (int steps = 0; steps < 8 && at > order + at_ && before(place, at[-1]); ++steps) --at;
    if (at > order + at_ && before(place, at[-1]))
      at = std::upper_bound(order + at_, at, place, [this](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    std::memmove(at + 1, at, static_cast<std::size_t>(order + i - at) * sizeof *at);
    *at = place;
  }
}

}  // namespace fathom::trace
