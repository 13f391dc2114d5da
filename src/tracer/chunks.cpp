// SPDX-License-Identifier: Apache-2.0
#include "tracer/chunks.h"

#include <cstring>

#include "trace_format/text.h"
#include "tracer/drain.h"
#include "tracer/locking.h"
#include "tracer/process.h"
#include "tracer/settings.h"

namespace fathom::trace {

ChunkHeader* chunk_at[most_chunks];

namespace {

constexpr std::uint32_t shared_chunks = 48;  // 12 MiB, whatever the number of threads
constexpr std::uint32_t thread_chunks = 2;

Lock growing;
std::uint32_t most_for_now = shared_chunks;  // chunks this process may have

ChunkHeader* add_chunk(ChunkState state) {
  Holding lock(growing);
  const std::uint32_t number = process->chunks.load();
  if (number >= most_for_now || number >= most_chunks) return nullptr;
  Text<256> path;
  path.add(settings.memory).add('/').number(process->process, 16);
  const int fd = raw::open(path.data, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  const long at = static_cast<long>(first_chunk_at + number * chunk_bytes);
  // Room is taken before it is mapped: a full memory file system is an answer here, and a bus error later.
  void* memory = nullptr;
  if (!raw::failed(raw::allocate(fd, 0, at, chunk_bytes))) memory = raw::map(chunk_bytes, MAP_SHARED | MAP_POPULATE, fd, at);
  raw::close(fd);
  if (!memory) return nullptr;
  raw::call(SYS_madvise, raw::number(memory), chunk_bytes, MADV_DONTFORK);
  auto* const chunk = static_cast<ChunkHeader*>(memory);
  chunk->magic = chunk_magic;
  chunk->state.store(state);
  chunk_at[number] = chunk;
  process->chunks.store(number + 1, std::memory_order_release);
  return chunk;
}

ChunkHeader* free_chunk() {
  const std::uint32_t number = process->chunks.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < number; ++i) {
    ChunkState expected = ChunkState::free;
    if (chunk_at[i]->state.compare_exchange_strong(expected, ChunkState::filling)) return chunk_at[i];
  }
  return nullptr;
}

bool any_full() {
  const std::uint32_t number = process->chunks.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < number; ++i)
    if (chunk_at[i]->state.load() == ChunkState::full) return true;
  return false;
}

}  // namespace

ChunkHeader* take_chunk() {
  // Who waited in vain once does not wait again.
  const int patient = process->lost.load(std::memory_order_relaxed) > 0 ? 1 : 200;
  for (int tries = 0; tries < patient; ++tries) {
    if (guard->alive == 0) return nullptr;
    const std::uint32_t seen = process->wake.load();
    if (ChunkHeader* const chunk = free_chunk()) return chunk;
    if (any_full()) start_drainer();
    if (add_chunk(ChunkState::free)) continue;
    if (!drainer_runs()) {
      drain_pass(false);
      continue;
    }
    process->waits.fetch_add(1, std::memory_order_relaxed);
    const struct timespec patience = {0, 50'000'000};
    raw::wait_while(&process->wake, seen, &patience);
  }
  process->lost.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

ChunkHeader* add_chunk_as(ChunkState state) { return add_chunk(state); }

ChunkHeader* chunk_of(const Record* record) {
  const std::uint32_t number = process->chunks.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < number; ++i)
    if (record >= slots_of(chunk_at[i]) && record < slots_of(chunk_at[i]) + chunk_slots) return chunk_at[i];
  return nullptr;
}

void retire(ChunkHeader* chunk, std::uint32_t used) {
  chunk->used = used;
  chunk->state.store(ChunkState::full, std::memory_order_release);
  process->wake.fetch_add(1);
  if (drainer_runs()) raw::wake(&process->wake, 1 << 20);
}

void allow_for_thread(std::uint32_t number) {
  const std::uint32_t most = number * thread_chunks + shared_chunks;
  if (most > most_for_now) most_for_now = most;
}

void forget_chunks() {
  std::memset(chunk_at, 0, sizeof chunk_at);
  growing.reset();
  most_for_now = shared_chunks;
}

}  // namespace fathom::trace
