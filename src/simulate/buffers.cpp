// SPDX-License-Identifier: Apache-2.0
// Page pools and burst buffers: who may enter, who goes on, and reads that need not go to the disks.
#include <algorithm>
#include <utility>

#include "simulate/engine_state.h"

namespace fathom::simulate {

/// In the CIOD buffer: the page pool if it has room, the bypass if not. This is decided once.
void Engine::arrived(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  const Lane& from = node.lanes[lane];
  records_.note(from.record, &Way::at_io_node, now_);
  if (architecture_.page_pool > 0 && from.bytes <= node.pool_room.left()) {
    const Picoseconds acked = message_down(node, lane, now_);
    node.pool_room.used += from.bytes;
    records_.acked(from.record, acked);
    records_.note(from.record, &Way::pooled);
    keep(node.page_pool, {from.bytes, 1, StoredWrite::nobody, from.record});
    feed(n);
    acknowledge(n, lane, acked);
  } else {
    node.waiting.push(lane);
    feed(n);
  }
}

void Engine::keep(Store& store, const StoredWrite& write) const {
  store.bytes += write.bytes;
  if (!records_.wanted() && !store.writes.empty() && store.writes.back().bytes == write.bytes)
    ++store.writes.back().count;
  else
    store.writes.push(write);
}

/// Writes that wait for the link themselves go first, the page pool last.
Engine::Choice Engine::choose_write(IoNode& node, StoredWrite& write, bool& from_pool, std::uint64_t room) {
  from_pool = node.waiting.empty();
  if (from_pool) {
    if (node.page_pool.writes.empty()) return Choice::none;
    if (node.page_pool.writes.front().bytes > room) return Choice::no_room;
    write = node.page_pool.take_front();
    return Choice::taken;
  }
  const std::uint32_t lane = node.waiting.front();
  const Lane& from = node.lanes[lane];
  if (from.bytes > room) return Choice::no_room;
  node.waiting.pop();
  write = {from.bytes, 1, lane, from.record};
  return Choice::taken;
}

void Engine::start(std::uint32_t n, Sender& sender, const StoredWrite& write, bool from_pool, Agenda::Place end) {
  sender.busy = true;
  sender.from_pool = from_pool;
  sender.load = write;
  sender.start = now_;
  sender.end = std::min(now_ + sender.rate.of(write.bytes), time_limit + 1);
  if (end == Agenda::in_buffer || architecture_.burst_buffer == 0) records_.note(write.record, &Way::left_pool, now_);
  if (end == Agenda::sent) records_.note(write.record, &Way::external_start, now_);
  schedule(n, end, sender.end);
}

/// Sends what can be sent over the internal link and the external link.
void Engine::feed(std::uint32_t n) {
  if (architecture_.burst_buffer > 0) return feed_buffer(n);
  IoNode& node = nodes_[n];
  StoredWrite write;
  bool from_pool = false;
  if (!node.external.busy && choose_write(node, write, from_pool, UINT64_MAX) == Choice::taken)
    start(n, node.external, write, from_pool, Agenda::sent);
}

void Engine::feed_buffer(std::uint32_t n) {
  IoNode& node = nodes_[n];
  BufferPool& pool = pool_of(n);
  if (!node.internal.busy) {
    StoredWrite write;
    bool from_pool = false;
    Choice choice = choose_write(node, write, from_pool, pool.room.left());
    if (choice == Choice::no_room && architecture_.prefetch > 0) {
      for (std::uint32_t each = pool.first; each <= pool.last; ++each) give_up_prefetch(each);
      choice = choose_write(node, write, from_pool, pool.room.left());
    }
    note_shortage(n, choice == Choice::no_room);
    if (choice == Choice::taken) {
      pool.room.used += write.bytes;  // its place is taken from the start of the transfer
      start(n, node.internal, write, from_pool, Agenda::in_buffer);
    }
  }
  if (may_drain(n)) drain(n);
  if (node.prefetch.left > 0) fetch(n);
}

void Engine::drain(std::uint32_t n) {
  IoNode& node = nodes_[n];
  if (node.external.busy || node.burst_buffer.writes.empty()) return;
  start(n, node.external, node.burst_buffer.take_front(), false, Agenda::sent);
  if (node.burst_buffer.writes.empty()) node.draining = false;
}

bool Engine::may_drain(std::uint32_t n) {
  const IoNode& node = nodes_[n];
  return architecture_.drain == static_cast<std::uint64_t>(Drain::immediate) || node.quiet() || node.draining ||
         pool_of(n).short_of_room > 0;
}

/// A write that finds no room makes all buffers that it could be in be drained.
void Engine::note_shortage(std::uint32_t n, bool is_short) {
  IoNode& node = nodes_[n];
  BufferPool& pool = pool_of(n);
  if (node.short_of_room == is_short) return;
  node.short_of_room = is_short;
  if (is_short)
    ++pool.short_of_room;
  else
    --pool.short_of_room;
  if (!is_short || pool.short_of_room > 1 || pool.first == pool.last || architecture_.drain == static_cast<std::uint64_t>(Drain::immediate))
    return;
  for (std::uint32_t each = pool.first; each <= pool.last; ++each)
    if (each != n) drain(each);
}

/// First for the I/O node that made it, then for the others that share the buffer.
void Engine::room_became_free(std::uint32_t n) {
  feed(n);
  const BufferPool& pool = pool_of(n);
  for (std::uint32_t each = pool.first; each <= pool.last; ++each)
    if (each != n && (nodes_[each].short_of_room || nodes_[each].prefetch.left > 0)) feed(each);
}

void Engine::in_buffer(std::uint32_t n) {
  IoNode& node = nodes_[n];
  StoredWrite write = node.internal.load;
  node.internal.busy = false;
  outcome_.nodes[n].buffered_bytes += write.bytes;
  const std::uint32_t lane = write.waiting;
  Picoseconds acked = 0;
  if (node.internal.from_pool) {
    node.pool_room.used -= write.bytes;
  } else {
    acked = message_down(node, lane, now_);
    records_.acked(write.record, acked);
  }
  records_.note(write.record, &Way::in_buffer, now_);
  write.waiting = StoredWrite::nobody;
  keep(node.burst_buffer, write);
  const Room& room = pool_of(n).room;
  if (architecture_.drain == static_cast<std::uint64_t>(Drain::threshold) &&
      static_cast<Uint128>(room.used) * 100 >= static_cast<Uint128>(room.size) * architecture_.drain_threshold)
    node.draining = true;
  feed(n);
  if (lane != StoredWrite::nobody) acknowledge(n, lane, acked);
}

/// Prefetched data is taken away by the read. Of the others, every so many-th finds its data among what was written, if that is as much.
bool Engine::buffer_answers(std::uint32_t n, const Lane& lane) {
  IoNode& node = nodes_[n];
  if (lane.bytes == 0 || (architecture_.prefetch > 0 && &lane == &node.lanes.back())) return false;
  const std::uint32_t share = node.timed.empty() ? node.batches[lane.batch - node.first_batch].share : work_.nodes[n].timed_share;
  if (node.prefetch.here >= lane.bytes && node.prefetch.share == share) {
    node.prefetch.here -= lane.bytes;
    pool_of(n).room.used -= lane.bytes;
    return true;
  }
  const std::uint64_t number = node.reads_that_passed++;
  const bool its_turn = (number + 1) * architecture_.read_hits / 100 > number * architecture_.read_hits / 100;
  return its_turn && node.burst_buffer.bytes >= lane.bytes;
}

void Engine::answer_from_buffer(std::uint32_t n, std::uint32_t lane) {
  IoNode& node = nodes_[n];
  const std::uint64_t bytes = node.lanes[lane].bytes;
  outcome_.nodes[n].bytes_from_buffer += bytes;
  records_.note(node.lanes[lane].record, &Way::from_buffer);
  node.buffer_down.forget_before(now_);
  const Picoseconds end = node.buffer_down.take(now_, node.buffer_down_rate.of(bytes), {}).end;
  node.from_buffer.push({end, lane});
  if (node.from_buffer.size() == 1) schedule(n, EventClass::buffer_sent, lane, end);
  if (architecture_.prefetch > 0) room_became_free(n);
}

void Engine::data_arrived(std::uint32_t n, bool from_buffer) {
  IoNode& node = nodes_[n];
  auto& data = from_buffer ? node.from_buffer : node.from_external;
  const std::uint32_t lane = data.pop().lane;
  if (!data.empty()) schedule(n, from_buffer ? EventClass::buffer_sent : EventClass::external_sent, data.front().lane, data.front().end);
  if (architecture_.prefetch > 0 && lane == fetching_lane(node)) return fetched(n);
  deliver(n, lane, now_);
}

/// What the job will read on this I/O node, as far as it may be fetched.
void Engine::begin_prefetch(std::uint32_t n, std::uint32_t share) {
  IoNode& node = nodes_[n];
  const NodeWork& work = work_.nodes[n];
  constexpr auto reads = static_cast<std::size_t>(Kind::read);
  std::uint64_t bytes = 0;
  for (std::size_t i = node.step; i < work.steps.size() && bytes < architecture_.prefetch; ++i) {
    const Step& step = work.steps[i];
    if (step.share != share) continue;
    if (step.what == Step::What::job_end) break;
    bytes += step.amounts.bytes[reads];
  }
  if (work.timed_share == share)
    for (const auto& list : work.timed)
      for (const TimedRequest& each : list) bytes += each.kind == Kind::read ? each.bytes : 0;
  give_up_prefetch(n);
  node.prefetch.share = share;
  node.prefetch.left = std::min(bytes, architecture_.prefetch);
  fetch(n);
}

/// What is on its way keeps its place until it is here.
void Engine::give_up_prefetch(std::uint32_t n) {
  Prefetch& prefetch = nodes_[n].prefetch;
  pool_of(n).room.used -= prefetch.here;
  prefetch.here = prefetch.left = 0;
  prefetch.share = no_share;
}

/// One piece at a time, as a read of the I/O node itself.
void Engine::fetch(std::uint32_t n) {
  IoNode& node = nodes_[n];
  Prefetch& prefetch = node.prefetch;
  const std::uint64_t piece = std::min(prefetch.left, architecture_.ciod_buffer);
  if (prefetch.piece > 0 || piece == 0 || piece > pool_of(n).room.left()) return;
  pool_of(n).room.used += piece;
  prefetch.piece = piece;
  prefetch.piece_share = prefetch.share;
  prefetch.left -= piece;
  Lane& lane = node.lanes.back();
  lane.kind = Kind::read;
  lane.bytes = piece;
  lane.hop = Hop::external_link;
  ask(n, fetching_lane(node));
}

void Engine::fetched(std::uint32_t n) {
  Prefetch& prefetch = nodes_[n].prefetch;
  const std::uint64_t piece = std::exchange(prefetch.piece, 0);
  outcome_.nodes[n].buffered_bytes += piece;
  if (prefetch.share == no_share || prefetch.share != prefetch.piece_share) {
    pool_of(n).room.used -= piece;  // nobody wants it any more
    return room_became_free(n);
  }
  prefetch.here += piece;
  fetch(n);
}

}  // namespace fathom::simulate
