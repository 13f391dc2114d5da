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
      const std::size_t first = in_order_ ? at_ : order_[at_];
      if (all || items_[first].start < behind_) break;
    } else if (all) {
      key_ = at_end;
      return;
    }
    add_block(scratch);
  }
  ready_ = count_;
  if (next_block_ < source_->blocks.size()) {
    const auto starts = [&](std::size_t place) { return items_[in_order_ ? place : order_[place]].start; };
    std::size_t low = at_ + 1;
    for (std::size_t high = count_; low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (starts(middle) < behind_) low = middle + 1;
      else high = middle;
    }
    ready_ = low;
  }
  key_ = items_[in_order_ ? at_ : order_[at_]].start;
}

/// Moves what is left to the front, when that is less than what goes.
void ThreadStream::forget_taken() {
  if (at_ == count_) {
    at_ = ready_ = count_ = 0;
    in_order_ = true;
    nested_ = false;
    items_.clear();
    gone_rows_.clear();
    for (auto& list : waiting_) list.clear();
    return;
  }
  if (at_ < count_ - at_) return;
  std::vector<std::uint32_t> moved(count_, none);
  std::vector<Item> left;
  left.reserve(count_ - at_);
  // Kept in the order in which they ended, which adoption and later sorting build on.
  std::vector<std::uint32_t> places(count_ - at_);
  for (std::size_t i = at_; i < count_; ++i) places[i - at_] = in_order_ ? static_cast<std::uint32_t>(i) : order_[i];
  std::vector<std::uint32_t> by_end = places;
  std::sort(by_end.begin(), by_end.end());
  for (const std::uint32_t place : by_end) {
    moved[place] = static_cast<std::uint32_t>(left.size());
    left.push_back(items_[place]);
  }
  for (Item& item : left) {
    if (item.parent == none || (item.parent & gone) != 0) continue;
    if (moved[item.parent] != none) {
      item.parent = moved[item.parent];
    } else {
      gone_rows_.push_back(rows_[item.parent]);
      item.parent = gone | static_cast<std::uint32_t>(gone_rows_.size() - 1);
    }
  }
  for (auto& list : waiting_) {
    for (std::uint32_t& place : list) place = moved[place];
    std::erase(list, none);
  }
  order_.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) order_[i] = moved[places[i]];
  in_order_ = std::is_sorted(order_.begin(), order_.end());
  items_ = std::move(left);
  count_ = items_.size();
  at_ = ready_ = 0;
  if (nested_) rows_.assign(count_, no_row);
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
  items_.resize(from + n);
  const ClockLine clock = meaning_->clock;
  const unsigned shift = next.block.header.tick_shift;
  bool sorted = in_order_;
  std::int64_t last = from > at_ && in_order_ ? items_[from - 1].start : INT64_MIN;
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
    item.parent = none;
    sorted &= item.start >= last;
    last = item.start;
    deepest |= kind.depth;
  }
  count_ = from + n;
  if (deepest != 0 && !nested_) nested_ = true;
  if (nested_) {
    rows_.resize(count_, no_row);
    adopt(from);
  }
  // Equal starts of different depths are put in order as well.
  if (!sorted || nested_) put_in_order(from, scratch);
  return true;
}

/// A call adopts those one deeper that ended before it and after its start.
void ThreadStream::adopt(std::size_t from) {
  if (waiting_.empty()) waiting_.resize(257);
  for (std::size_t i = from; i < count_; ++i) {
    const Item& item = items_[i];
    auto& children = waiting_[item.depth + 1u];
    for (const std::uint32_t child : children)
      if (items_[child].start >= item.start) items_[child].parent = static_cast<std::uint32_t>(i);
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
  if (in_order_) {
    order_.resize(from);
    std::iota(order_.begin(), order_.end(), 0u);
    in_order_ = false;
  }
  const std::size_t middle = order_.size();
  order_.insert(order_.end(), sorted.begin(), sorted.end());
  if (middle > at_ && before(order_[middle], order_[middle - 1])) {
    const auto begin = std::upper_bound(order_.begin() + static_cast<std::ptrdiff_t>(at_), order_.begin() + static_cast<std::ptrdiff_t>(middle), order_[middle], earlier);
    std::inplace_merge(begin, order_.begin() + static_cast<std::ptrdiff_t>(middle), order_.end(), earlier);
  }
}

}  // namespace fathom::trace
