// SPDX-License-Identifier: Apache-2.0
#include "tracer/slices.h"

#include <cstring>

#include "tracer/chunks.h"
#include "tracer/drain.h"
#include "tracer/locking.h"
#include "tracer/process.h"
#include "tracer/settings.h"

namespace fathom::trace {
namespace {

SliceBoard* board = nullptr;
Lock boarding;
std::int64_t clock_offset = 0;        // wall clock - monotonic clock, when last looked at
std::int64_t flushed_in = INT64_MIN;  // slice in which the ring was last written out

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t least_step = 20'000'000;  // a clock that is only being slewed moves at most 0.5 ms in a second

/// The wall clock as ticks, good for a short while.
struct WallClock {
  ClockPair now;
  std::uint64_t scale;  // nanoseconds per tick, times 2^32

  std::uint64_t ticks_of(std::int64_t nanoseconds) const {
    return static_cast<std::uint64_t>((static_cast<Wide>(nanoseconds) << 32) / scale);
  }
  std::int64_t at(std::uint64_t ticks) const {
    const bool later = ticks >= now.ticks;
    const auto away = static_cast<std::int64_t>(static_cast<Wide>(later ? ticks - now.ticks : now.ticks - ticks) * scale >> 32);
    return later ? now.realtime + away : now.realtime - away;
  }
  std::uint64_t ticks_at(std::int64_t realtime) const {
    return realtime >= now.realtime ? now.ticks + ticks_of(realtime - now.realtime) : now.ticks - ticks_of(now.realtime - realtime);
  }
};

std::int64_t slice_of(std::int64_t realtime) {
  const std::int64_t length = board->length;
  return realtime >= 0 ? realtime / length : -((length - 1 - realtime) / length);
}

WallClock look_at_clock() {
  WallClock clock{clock_pair(), 1ull << 32};
  const std::uint64_t ticks = clock.now.ticks - process->start.ticks;
  const std::int64_t ns = clock.now.monotonic - process->start.monotonic;
  if (steady_counter && ticks > 0 && ns > 0) clock.scale = static_cast<std::uint64_t>((static_cast<Wide>(ns) << 32) / ticks);
  if (clock.scale == 0) clock.scale = 1;
  board->scale = clock.scale;
  return clock;
}

/// With the board's lock: the ring becomes a block of the trace.
void write_ring() {
  static SliceRow rows[ring_slices];
  static std::uint8_t block[slice_block_bound(ring_slices)];
  const std::uint32_t count = ring_rows(*board, rows);
  if (count == 0 && board->steps == 0) return;
  BlockHeader header{};
  header.process = process->process;
  header.first = board->blocks;
  if (!append_block(block, encode_slice_block(header, *board, rows, count, block))) return;
  // Who finds the process killed here writes the same block once more: of blocks with one number readers take one.
  ++board->blocks;
  std::memset(board->used, 0, sizeof board->used);
  board->steps = 0;
  describe_early();
}

/// With the board's lock.
void note_step(const ClockPair& now) {
  const std::int64_t offset = now.realtime - now.monotonic, by = offset - clock_offset;
  if (by > least_step || by < -least_step) {
    if (board->steps == most_steps) write_ring();
    if (board->steps < most_steps) board->step[board->steps] = {now.monotonic + clock_offset, by};
    ++board->steps;
  }
  clock_offset = offset;
}

/// With the board's lock.
void add_to_ring(std::int64_t number, const SliceValues& values) {
  const auto place = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) % ring_slices);
  std::uint64_t& word = board->used[place / 64];
  const std::uint64_t bit = 1ull << (place % 64);
  SliceRow& row = board->ring[place];
  if ((word & bit) && row.number != number) write_ring();
  if ((word & bit) && row.number != number) {  // it could not be written: better lost, and told, than in a slice of another time
    process->lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!(word & bit)) {
    row.number = number;
    row.values = {};
    word |= bit;
  }
  for (std::size_t c = 0; c < slice_counters; ++c) row.values[c] += values[c];
}

/// With the board's lock. The lane's thread may go on counting meanwhile: what it adds after the look is taken the next time.
void take_from(SliceLane& lane) {
  SliceValues more;
  std::uint64_t any = 0;
  for (std::size_t c = 0; c < slice_counters; ++c) {
    const std::uint64_t value = __atomic_load_n(&lane.values[c], __ATOMIC_RELAXED);
    any |= more[c] = value - lane.moved[c];
    lane.moved[c] = value;
  }
  if (any != 0) add_to_ring(lane.number, more);
}

