// SPDX-License-Identifier: Apache-2.0
#include "tracer/drain.h"

#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstring>

#include "trace_format/call_table.h"
#include "trace_format/columns.h"
#include "trace_format/process_text.h"
#include "trace_format/text.h"
#include "tracer/chunks.h"
#include "tracer/locking.h"
#include "tracer/process.h"
#include "tracer/settings.h"

namespace fathom::trace {
namespace {

struct Workshop {
  Encoder encoder;
  alignas(64) std::uint8_t block[block_bound];
};
Workshop* workshop = nullptr;
Lock draining;
std::atomic<std::uint32_t> running{0};
bool described = false;

bool open_workshop() {
  if (workshop) return true;
  auto* const made = static_cast<Workshop*>(raw::map(sizeof(Workshop), MAP_PRIVATE | MAP_ANONYMOUS));
  if (!made || !start_encoder(made->encoder)) return false;
  workshop = made;
  return true;
}

BlockHeader header_of(BlockKind kind) {
  BlockHeader header{};
  header.kind = kind;
  header.process = process->process;
  header.tick_shift = steady_counter ? 3 : 2;
  return header;
}

}  // namespace

bool append_block(const std::uint8_t* block, std::size_t bytes) {
  const int fd = raw::open(process->output, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0644);
  long result = fd;
  if (fd >= 0) {
    const long size = raw::seek(fd, 0, SEEK_END);
    if (size == 0) {
      std::size_t length = 0;
      BlockHeader header = header_of(BlockKind::calls);
      header.first = call_table_hash();
      const char* const text = call_table_text(length);
      auto* const room = static_cast<std::uint8_t*>(raw::map(length + 4096, MAP_PRIVATE | MAP_ANONYMOUS));
      if (room) {
        raw::write(fd, room, encode_text_block(header, text, length, room));
        raw::unmap(room, length + 4096);
      }
    }
    if (settings.max_size > 0 && size > 0 && static_cast<std::uint64_t>(size) + bytes > settings.max_size) {
      raw::close(fd);
      step_aside(process->output, "it has reached its greatest size (--max-size)");
      return false;
    }
    result = raw::write(fd, block, bytes);
    raw::close(fd);
  }
  if (result == static_cast<long>(bytes)) {
    process->written.fetch_add(bytes, std::memory_order_relaxed);
    return true;
  }
  // No descriptor is left in the program: `fathom run` takes what is in memory.
  if ((fd == -24 || fd == -23) && settings.collected) return false;
  if (result == -27) raw::forget_size_signal();
  step_aside(process->output, result >= 0 && fd >= 0 ? "no space left on the device" : system_words(result));
  return false;
}

namespace {

/// Slots of a chunk that are written, from `from` on.
std::uint32_t written_until(const ChunkHeader& chunk, std::uint32_t from, std::uint32_t limit) {
  const Record* const slots = slots_of(&chunk);
  std::uint32_t i = from;
  while (i < limit) {
    const std::uint16_t call = __atomic_load_n(&slots[i].call, __ATOMIC_ACQUIRE);
    if (call == slot_empty) break;
    const std::uint32_t length = call == slot_define ? 1u + slots[i].depth : 1u;
    if (i + length > limit) break;
    i += length;
  }
  return i;
}

bool drain_chunk(ChunkHeader& chunk) {
  const bool full = chunk.state.load(std::memory_order_acquire) == ChunkState::full;
  const std::uint32_t limit = full ? chunk.used : chunk_slots;
  const auto from = static_cast<std::uint32_t>(chunk.drained);
  const std::uint32_t until = written_until(chunk, from, limit);
  if (until > from) {
    BlockHeader header = header_of(BlockKind::records);
    header.thread = chunk.thread;
    header.first = chunk.first + from;
    const std::size_t bytes = encode_block(workshop->encoder, header, slots_of(&chunk) + from, until - from, workshop->block);
    if (!append_block(workshop->block, bytes)) return false;
    chunk.drained = until;
  }
  // A slot that was reserved and never written belongs to a call that a signal interrupted: its chunk waits for it.
  if (full && until == limit) {
    std::memset(slots_of(&chunk), 0, chunk_slots * sizeof(Record));
    std::atomic_thread_fence(std::memory_order_release);  // killed in between, it is either drained or all empty
    chunk.drained = 0;
    chunk.state.store(ChunkState::free, std::memory_order_release);
    process->wake.fetch_add(1);
    raw::wake(&process->wake, 1 << 20);
  }
  return until > from;
}

void write_description_locked(bool last) {
  static ProcessText text;
  ProcessHeader& p = *process;
  const ClockPair now = clock_pair();
  if (last) p.end = now;
  describe_process(p, now, text);
  if (append_block(workshop->block, encode_text_block(header_of(BlockKind::process), text.data, text.size, workshop->block)))
    described = true;
  if (last) p.finished.store(1);
}

std::int64_t thread_time() {
  struct timespec used;
  raw::call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, raw::number(&used));
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

/// True if nobody else is left: the program's threads ended one by one without ending the process.
bool alone() {
  Text<64> path;
  path.add("/proc/self/task/").number(static_cast<std::uint64_t>(raw::process_id())).add("/stat");
  struct stat tasks;
  if (raw::call(SYS_stat, raw::number("/proc/self/task"), raw::number(&tasks)) != 0 || tasks.st_nlink > 4) return false;
  char line[256];
  const int fd = raw::open(path.data, O_RDONLY);
  if (fd < 0) return false;
  const long got = raw::read(fd, line, sizeof line - 1);
  raw::close(fd);
  line[got > 0 ? got : 0] = 0;
  const char* state = nullptr;
  for (const char* c = line; *c; ++c)
    if (*c == ')') state = c + 2;
  return state && *state == 'Z';
}

[[noreturn]] void drain_forever() {
  // Descriptors of its own, and none of the program's: the numbers it gets are not seen by the program.
  raw::call(SYS_close_range, 0, ~0u >> 1, 0);
  raw::call(SYS_prctl, 15 /* PR_SET_NAME */, raw::number("fathom"));
  for (;;) {
    const std::uint32_t seen = process->wake.load();
    const bool worked = drain_pass(false);
    process->drainer_ns.store(static_cast<std::uint64_t>(thread_time()), std::memory_order_relaxed);
    if (worked) continue;
    const struct timespec second = {1, 0};
    if (raw::wait_while(&process->wake, seen, &second) == -110 && alone()) raw::call(SYS_exit_group, 0);
  }
}

extern "C" [[noreturn]] __attribute__((used)) void fathom_drain_forever() { drain_forever(); }

constexpr std::size_t stack_bytes = 256 << 10;
constexpr std::size_t locals_bytes = 64 << 10;

}  // namespace

bool drainer_runs() { return running.load() != 0; }

bool drain_pass(bool all) {
  Holding lock(draining);
  if (!open_workshop()) {
    step_aside("compression", "no memory");
    return false;
  }
  bool any = false;
  const std::uint32_t number = process->chunks.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < number && guard->alive; ++i) {
    const ChunkState state = chunk_at[i]->state.load(std::memory_order_acquire);
    if (state == ChunkState::full || (all && state == ChunkState::filling)) any = drain_chunk(*chunk_at[i]) || any;
  }
  if (any && !all && !described && guard->alive) write_description_locked(false);
  return any;
}

