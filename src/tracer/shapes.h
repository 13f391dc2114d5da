// SPDX-License-Identifier: Apache-2.0
/// What to record of a finished call, by the kind of its signature: the last column of the tables of symbols.
#pragma once

#include <sys/uio.h>
#include <time.h>

#include <cerrno>
#include <cstdint>
#include <type_traits>

#include "trace_format/text.h"
#include "tracer/files.h"
#include "tracer/process.h"
#include "tracer/syscalls.h"

namespace fathom::trace {

/// What the call came to: its result, or the error's number below zero.
template <class T>
inline std::int64_t outcome(T result) {
  if constexpr (std::is_pointer_v<T>)
    return __builtin_expect(result != nullptr, 1) ? 0 : -errno;
  else
    return __builtin_expect(result != static_cast<T>(-1), 1) ? static_cast<std::int64_t>(result) : -errno;
}

/// Reads what a pointer of the program's points at, if there is anything: a bad one is the kernel's to refuse, not ours to stumble over.
bool copy_safely(const void* from, void* to, std::size_t bytes);

/// A call that failed may have been given bad pointers.
inline bool may_be_bad(std::int64_t result) {
  return __builtin_expect(result == -EFAULT || result == -EBADF || result == -EINVAL || result == -ENAMETOOLONG, 0);
}

/// The name, or null if it cannot be read.
inline const char* readable(const char* path, std::int64_t result) {
  char first;
  return path && may_be_bad(result) && (result == -EFAULT || !copy_safely(path, &first, 1)) ? nullptr : path;
}

inline std::uint64_t total(const struct iovec* pieces, int count, std::int64_t result) {
  std::uint64_t sum = 0;
  struct iovec piece;
  for (int i = 0; pieces && i < count && i < 1024; ++i) {
    if (result >= 0)
      sum += pieces[i].iov_len;
    else if (copy_safely(&pieces[i], &piece, sizeof piece))
      sum += piece.iov_len;
    else
      break;
  }
  return sum;
}

inline std::int64_t place_before(const off_t* place, std::int64_t result) {
  off_t there = 0;
  if (result >= 0) return *place - result;
  return copy_safely(place, &there, sizeof there) ? there : no_offset;
}

/// Moves data at the descriptor's own offset, which moves along.
inline void at_position(CallId call, Span time, int fd, std::uint64_t bytes, std::int64_t result) {
  Description* const file = description(fd);
  if (!file) return put(call, time, 0, no_offset, bytes, result);
  if (file->ignored) return;
  std::int64_t offset = no_offset;
  if (file->seekable && (recording.trace || file->stream)) {
    const std::int64_t moved = result > 0 ? result : 0;
    if (__builtin_expect(file->position_unsure(), 0)) {
      const std::int64_t now = raw::seek(fd, 0, SEEK_CUR);
      offset = now >= moved ? now - moved : no_offset;
      if (now >= 0) file->position.store(now, std::memory_order_relaxed);
      if (file->stream && moved > 0) file->stream_unsure = true;
    } else {
      offset = file->position.fetch_add(moved, std::memory_order_relaxed);
    }
  }
  put(call, time, file->object, offset, bytes, result);
}

/// Moves data at an offset that is given.
inline void at_offset(CallId call, Span time, int fd, std::uint64_t bytes, std::int64_t offset, std::int64_t result) {
  const Description* const file = description(fd);
  if (file && file->ignored) return;
  put(call, time, file ? file->object : 0, offset, bytes, result);
}

/// p{read,write}v2 with offset -1 means the descriptor's own.
inline void at_offset_or_position(CallId call, Span time, int fd, std::uint64_t bytes, std::int64_t offset, std::int64_t result) {
  if (offset == -1) return at_position(call, time, fd, bytes, result);
  at_offset(call, time, fd, bytes, offset, result);
}

/// Something about an open file; numbers where they mean something.
inline void on_file(CallId call, Span time, int fd, std::int64_t offset, std::uint64_t bytes, std::int64_t result,
                    std::uint8_t detail = 0) {
  const Description* const file = description(fd);
  if (file && file->ignored) return;
  put(call, time, file ? file->object : 0, offset, bytes, result, detail);
}

/// Something about a name.
inline void on_path(CallId call, Span time, int folder, const char* path, std::int64_t offset, std::int64_t result) {
  path = readable(path, result);
  if (!path_wanted(folder, path)) return;
  put(call, time, path_object(folder, path), offset, no_bytes, result);
}

/// Either: an empty name means the descriptor itself (AT_EMPTY_PATH).
inline void on_path_or_file(CallId on_a_path, CallId on_a_file, Span time, int folder, const char* path, std::int64_t result) {
  if (path && !readable(path, result)) return put(on_a_path, time, 0, no_offset, no_bytes, result);
  if (!path || !*path) return on_file(on_a_file, time, folder, no_offset, no_bytes, result);
  on_path(on_a_path, time, folder, path, no_offset, result);
}

/// Two names: the second is recorded as a call inside the first.
inline void on_two_paths(CallId call, CallId call_to, Span time, int folder, const char* path, int folder_to, const char* path_to,
                         std::int64_t result) {
  path = readable(path, result);
  path_to = readable(path_to, result);
  if (!path_wanted(folder, path) && !path_wanted(folder_to, path_to)) return;
  put(call_to, time, path_object(folder_to, path_to), no_offset, no_bytes, result, 0, 1);
  put(call, time, path_object(folder, path), no_offset, no_bytes, result);
}

/// Two open files: what is read from the first is written to the second. Offsets are given, or the descriptors' own.
inline void between(CallId call, CallId call_to, Span time, int from, const off_t* from_at, int to, const off_t* to_at, std::uint64_t bytes,
                    std::int64_t result) {
  ++self.depth;
  if (to_at)
    at_offset(call_to, time, to, bytes, place_before(to_at, result), result);
  else
    at_position(call_to, time, to, bytes, result);
  --self.depth;
  if (from_at)
    at_offset(call, time, from, bytes, place_before(from_at, result), result);
  else
    at_position(call, time, from, bytes, result);
}

/// When a file that is there now was not there before this, it was made by the call: the clock file systems take their times from.
inline std::int64_t coarse_now() {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline std::uint8_t open_detail(int flags, bool created) {
  const int mode = flags & O_ACCMODE;
  return static_cast<std::uint8_t>((mode != O_WRONLY ? open_reads : 0) | (mode != O_RDONLY ? open_writes : 0) |
                                   ((flags & O_APPEND) ? opens_append : 0) | (created ? open_creates : 0));
}

/// A name became a descriptor.
inline void opened_path(CallId call, Span time, int folder, const char* path, int flags, int fd, std::int64_t not_before) {
  const std::int64_t result = outcome(fd);
  path = readable(path, result);
  const bool keep = path_wanted(folder, path);
  const std::uint32_t name = keep ? path_object(folder, path) : 0;
  bool created = false;
  std::uint32_t object = name;
  if (fd >= 0 && !self.in_vfork_child)
    if (const Description* const file = opened(fd, name, flags, !keep, not_before, created)) object = file->object;
  if (keep) put(call, time, object, no_offset, no_bytes, result, open_detail(flags, created));
}

/// Names of a space of their own, which the C library puts into a folder.
inline Text<300> below(const char* folder, const char* name, std::int64_t result) {
  Text<300> path;
  path.add(folder);
  name = readable(name, result);
  while (name && *name == '/') ++name;
  path.add(name);
  return path;
}

inline void opened_below(CallId call, Span time, const char* folder, const char* name, int flags, int fd) {
  opened_path(call, time, AT_FDCWD, below(folder, name, outcome(fd)).data, flags, fd, 0);
}

inline void dup_done(Span time, int fd, int fresh) {
  if (fresh >= 0) duplicated(fd, fresh);
  on_file(CallId::dup, time, fd, no_offset, no_bytes, outcome(fresh));
}

inline void lseek_done(Span time, int fd, std::int64_t offset, std::int64_t result) {
  Description* const file = description(fd);
  if (file && file->ignored) return;
  if (file && result >= 0) {
    file->position.store(result, std::memory_order_relaxed);
    file->stream_unsure = true;
  }
  put(CallId::lseek, time, file ? file->object : 0, offset, no_bytes, result);
}

}  // namespace fathom::trace