SliceLane* free_lane() {
  for (std::uint32_t i = 0; i < slice_lanes; ++i) {
    SliceLane& lane = board->lanes[(self.number + i) % slice_lanes];
    std::uint32_t expected = 0;
    if (lane.taken.load(std::memory_order_relaxed) == 0 && lane.taken.compare_exchange_strong(expected, 1)) return &lane;
  }
  return nullptr;
}

/// With the board's lock: this thread counts for slice `number` from now on.
void enter(std::int64_t number) {
  SliceState& state = self.slice;
  if (!state.lane && !state.ended) state.lane = free_lane();
  if (!state.lane || state.lane->number == number) return;
  take_from(*state.lane);
  state.lane->number = number;
  state.lane->values = {};
  state.lane->moved = {};
}

/// From when to when the thread may count without asking: within the slice, and not so long that the clock could be set, or the
/// tick's length (known from the process's short life so far) could be wrong by something, without being noticed.
void set_limits(const WallClock& clock, std::int64_t number) {
  SliceState& state = self.slice;
  state.values = state.lane ? state.lane->values.data() : nullptr;
  state.start = clock.ticks_at(number * board->length);
  state.end = clock.ticks_at((number + 1) * board->length);
  const std::uint64_t age = clock.now.ticks - process->start.ticks;
  const std::uint64_t known = clock.now.ticks + 64 * age + 1, soon = clock.now.ticks + clock.ticks_of(second);
  if (state.end > known) state.end = known;
  if (state.end > soon) state.end = soon;
  if (!state.lane) state.start = state.end = 0;
}

/// The part of a call that ran in slice `number` (of the last one: all that is left), told from how far the earlier parts went.
struct Sharing {
  SliceValues whole{};
  SliceValues given{};
  std::uint64_t ticks = 0;

  SliceValues until(std::uint64_t passed, bool last) {
    SliceValues part{};
    for (std::size_t c = 0; c < slice_counters; ++c) {
      const std::uint64_t sum = last || ticks == 0 ? whole[c]
                                : shared_out(c)    ? static_cast<std::uint64_t>(static_cast<Wide>(whole[c]) * passed / ticks)
                                                   : 0;
      part[c] = sum - given[c];
      given[c] = sum;
    }
    return part;
  }
};

}  // namespace

void count_slowly(CallId call, Span time, std::int64_t result, bool outermost) {
  SignalsHeld signals;
  if (!ready() || !recording.slices || self.slice.uncounted) return;
  know_thread();
  Holding lock(boarding);
  const WallClock clock = look_at_clock();
  note_step(clock.now);
  const std::int64_t last = slice_of(clock.at(time.end));
  std::int64_t number = slice_of(clock.at(time.start));
  Sharing sharing;
  sharing.ticks = time.end - time.start;
  each_count(call, time, result, outermost,
             [&](SliceCounter counter, std::uint64_t more) { sharing.whole[static_cast<std::size_t>(counter)] += more; });
  for (; number < last; ++number) {
    const std::uint64_t boundary = clock.ticks_at((number + 1) * board->length);
    add_to_ring(number, sharing.until(boundary > time.start ? boundary - time.start : 0, false));
  }
  const SliceValues rest = sharing.until(sharing.ticks, true);
  enter(last);
  set_limits(clock, last);
  if (SliceLane* const lane = self.slice.lane)
    for (std::size_t c = 0; c < slice_counters; ++c) lane->values[c] += rest[c];
  else
    add_to_ring(last, rest);
  if (flushed_in == INT64_MIN) flushed_in = last;
  if (last - flushed_in >= ring_slices && guard->alive) {
    for (SliceLane& lane : board->lanes)
      if (lane.taken.load(std::memory_order_relaxed) != 0) take_from(lane);
    write_ring();
    flushed_in = last;
  }
}

bool start_slices() {
  if (!recording.slices) return true;
  ChunkHeader* const chunk = add_chunk_as(ChunkState::slices);
  if (!chunk) return false;
  board = reinterpret_cast<SliceBoard*>(chunk + 1);
  board->length = settings.slice;
  board->scale = 1ull << 32;
  clock_offset = process->start.realtime - process->start.monotonic;
  flushed_in = INT64_MIN;
  return true;
}

void forget_slices() {
  boarding.reset();
  board = nullptr;
  self.slice = {};
}

void leave_lane() {
  SliceState& state = self.slice;
  state.ended = true;
  if (!state.lane || !board) return;
  Holding lock(boarding);
  take_from(*state.lane);
  state.lane->taken.store(0, std::memory_order_release);
  state.lane = nullptr;
  state.values = nullptr;
  state.start = state.end = 0;
}

void flush_slices() {
  if (!board || !guard->alive) return;
  Holding lock(boarding);
  note_step(look_at_clock().now);
  for (SliceLane& lane : board->lanes) take_from(lane);
  write_ring();
}

}  // namespace fathom::trace
