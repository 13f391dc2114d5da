// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>

#include "trace/blocks.h"
#include "trace/thread_stream.h"
#include "trace/trace.h"

namespace fathom::trace {
namespace {

constexpr std::size_t piece = 8192;  // events given out at once, about: they stay in the processor's cache

constexpr unsigned number_bits = 20;  // of an event in a piece; in front of them, nanoseconds since the first event of the piece

constexpr std::size_t most_numbers = std::size_t{1} << number_bits;
constexpr std::int64_t longest_piece = std::int64_t{1} << (63 - number_bits);

/// Sorts by the time in keys, equal ones stay in order. Comparing would branch on what is as good as random.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& other, std::uint64_t greatest) {
  constexpr unsigned bits = 11;
  constexpr std::uint64_t mask = (1u << bits) - 1;
  other.resize(keys.size());
  for (unsigned shift = number_bits; shift < 64 && greatest >> shift != 0; shift += bits) {
    std::array<std::uint32_t, mask + 2> places{};
    for (const std::uint64_t key : keys) ++places[(key >> shift & mask) + 1];
    for (std::size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
    for (const std::uint64_t key : keys) other[places[key >> shift & mask]++] = key;
    keys.swap(other);
  }
}

}  // namespace

/// A piece is a span of time: what each thread under way did in it is listed, then all is sorted. Threads are opened when time reaches them.
struct EventStream::State {
  struct Source {
    const ThreadStream::Item* item;
    ThreadStream* stream;
  };

  std::shared_ptr<const Trace::Blocks> blocks;
  StreamScratch scratch;
  std::vector<std::unique_ptr<ThreadStream>> active, idle;
  std::vector<std::uint32_t> unopened;  // threads, latest first
  std::uint64_t row = 0;
  std::vector<Source> sources;
  std::vector<std::uint64_t> keys, other_keys;
  std::vector<Event> events;  // the first `count` count
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

  /// When the next event of all starts; opens every thread that may have it.
  std::int64_t first() {
    std::int64_t least = ThreadStream::at_end;
    for (const auto& stream : active) least = std::min(least, stream->key());
    while (!unopened.empty() && next_opening() <= least) {
      open_next();
      if (!active.empty()) least = std::min(least, active.back()->key());
    }
    return least;
  }

  void list(std::int64_t from, std::int64_t until) {
    sources.clear();
    keys.clear();
    for (const auto& stream : active) {
      if (stream->key() >= until) continue;
      stream->list(until, [&](const ThreadStream::Item& item) {
        keys.push_back(static_cast<std::uint64_t>(item.start - from) << number_bits | sources.size());
        sources.push_back({&item, stream.get()});
      });
    }
  }

  void advance(std::int64_t until) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (active[i]->key() < until) active[i]->advance(scratch);
      if (active[i]->key() == ThreadStream::at_end) {
        idle.push_back(std::move(active[i]));
      } else {
        if (kept != i) active[kept] = std::move(active[i]);
        ++kept;
      }
    }
    active.resize(kept);
  }

  void fill() {
    count = 0;
    const std::int64_t from = first();
    if (from == ThreadStream::at_end) return;
    std::int64_t until = next_opening();
    until = std::min(until, from + longest_piece);
    const std::size_t share = std::max<std::size_t>(piece / active.size(), 16);
    for (const auto& stream : active)
      if (stream->key() < until) until = std::min(until, stream->known_until(share));
    list(from, until);
    count = sources.size();
    if (events.size() < count) events.resize(count);
    if (count > most_numbers) {  // very many that start together
      std::stable_sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.item->start < b.item->start; });
      for (std::size_t i = 0; i < count; ++i) sources[i].stream->make_event(*sources[i].item, row++, events[i]);
    } else {
      std::uint64_t greatest = 0;
      for (const std::uint64_t key : keys) greatest |= key;
      radix_sort(keys, other_keys, greatest);
      for (std::size_t i = 0; i < count; ++i) {
        const Source& source = sources[keys[i] & (most_numbers - 1)];
        source.stream->make_event(*source.item, row++, events[i]);
      }
    }
    advance(until);
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
