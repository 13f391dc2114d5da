// SPDX-License-Identifier: Apache-2.0
/// Which file a descriptor, a path or a mapping stands for, and where in it the next byte comes from.
#pragma once

#include <atomic>
#include <cstdint>

#include "trace_format/record.h"
#include "tracer/process.h"

namespace fathom::trace {

/// An open file description of the kernel's: what dup() shares.
struct Description {
  std::atomic<std::int64_t> position;
  std::uint32_t object;
  std::uint32_t epoch;  // fork_epoch when it was opened
  std::atomic<std::uint32_t> references;
  FileKind kind;
  bool seekable;
  bool append;
  bool ignored;       // excluded by pattern
  std::int64_t size;  // when it was opened, or first seen

  // Of a stream of the C library's, whose offset is not the descriptor's because of its buffer (see stdio.cpp).
  void* stream;  // the last that was used on it; null: none was
  std::atomic<std::int64_t> stream_position;
  std::int64_t mark;                      // how far the buffer was ahead of the descriptor at the last record
  std::atomic<std::uint32_t> characters;  // several threads only: moved one by one through the buffer since the last record
  bool stream_unsure;                     // its offset has to be asked for

  /// Another process may move its offset, the end of the file is where it writes, or a stream moves it behind our back.
  bool position_unsure() const { return epoch != fork_epoch || append || stream; }
};

inline constexpr std::uint32_t most_descriptors = 1u << 20;
extern std::uint32_t* description_of;  // by descriptor; 0: none known
extern Description* descriptions;

/// Finds out about a descriptor that was not seen being opened. Null if it is none.
Description* learn(int fd);

inline Description* description(int fd) {
  if (__builtin_expect(static_cast<std::uint32_t>(fd) >= most_descriptors || !description_of, 0)) return learn(fd);
  const std::uint32_t number = description_of[fd];
  return __builtin_expect(number != 0, 1) ? &descriptions[number] : learn(fd);
}

/// The name as the program gave it, relative to an open folder; 0 if there is none.
std::uint32_t path_object(int folder, const char* path);
/// Whether calls on this path are wanted (patterns are about absolute names).
bool path_wanted(int folder, const char* path);

/// A descriptor came to be. `path` as given; `created` tells whether the file is new.
Description* opened(int fd, std::uint32_t path, int flags, bool ignored, std::int64_t not_before, bool& created);
/// A library opened a file by name; the descriptors it uses are its own business. Its object, or 0.
std::uint32_t opened_by_library(const char* path, int flags, std::int64_t not_before, bool& created);
/// Takes a descriptor out of the table before it is closed; its object, or 0.
std::uint32_t closing(int fd);
void closing_range(unsigned first, unsigned last);
void each_description(void (*visit)(int fd, Description&));
/// Where the descriptor stands, asked for if it cannot be known; no_offset if it has no place.
std::int64_t position_now(int fd);
/// `fresh` is now the same as `fd`.
void duplicated(int fd, int fresh);
/// A descriptor that is no file came to be (a pipe, a socket): what was known of its number is out of date.
void forget(int fd);

/// The folder the process works in has changed.
void folder_changed();

void mapped(const void* at, std::size_t bytes, std::uint32_t object);
/// The file mapped at an address; 0 if none. With `remove` it is mapped no more.
std::uint32_t mapping(const void* at, bool remove);

}  // namespace fathom::trace
