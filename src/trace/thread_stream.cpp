// SPDX-License-Identifier: Apache-2.0
#include "trace/thread_stream.h"

#include <algorithm>
#include <array>
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
  latest_start_ = INT64_MIN;
  top_up(1, scratch);
}

void ThreadStream::fill(std::size_t most, StreamScratch& scratch) {
  while (ready_ - at_ < most && more_to_come()) {
    if (records_.left() > 0) {
      add_stretch(scratch);
    } else {
      open_block(scratch);
    }
    behind_ = next_block_ > 0 ? source_->blocks[next_block_ - 1].behind : source_->earliest;
    if (records_.left() > 0) behind_ = std::min(behind_, meaning_->clock(records_.earliest_left() << tick_shift_));
    // Equal starts wait as well: the enclosing call may be among what comes.
    const auto is_ready = [this](const Place& place) { return place.start < behind_; };
    ready_ = more_to_come()
                 ? static_cast<std::size_t>(std::partition_point(order_.get() + ready_, order_.get() + count_, is_ready) - order_.get())
                 : count_;
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
                      kind.call < table.size() ? table[kind.call] : blocks_->unknown_call, kind.depth, kind.detail, 0});
  }
}

// Room is as small as can be, because that of all threads together should stay in the cache: a stretch more than what is held, mostly.

void ThreadStream::make_room_for_items(std::uint32_t more) {
  if (next_number_ + more - oldest_ <= item_room_) return;
  std::uint32_t held = 0;  // numbers go around: what counts is how far they are behind
  for (std::size_t i = at_; i < count_; ++i) held = std::max(held, next_number_ - order_[i].number);
  oldest_ = next_number_ - held;
  // Some is left free, so that looking for the oldest one pays.
  if (held + more + item_room_ / 8 <= item_room_) return;
  const std::uint32_t room = std::max<std::uint32_t>(2 * item_room_, 2 * stretch_records);
  auto larger = std::make_unique_for_overwrite<Item[]>(room);
  for (std::uint32_t number = oldest_; number != next_number_; ++number) larger[number & (room - 1)] = item(number);
  items_ = std::move(larger);
  item_room_ = room;
}

void ThreadStream::make_room_in_order(std::size_t more) {
  if (count_ + more <= order_room_) return;
  const std::size_t left = count_ - at_;
  if (at_ < left || left + more > order_room_) {
    order_room_ = std::max(2 * order_room_, 2 * stretch_records);
    auto larger = std::make_unique_for_overwrite<Place[]>(order_room_);
    std::copy(order_.get() + at_, order_.get() + count_, larger.get());
    order_ = std::move(larger);
  } else {
    std::memmove(order_.get(), order_.get() + at_, left * sizeof(Place));
  }
  ready_ -= at_;
  at_ = 0;
  count_ = left;
}

/// Records come in the order in which they ended, and most of them started in that order too. Those that did not are put aside first, so
/// that the loop over all has no branch that depends on what programs do.
void ThreadStream::add_stretch(StreamScratch& scratch) {
  const std::size_t count = records_.stretch();
  make_room_for_items(static_cast<std::uint32_t>(count));
  make_room_in_order(count);
  const ClockLine clock = meaning_->clock;
  const unsigned shift = tick_shift_;
  const Kind* const kinds = kinds_.data();
  Item* const items = items_.get();
  const std::uint32_t mask = item_room_ - 1;
  std::uint32_t number = next_number_;
  Place *const places = order_.get() + count_, *next_place = places;
  std::array<Place*, stretch_records> late;
  std::size_t late_count = 0;
  std::int64_t latest = latest_start_;
  const auto nanoseconds = [clock, shift](std::uint64_t time) { return clock(time << shift); };
  const bool good = records_.next(scratch.columns, nanoseconds, [&](const UnpackedRecord& record) {
    const Kind& kind = kinds[record.kind];
    items[number & mask] = {kind, record.start, record.end, record.offset, record.bytes, record.result, no_row};
    *next_place = {record.start, number, kind.depth};
    late[late_count] = next_place;
    late_count += record.start <= latest;
    latest = std::max(latest, record.start);
    ++number;
    ++next_place;
  });
  if (!good) return static_cast<void>(++scratch.broken_blocks);
  for (std::size_t i = 0; i < late_count; ++i) put_in_order(late[i]);
  latest_start_ = latest;
  next_number_ = number;
  count_ += count;
}

/// All before `late` are in order and ended before it. It belongs in front of those that did not start before it: it encloses them, or is a
/// transfer that went on beside them. Of those one deeper it is the enclosing call, unless they have one.
void ThreadStream::put_in_order(Place* late) {
  const Place place = *late;
  const Place* const begin = order_.get() + ready_;
  for (; late > begin && place.before(late[-1]); --late) {
    const Place& other = late[-1];
    if (other.depth == place.depth + 1) {
      std::uint32_t& parent = item(other.number).kind.parent;
      if (parent == 0) parent = place.number - other.number;
    }
    *late = other;
  }
  *late = place;
}

void ThreadStream::give(const std::uint32_t* places, std::size_t count, Event* events, std::uint64_t row) {
  const std::uint32_t unit = meaning_->unit, process = source_->process, thread = source_->thread, mask = item_room_ - 1;
  const Place* const order = order_.get() + at_;
  Item* const items = items_.get();
  for (std::size_t i = 0; i < count; ++i) {
    const Place place = order[i];
    Item& from = items[place.number & mask];
    const Kind kind = from.kind;
    const std::uint64_t own_row = row + places[i];
    Event& event = events[places[i]];
    event.start = from.start;
    event.end = from.end;
    event.offset = from.offset;
    event.bytes = from.bytes;
    event.result = from.result;
    event.row = own_row;
    event.parent = items[(place.number + kind.parent) & mask].row;  // without a parent its own, which is still no_row
    event.unit = unit;
    event.process = process;
    event.thread = thread;
    event.file = kind.file;
    event.handle = kind.handle;
    event.call = kind.call;
    event.depth = kind.depth;
    event.detail = kind.detail;
    from.row = own_row;
  }
  at_ += count;
}

}  // namespace fathom::trace
