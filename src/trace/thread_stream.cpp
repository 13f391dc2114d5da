// SPDX-License-Identifier: Apache-2.0
#include "trace/thread_stream.h"

#include <algorithm>
#include <cstring>
#include <numeric>

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
    nested_ = false;
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
  bool sorted = true;
  std::int64_t last = at_ < from ? items_[order_.back()].start : INT64_MIN;
  unsigned deepest = 0;
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
    sorted &= item.start >= last;
    last = item.start;
    deepest |= kind.depth;
  }
  count_ = from + n;
  nested_ |= deepest != 0;
  if (nested_) adopt(from);
  if (sorted && !nested_) {  // of nested ones, equal starts must be put in order as well
    order_.resize(count_);
    std::iota(order_.begin() + static_cast<std::ptrdiff_t>(from), order_.end(), static_cast<std::uint32_t>(from));
  } else {
    put_in_order(from, scratch);
  }
  return true;
}

/// A call adopts those one deeper that ended before it and after its start.
void ThreadStream::adopt(std::size_t from) {
  if (waiting_.empty()) waiting_.resize(257);
  for (std::size_t i = from; i < count_; ++i) {
    Item& item = items_[i];
    auto& children = waiting_[item.depth + 1u];
    for (const std::uint32_t child : children) {
      if (items_[child].start < item.start) continue;
      items_[child].parent |= static_cast<std::uint32_t>(i + 1);
      item.parent = has_children;
    }
    children.clear();
    if (item.depth > 0) waiting_[item.depth].push_back(static_cast<std::uint32_t>(i));
  }
}

/// Puts items from `from` on in order of their start, then together with those before.
void ThreadStream::put_in_order(std::size_t from, StreamScratch& scratch) {
  // Backwards, a call comes before those inside it: they wait on a stack, and leave it latest start first.
  auto& stack = scratch.stack;
  auto& sorted = scratch.sorted;
  stack.clear();
  sorted.clear();
  for (std::size_t i = count_; i-- > from;) {
    const auto place = static_cast<std::uint32_t>(i);
    while (!stack.empty() && !before(stack.back(), place)) {
      sorted.push_back(stack.back());
      stack.pop_back();
    }
    stack.push_back(place);
  }
  sorted.insert(sorted.end(), stack.rbegin(), stack.rend());
  std::reverse(sorted.begin(), sorted.end());
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return before(a, b); };
  // Calls that overlap without being inside one another: asynchronous transfers.
  if (!std::is_sorted(sorted.begin(), sorted.end(), earlier)) {
    std::sort(sorted.begin(), sorted.end());
    std::stable_sort(sorted.begin(), sorted.end(), earlier);
  }
  const std::size_t middle = order_.size();
  order_.insert(order_.end(), sorted.begin(), sorted.end());
  if (middle > at_ && before(order_[middle], order_[middle - 1])) {
    const auto begin = std::upper_bound(order_.begin() + static_cast<std::ptrdiff_t>(at_), order_.begin() + static_cast<std::ptrdiff_t>(middle), order_[middle], earlier);
    std::inplace_merge(begin, order_.begin() + static_cast<std::ptrdiff_t>(middle), order_.end(), earlier);
  }
}

}  // namespace fathom::trace
