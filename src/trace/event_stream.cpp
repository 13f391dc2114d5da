// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "trace/blocks.h"
#include "trace/thread_stream.h"
#include "trace/time_order.h"
#include "trace/trace.h"

namespace fathom::trace {
namespace {

constexpr std::size_t piece = 4096;      // events given out at once, about: they stay in the processor's cache
constexpr std::size_t least_share = 16;  // of a thread in them

}  // namespace

/// A piece is a span of time: when each thread's events in it start is listed, and once it is known where each one belongs, threads put
/// them there. Threads are opened when time reaches them.
struct EventStream::State {
  std::shared_ptr<const Trace::Blocks> blocks;
  StreamScratch scratch;
  std::vector<std::unique_ptr<ThreadStream>> active, idle;
  std::vector<std::uint32_t> unopened;  // threads, latest first
  std::int64_t from = 0, until = 0;     // the piece
  std::uint64_t row = 0;
  TimeOrder order;
  std::vector<std::size_t> listed;  // events of each active thread in the piece
  std::vector<Event> events;        // the first `count` count
  std::size_t count = 0;

  explicit State(const Trace& trace) : blocks(trace.blocks) {
    const std::size_t threads = blocks ? blocks->threads.size() : 0;
    unopened.resize(threads);
    for (std::size_t i = 0; i < threads; ++i) unopened[i] = static_cast<std::uint32_t>(threads - 1 - i);
    std::stable_sort(unopened.begin(), unopened.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return blocks->threads[a].earliest > blocks->threads[b].earliest; });
  }

  std::int64_t next_opening() const { return unopened.empty() ? ThreadStream::at_end : blocks->threads[unopened.back()].earliest; }

  void open_next() {
    auto stream = idle.empty() ? std::make_unique<ThreadStream>() : std::move(idle.back());
    if (!idle.empty()) idle.pop_back();
    stream->open(*blocks, blocks->threads[unopened.back()], scratch);
    unopened.pop_back();
    (stream->key() == ThreadStream::at_end ? idle : active).push_back(std::move(stream));
  }

  /// Narrows the piece to what is known of a thread.
  void look_at(const ThreadStream& stream, std::size_t share) {
    from = std::min(from, stream.key());
    until = std::min(until, stream.known_until(share));
  }

  /// The span of time of the next piece; opens every thread that may have events in it, and lets go of those that are at their end.
  void find_piece() {
    from = until = ThreadStream::at_end;
    const std::size_t share = std::max(piece / std::max<std::size_t>(active.size(), 1), least_share);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (i + 1 < active.size()) active[i + 1]->prefetch();
      active[i]->top_up(share, scratch);
      look_at(*active[i], share);
      if (active[i]->key() == ThreadStream::at_end) {
        idle.push_back(std::move(active[i]));
      } else {
        if (kept != i) active[kept] = std::move(active[i]);
        ++kept;
      }
    }
    active.resize(kept);
    while (!unopened.empty() && next_opening() <= from) {
      open_next();
      if (!active.empty()) look_at(*active.back(), least_share);
    }
    if (from == ThreadStream::at_end) return;
    until = std::min({until, next_opening(), from + static_cast<std::int64_t>(TimeOrder::longest)});
  }

  void fill() {
    count = 0;
    find_piece();
    if (from == ThreadStream::at_end) return;
    order.start(static_cast<std::uint64_t>(until - from));
    listed.clear();
    for (const auto& stream : active) listed.push_back(stream->list(from, order));
    count = order.size();
    if (events.size() < count) events.resize(count);
    const std::uint32_t* places = order.places();
    for (std::size_t i = 0; i < active.size(); ++i) {
      active[i]->give(places, listed[i], events.data(), row);
      places += listed[i];
    }
    row += count;
  }
};

EventStream::EventStream(const Trace& trace) : state_(std::make_unique<State>(trace)) {}
EventStream::~EventStream() = default;

Result<std::span<const Event>> EventStream::next() {
  state_->fill();
  return std::span<const Event>(state_->events.data(), state_->count);
}

std::uint64_t EventStream::unreadable_blocks() const { return state_->scratch.broken_blocks; }

}  // namespace fathom::trace
