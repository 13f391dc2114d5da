// SPDX-License-Identifier: Apache-2.0
/// The traced process as the tracer sees it: its memory file, its threads, its end.
#pragma once

#include <atomic>
#include <cstdint>

#include "trace_format/call.h"
#include "trace_format/memory_file.h"
#include "tracer/clock.h"
#include "tracer/settings.h"
#include "tracer/slices.h"

namespace fathom::trace {

/// A page of its own that the kernel empties in a forked child, however it was forked: there `alive` is 0 before anything else happens.
struct Guard {
  std::uint32_t alive;
};
extern Guard* guard;  // points at a page of zeros until the process is set up

/// Per thread; plain data, zero to begin with.
struct ThreadState {
  Record* next;
  Record* end;
  ChunkHeader* chunk;
  std::uint64_t first;  // running number of the next chunk's first slot
  std::uint32_t number;
  std::uint32_t process;  // low half of the process's id when it was set up: a child begins anew
  std::uint8_t depth;
  std::uint8_t layer;  // 1 + the Interface of the library whose recorded call it is in; 0: none
  bool known;          // it has a number
  bool introduced;     // the trace says so
  bool in_vfork_child;
  SliceState slice;
};
extern __thread ThreadState self __attribute__((tls_model("initial-exec")));

extern ProcessHeader* process;

/// Room for `slots` slots in this thread's chunk, or null if nothing is to be recorded. Out of line: sets up process, thread, chunk.
Record* make_room(std::uint32_t slots, Record* reached);

/// Reserves slots. An addition that a signal handler cannot split; so each gets slots of its own, even inside a handler.
inline Record* reserve(std::uint32_t slots) {
  if (__builtin_expect(guard->alive == 0, 0)) return make_room(slots, nullptr);
  std::uint64_t at = slots * sizeof(Record);
  __asm__ volatile("xaddq %0, %1" : "+r"(at), "+m"(self.next)::"memory", "cc");
  Record* const record = reinterpret_cast<Record*>(at);
  if (__builtin_expect(record + slots <= self.end, 1)) return record;
  return make_room(slots, record);
}

/// The last eight bytes of a record in one store: with them the record is there.
inline void commit(Record* record, std::uint32_t object, std::uint16_t call, std::uint8_t depth, std::uint8_t detail) {
  const std::uint64_t word = object | (static_cast<std::uint64_t>(call) << 32) | (static_cast<std::uint64_t>(depth) << 48) |
                             (static_cast<std::uint64_t>(detail) << 56);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(&record->object), word, __ATOMIC_RELEASE);
}

inline void put(CallId call, Span time, std::uint32_t object, std::int64_t offset, std::uint64_t bytes, std::int64_t result,
                std::uint8_t detail = 0, std::uint8_t deeper = 0) {
  const auto depth = static_cast<std::uint8_t>(self.depth + deeper);
  // sync() is about all files; other calls without one are about none.
  if (recording.slices && (object != 0 ? (object & no_data) == 0 : call == CallId::sync))
    count(self.slice, guard->alive != 0, call, time, result, depth == 0);
  if (__builtin_expect(!recording.trace, 0)) return;
  Record* const record = reserve(1);
  if (__builtin_expect(record == nullptr, 0)) return;
  record->start = time.start;
  record->duration = time.end - time.start;
  record->offset = offset;
  record->bytes = bytes;
  record->result = result;
  commit(record, object & ~no_data, static_cast<std::uint16_t>(call), depth, detail);
}

/// Writes a definition; false if there is no room for it.
bool define(std::uint32_t object, DefinitionKind kind, std::uint32_t parent, const char* text, std::size_t bytes, const Definition& facts);
std::uint32_t new_object();

/// Gives this thread its number unless it has one.
void know_thread();
/// True if tracing can go on (sets up the process on its first call).
bool ready();
/// Stops recording for good, with a line to standard error about why.
void step_aside(const char* what, const char* why);

/// What an error's number means, in words.
const char* system_words(long code);

/// What streams still hold back becomes records (streams.cpp).
void before_end();
/// Writes all there is to the trace; `last`: the process ends now.
void drain_everything(bool last);
/// Before exec: like the end, but the process may go on if exec fails.
void before_exec();

/// Describes the process anew for the trace (a rank became known, barriers were passed).
void describe(std::int32_t rank, std::int32_t ranks, const char* library);

/// Counts up at each fork: open files from before are shared with another process, whose offsets are not ours to know.
extern std::uint32_t fork_epoch;

}  // namespace fathom::trace