void write_description(bool last) {
  Holding lock(draining);
  if (guard->alive && open_workshop()) write_description_locked(last);
}

void describe_early() {
  Holding lock(draining);
  if (!described && guard->alive && open_workshop()) write_description_locked(false);
}

void give_back_memory(const char* memory_file) {
  Holding lock(draining);  // so that no chunk is emptied and taken again meanwhile
  const int fd = raw::open(memory_file, O_RDWR | O_NOFOLLOW);
  if (fd < 0) return;
  const std::uint32_t number = process->chunks.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < number; ++i) {
    ChunkHeader& chunk = *chunk_at[i];
    ChunkState expected = ChunkState::free;
    const bool was_free = chunk.state.compare_exchange_strong(expected, ChunkState::draining);
    // Other threads may still write behind what is drained. The first page, with the header, stays.
    const std::uint64_t until = was_free ? chunk_bytes : (sizeof(ChunkHeader) + chunk.drained * sizeof(Record)) & ~4095ull;
    const auto at = static_cast<long>(first_chunk_at + i * chunk_bytes + 4096);
    if (until > 4096) raw::allocate(fd, 3 /* punch a hole, keep the size */, at, static_cast<long>(until - 4096));
    if (was_free) chunk.state.store(ChunkState::free, std::memory_order_release);
  }
  raw::close(fd);
}

void forget_drainer() {
  draining.reset();
  running.store(0);
  described = false;
}

/// A bare kernel thread: the C library does not know it, so a single-threaded program stays one (its locks, its fork, its unshare).
/// It has a stack, a thread area with nothing in it, no signals, and a table of descriptors of its own.
void start_drainer() {
  std::uint32_t expected = 0;
  if (running.load() != 0 || !running.compare_exchange_strong(expected, 1)) return;
  auto* const memory = static_cast<std::uint8_t*>(raw::map(stack_bytes + locals_bytes + 4096, MAP_PRIVATE | MAP_ANONYMOUS));
  if (!memory) {
    running.store(0);
    return;
  }
  std::uint64_t* const area = reinterpret_cast<std::uint64_t*>(memory + stack_bytes + locals_bytes);
  area[0] = area[2] = reinterpret_cast<std::uint64_t>(area);
  std::uint64_t canary;
  __asm__("movq %%fs:0x28, %0" : "=r"(canary));
  area[5] = canary;
  SignalsHeld signals;
  const long flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
  long result;
  register long r10 __asm__("r10") = 0;
  register long r8 __asm__("r8") = reinterpret_cast<long>(area);
  __asm__ volatile(
      "syscall\n\t"
      "testq %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xorl %%ebp, %%ebp\n\t"
      "andq $-16, %%rsp\n\t"
      "call fathom_drain_forever\n\t"
      "hlt\n"
      "1:"
      : "=a"(result)
      : "a"(SYS_clone), "D"(flags), "S"(memory + stack_bytes - 64), "d"(0L), "r"(r10), "r"(r8)
      : "rcx", "r11", "memory");
  if (raw::failed(result)) {
    running.store(0);
    raw::unmap(memory, stack_bytes + locals_bytes + 4096);
  }
}

}  // namespace fathom::trace
