// SPDX-License-Identifier: Apache-2.0
#include "trace/thread_stream.h"

#include <algorithm>
#include <cstring>

namespace fathom::trace {

void ThreadStream::open(const Trace::Blocks& blocks, const ThreadBlocks& thread, StreamScratch& scratch) {
  blocks_ = &blocks;
  source_ = &thread;
  meaning_ = &blocks.processes[thread.process];
  next_block_ = 0;
  behind_ = thread.earliest;
  records_.forget();
  oldest_ = next_number_ = 0;
  count_ = at_ = ready_ = 0;
  if (waiting_.empty()) waiting_.resize(257);
  for (auto& list : waiting_) list.clear();
  deepest_ = 0;
  top_up(1, scratch);
}

void ThreadStream::fill(std::size_t most, StreamScratch& scratch) {
  while (ready_ - at_ < most && more_to_come()) {
    if (records_.left() > 0) {
      records_.next(scratch.columns);
      add_stretch(scratch.columns);
    } else {
      open_block(scratch);
    }
    behind_ = next_block_ > 0 ? source_->blocks[next_block_ - 1].behind : source_->earliest;
    if (records_.left() > 0) behind_ = std::min(behind_, meaning_->clock(records_.earliest_left() << tick_shift_));
    // Equal starts wait as well: the enclosing call may be among what comes.
    const auto is_ready = [this](const Place& place) { return place.start < behind_; };
    ready_ = more_to_come() ? static_cast<std::size_t>(std::partition_point(order_.get() + ready_, order_.get() + count_, is_ready) - order_.get()) : count_;
  }
}

void ThreadStream::open_block(StreamScratch& scratch) {
  const Block& block = source_->blocks[next_block_++].block;
  if (!scratch.decoder.records(block, records_)) {
    ++scratch.broken_blocks;
    return;
  }
  tick_shift_ = block.header.tick_shift;
  const auto& table = blocks_->call_tables[meaning_->call_table];
  kinds_.clear();
  for (const RecordKind& kind : records_.kinds()) {
    const ObjectMeaning* const object = kind.object == 0 ? nullptr : meaning_->find(kind.object);
    kinds_.push_back({object != nullptr ? object->file : no_file, object != nullptr && object->handle ? kind.object : 0,
                      kind.call < table.size() ? table[kind.call] : blocks_->unknown_call, kind.depth, kind.detail});
  }
}

void ThreadStream::make_room_for_items(std::uint32_t more) {
  if (next_number_ + more - oldest_ <= item_room_) return;
  std::uint32_t held = 0;  // numbers go around: what counts is how far they are behind
  for (std::size_t i = at_; i < count_; ++i) held = std::max(held, next_number_ - order_[i].number);
  oldest_ = next_number_ - held;
  // A quarter is left free, so that looking for the oldest one pays.
  if (held + more <= item_room_ - item_room_ / 4) return;
  const std::uint32_t room = std::max<std::uint32_t>(2 * item_room_, 4 * RecordColumns::most);
  auto larger = std::make_unique_for_overwrite<Item[]>(room);
  for (std::uint32_t number = oldest_; number != next_number_; ++number) larger[number & (room - 1)] = item(number);
  items_ = std::move(larger);
  item_room_ = room;
}

void ThreadStream::make_room_in_order(std::size_t more) {
  if (count_ + more <= order_room_) return;
  const std::size_t left = count_ - at_;
  if (2 * (left + more) > order_room_) {
    order_room_ = std::max(4 * (left + more), 4 * RecordColumns::most);
    auto larger = std::make_unique_for_overwrite<Place[]>(order_room_);
    std::copy(order_.get() + at_, order_.get() + count_, larger.get());
    order_ = std::move(larger);
  } else {
    std::memmove(order_.get(), order_.get() + at_, left * sizeof(Place));
  }
  ready_ -= at_;
  at_ = 0;
  count_ = left;
  // What was given starts before all that comes, and finds no enclosing call any more.
  const std::int64_t first = left > 0 ? order_[0].start : behind_;
  for (std::size_t depth = 0; depth <= deepest_; ++depth) std::erase_if(waiting_[depth], [&](const Place& place) { return place.start < first; });
}

void ThreadStream::add_stretch(RecordColumns& columns) {
  make_room_for_items(static_cast<std::uint32_t>(columns.count));
  make_room_in_order(columns.count);
  const ClockLine clock = meaning_->clock;
  for (std::size_t i = 0; i < columns.count; ++i) {
    const Kind& kind = kinds_[columns.kind[i]];
    const std::uint32_t number = next_number_++;
    item(number) = {clock(columns.end[i] << tick_shift_), static_cast<std::int64_t>(columns.offset[i]), columns.bytes[i], static_cast<std::int64_t>(columns.result[i]), no_row, kind, 0};
    put_in_order({clock(columns.start[i] << tick_shift_), number, kind.depth});
  }
}

/// A call adopts those one deeper that ended before it and after its start.
void ThreadStream::adopt(const Place& place) {
  auto& children = waiting_[place.depth + 1];
  for (const Place& child : children)
    if (child.start >= place.start) item(child.number).parent = place.number - child.number;
  children.clear();
}

/// Each comes in the order in which it ended: mostly behind all others, or, if calls were made inside it, before a few.
void ThreadStream::put_in_order(const Place& place) {
  if (!waiting_[place.depth + 1].empty()) adopt(place);
  if (place.depth > 0) {
    waiting_[place.depth].push_back(place);
    deepest_ = std::max<std::size_t>(deepest_, place.depth);
  }
  Place* const end = order_.get() + count_++;
  Place* at = end;
  if (at > order_.get() + ready_ && place.before(at[-1])) {
    // Near the end, if it is an enclosing call; anywhere, if it is a transfer that went on beside other calls.
    const Place* const begin = order_.get() + ready_;
    for (int steps = 0; steps < 8 && at > begin && place.before(at[-1]); ++steps) --at;
    if (at > begin && place.before(at[-1])) at = std::upper_bound(order_.get() + ready_, at, place, [](const Place& a, const Place& b) { return a.before(b); });
    std::memmove(at + 1, at, static_cast<std::size_t>(end - at) * sizeof(Place));
  }
  *at = place;
}

void ThreadStream::give(const std::uint32_t* places, std::size_t count, Event* events, std::uint64_t row) {
  const std::uint32_t unit = meaning_->unit, process = source_->process, thread = source_->thread;
  for (std::size_t i = 0; i < count; ++i) {
    const Place& place = order_[at_ + i];
    Item& from = item(place.number);
    Event& event = events[places[i]];
    event.start = place.start;
    event.end = from.end;
    event.offset = from.offset;
    event.bytes = from.bytes;
    event.result = from.result;
    event.row = row + places[i];
    event.parent = item(place.number + from.parent).row;  // without a parent its own, which is still no_row
    event.unit = unit;
    event.process = process;
    event.thread = thread;
    event.file = from.kind.file;
    event.handle = from.kind.handle;
    event.call = from.kind.call;
    event.depth = from.kind.depth;
    event.detail = from.kind.detail;
    from.row = event.row;
  }
  at_ += count;
}

}  // namespace fathom::trace
