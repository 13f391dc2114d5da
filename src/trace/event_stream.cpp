// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "trace/blocks.h"
#include "trace/thread_stream.h"
#include "trace/trace.h"

namespace fathom::trace {
namespace {

constexpr std::size_t piece = 2048;  // events given out at once: they stay in the processor's cache

}  // namespace

/// A tournament of the threads that are under way; the others are opened when time reaches them.
struct EventStream::State {
  std::shared_ptr<const Trace::Blocks> blocks;
  StreamScratch scratch;
  std::vector<std::unique_ptr<ThreadStream>> streams;  // one for each leaf
  std::vector<std::int64_t> keys;                      // of the leaves
  std::vector<std::uint32_t> winners;                  // [1] is the first of all; leaves stand at [size, 2 size)
  std::vector<std::uint32_t> unused;                   // leaves
  std::size_t size = 1;
  std::vector<std::uint32_t> unopened;                 // threads, latest first
  std::int64_t next_opening = INT64_MAX;
  std::uint64_t row = 0;
  std::vector<Event> events = std::vector<Event>(piece);

  explicit State(const Trace& trace) : blocks(trace.blocks) {
    const std::size_t threads = blocks ? blocks->threads.size() : 0;
    unopened.resize(threads);
    for (std::size_t i = 0; i < threads; ++i) unopened[i] = static_cast<std::uint32_t>(threads - 1 - i);
    std::stable_sort(unopened.begin(), unopened.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return blocks->threads[a].earliest > blocks->threads[b].earliest; });
    resize(4);
    open_up_to_first();
  }

  void resize(std::size_t leaves) {
    for (std::size_t i = leaves; i-- > (streams.empty() ? 0 : size);) unused.push_back(static_cast<std::uint32_t>(i));
    size = leaves;
    streams.resize(size);
    keys.resize(size, ThreadStream::at_end);
    winners.assign(2 * size, 0);
    for (std::size_t i = 0; i < size; ++i) winners[size + i] = static_cast<std::uint32_t>(i);
    for (std::size_t i = size; i-- > 1;) play(i);
  }

  void play(std::size_t node) {
    const std::uint32_t a = winners[2 * node], b = winners[2 * node + 1];
    winners[node] = keys[b] < keys[a] ? b : a;
  }

  void update(std::uint32_t leaf) {
    std::uint32_t best = leaf;
    std::int64_t key = keys[leaf];
    for (std::size_t node = size + leaf; node > 1; node /= 2) {
      const std::uint32_t other = winners[node ^ 1];
      const std::int64_t others = keys[other];
      // Of equal ones the left: the same whichever of them moved.
      const bool lost = others < key || (others == key && (node & 1) != 0);
      best = lost ? other : best;
      key = lost ? others : key;
      winners[node / 2] = best;
    }
  }

  /// The least start among all but `leaf`.
  std::int64_t second(std::uint32_t leaf) const {
    std::int64_t least = INT64_MAX;
    for (std::size_t node = size + leaf; node > 1; node /= 2) least = std::min(least, keys[winners[node ^ 1]]);
    return least;
  }

  void open_next() {
    const ThreadBlocks& thread = blocks->threads[unopened.back()];
    unopened.pop_back();
    next_opening = unopened.empty() ? INT64_MAX : blocks->threads[unopened.back()].earliest;
    if (unused.empty()) resize(2 * size);
    const std::uint32_t leaf = unused.back();
    unused.pop_back();
    if (!streams[leaf]) streams[leaf] = std::make_unique<ThreadStream>();
    streams[leaf]->open(*blocks, thread, scratch);
    keys[leaf] = streams[leaf]->key();
    if (keys[leaf] == ThreadStream::at_end) unused.push_back(leaf);
    update(leaf);
  }

  /// Opens every thread that may have an event before the first of those under way.
  void open_up_to_first() {
    next_opening = unopened.empty() ? INT64_MAX : blocks->threads[unopened.back()].earliest;
    while (!unopened.empty() && next_opening <= keys[winners[1]]) open_next();
  }

  std::size_t fill() {
    std::size_t n = 0;
    std::uint32_t last = UINT32_MAX;
    while (n < piece) {
      const std::uint32_t leaf = winners[1];
      std::int64_t key = keys[leaf];
      if (key >= next_opening && !unopened.empty()) {
        open_up_to_first();
        continue;
      }
      if (key == ThreadStream::at_end) break;
      ThreadStream& stream = *streams[leaf];
      stream.take(row++, events[n++], scratch);
      key = stream.key();
      if (leaf == last) {  // a run of one thread's events: as long as nobody else comes before
        const std::int64_t limit = std::min(second(leaf), next_opening);
        while (n < piece && key < limit) {
          stream.take(row++, events[n++], scratch);
          key = stream.key();
        }
      }
      last = leaf;
      keys[leaf] = key;
      if (key == ThreadStream::at_end) unused.push_back(leaf);
      update(leaf);
    }
    return n;
  }
};

EventStream::EventStream(const Trace& trace) : state_(std::make_unique<State>(trace)) {}
EventStream::~EventStream() = default;

Result<std::span<const Event>> EventStream::next() { return std::span<const Event>(state_->events.data(), state_->fill()); }

std::uint64_t EventStream::unreadable_blocks() const { return state_->scratch.broken_blocks; }

}  // namespace fathom::trace
