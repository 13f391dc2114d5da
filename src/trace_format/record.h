// SPDX-License-Identifier: Apache-2.0
/// One traced call as the tracer keeps it in memory: 48 bytes, written once, at the end of the call.
#pragma once

#include <cstdint>

namespace fathom::trace {

/// What a record without a call is: the numbers 0 to 15 never stand for calls.
enum SlotKind : std::uint16_t {
  slot_empty = 0,   // reserved, not yet written: what a killed thread leaves last
  slot_define = 1,  // the head of a Definition; `depth` more slots of text follow
  slot_skip = 2,    // filler up to the end of a chunk
  first_call = 16,
};

inline constexpr std::int64_t no_offset = INT64_MIN;
inline constexpr std::uint64_t no_bytes = UINT64_MAX;

/// Times are ticks of the process's clock (see ProcessHeader). Records of one thread stand in the order in which calls ended;
/// a call made inside another recorded call of its thread has a greater depth and stands before it.
struct Record {
  std::uint64_t start;
  std::uint64_t duration;
  std::int64_t offset;   // first byte in the file; no_offset: none, or not known
  std::uint64_t bytes;   // asked for; no_bytes: the call moves no data
  std::int64_t result;   // what it returned; -errno if it failed
  std::uint32_t object;  // file: number of a Definition of this process; 0: none
  std::uint16_t call;    // SlotKind or CallId
  std::uint8_t depth;    // recorded calls of this thread that enclose it
  std::uint8_t detail;   // per operation: see CallDetail
};
static_assert(sizeof(Record) == 48);

/// Bits of Record::detail.
enum CallDetail : std::uint8_t {
  lock_exclusive = 1,  // of locks: for writing
  lock_waits = 2,      // F_SETLKW
  lock_of_file = 4,    // F_OFD_*
  open_creates = 8,    // of opens: the file was not there before (O_CREAT | O_EXCL, or size and times say so)
  open_reads = 16,
  open_writes = 32,
  opens_append = 64,
  in_vfork_child = 128,
};

enum class DefinitionKind : std::uint8_t {
  path = 1,       // a name as the program gave it; relative to `parent` (an open directory) or to the working directory `parent`
  handle = 2,     // an open file; `parent` is its path
  directory = 3,  // a working directory, absolute
  thread = 4,     // a thread of the process began
  hint = 5,       // text "key=value" that holds for the handle `parent` (MPI_Info)
  note = 6,       // text for people: something the tracer did not see, by name
};

/// What an open file is.
enum class FileKind : std::uint8_t { unknown, regular, directory, pipe, socket, character, block, pseudo, anonymous };

/// Shares its shape with Record, so that both fit the same slots. Text follows in `text_slots` slots, `text_bytes` of it count.
struct Definition {
  std::uint64_t inode;
  std::uint64_t device;
  std::int64_t size;  // of the file when it was opened
  std::uint32_t text_bytes;
  std::uint32_t parent;
  std::uint32_t open_flags;  // O_*
  std::uint32_t detail;      // FileKind of a handle; tid of a thread
  std::uint32_t object;      // its number, unique in the process; never 0
  std::uint16_t call;        // slot_define
  std::uint8_t text_slots;
  DefinitionKind kind;
};
static_assert(sizeof(Definition) == sizeof(Record));

inline constexpr std::uint32_t longest_text = 255 * sizeof(Record);

}  // namespace fathom::trace
