// SPDX-License-Identifier: Apache-2.0
/// The POSIX wrappers: most of them straight from the table, the others here.
#define FATHOM_IN_C_LIBRARY
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <cstdarg>

#include "trace_format/posix_symbols.h"
#include "tracer/generate.h"

#pragma GCC diagnostic ignored "-Wattribute-alias"
#pragma GCC diagnostic ignored "-Wmissing-attributes"

namespace fathom::trace {
namespace {

bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }
std::int64_t before_creating(int flags) { return (flags & O_CREAT) != 0 ? coarse_now() : 0; }

/// The offset of a lock as the file has it; relative ones are worked out where the position is known.
std::int64_t lock_offset(int fd, const struct flock& lock) {
  if (lock.l_whence == SEEK_SET) return lock.l_start;
  const std::int64_t now = lock.l_whence == SEEK_CUR ? position_now(fd) : no_offset;
  return now == no_offset ? no_offset : now + lock.l_start;
}

void locked(Span time, int fd, int command, const struct flock& lock, std::int64_t offset, std::int64_t result) {
  const bool unlocks = lock.l_type == F_UNLCK;
  const std::uint8_t detail = static_cast<std::uint8_t>((lock.l_type == F_WRLCK ? lock_exclusive : 0) |
                                                        (command == F_SETLKW || command == F_OFD_SETLKW ? lock_waits : 0) |
                                                        (command == F_OFD_SETLK || command == F_OFD_SETLKW ? lock_of_file : 0));
  // Length 0 is a lock to the end of the file, however far that moves.
  on_file(unlocks ? CallId::fcntl_unlock : CallId::fcntl_lock, time, fd, offset, static_cast<std::uint64_t>(lock.l_len), result, detail);
}

}  // namespace

FATHOM_WRAPPER(open, int, (const char* path, int flags, ...)) {
  mode_t mode = 0;
  if (has_mode(flags)) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  const auto real = FATHOM_FIND(open, int, (const char*, int, ...));
  const std::int64_t not_before = before_creating(flags);
  const std::uint64_t start = ticks();
  const int result = real(path, flags, mode);
  opened_path(CallId::open, {start, ticks()}, AT_FDCWD, path, flags, result, not_before);
  return result;
}

FATHOM_WRAPPER(openat, int, (int folder, const char* path, int flags, ...)) {
  mode_t mode = 0;
  if (has_mode(flags)) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  const auto real = FATHOM_FIND(openat, int, (int, const char*, int, ...));
  const std::int64_t not_before = before_creating(flags);
  const std::uint64_t start = ticks();
  const int result = real(folder, path, flags, mode);
  opened_path(CallId::open, {start, ticks()}, folder, path, flags, result, not_before);
  return result;
}

FATHOM_WRAPPER(creat, int, (const char* path, mode_t mode)) {
  const auto real = FATHOM_FIND(creat, int, (const char*, mode_t));
  const std::int64_t not_before = coarse_now();
  const std::uint64_t start = ticks();
  const int result = real(path, mode);
  opened_path(CallId::creat, {start, ticks()}, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, result, not_before);
  return result;
}

FATHOM_WRAPPER(close, int, (int fd)) {
  const auto real = FATHOM_FIND(close, int, (int));
  // Before the call: the number may be another thread's file at once afterwards.
  description(fd);
  const std::uint32_t object = closing(fd);
  const std::uint64_t start = ticks();
  const int result = real(fd);
  const Span time{start, ticks()};
  if (object != UINT32_MAX) put(CallId::close, time, object, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(close_range, int, (unsigned first, unsigned last, int flags)) {
  const auto real = FATHOM_FIND(close_range, int, (unsigned, unsigned, int));
  if (!real) return not_there<int>();
  const std::uint64_t start = ticks();
  const int result = real(first, last, flags);
  const Span time{start, ticks()};
  if (result == 0 && (flags & 4 /* CLOSE_RANGE_CLOEXEC */) == 0) closing_range(first, last);
  put(CallId::close_range, time, 0, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(closefrom, void, (int first)) {
  const auto real = FATHOM_FIND(closefrom, void, (int));
  const std::uint64_t start = ticks();
  real(first);
  const Span time{start, ticks()};
  closing_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0u);
  put(CallId::close_range, time, 0, no_offset, no_bytes, 0);
}

FATHOM_WRAPPER(sync, void, ()) {
  const auto real = FATHOM_FIND(sync, void, ());
  const std::uint64_t start = ticks();
  real();
  put(CallId::sync, {start, ticks()}, 0, no_offset, no_bytes, 0);
}

FATHOM_WRAPPER(fcntl, int, (int fd, int command, ...)) {
  va_list more;
  va_start(more, command);
  void* const argument = va_arg(more, void*);
  va_end(more);
  const auto real = FATHOM_FIND(fcntl, int, (int, int, ...));
  const bool is_lock = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  const bool asks = command == F_GETLK || command == F_OFD_GETLK;
  struct flock lock {};
  std::int64_t offset = no_offset;
  if (asks && copy_safely(argument, &lock, sizeof lock)) offset = lock_offset(fd, lock);  // the answer will stand in its place
  const std::uint64_t start = ticks();
  const int result = real(fd, command, argument);
  const Span time{start, ticks()};
  const int kept = errno;
  if (is_lock) {
    if (!may_be_bad(outcome(result)))
      lock = *static_cast<const struct flock*>(argument);
    else
      copy_safely(argument, &lock, sizeof lock);
    offset = lock_offset(fd, lock);
    locked(time, fd, command, lock, offset, outcome(result));
  } else if (asks) {
    on_file(CallId::fcntl_getlk, time, fd, offset, static_cast<std::uint64_t>(lock.l_len), outcome(result));
  } else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    if (result >= 0) duplicated(fd, result);
    on_file(CallId::fcntl_dup, time, fd, no_offset, no_bytes, outcome(result));
  } else {
    if (command == F_SETFL && result == 0)
      if (Description* const file = description(fd)) file->append = (reinterpret_cast<long>(argument) & O_APPEND) != 0;
    on_file(CallId::fcntl, time, fd, no_offset, static_cast<std::uint64_t>(command), outcome(result));
  }
  errno = kept;
  return result;
}

FATHOM_WRAPPER(flock, int, (int fd, int operation)) {
  const auto real = FATHOM_FIND(flock, int, (int, int));
  const std::uint64_t start = ticks();
  const int result = real(fd, operation);
  const Span time{start, ticks()};
  const std::uint8_t detail =
      static_cast<std::uint8_t>(((operation & LOCK_EX) ? lock_exclusive : 0) | ((operation & LOCK_NB) ? 0 : lock_waits) | lock_of_file);
  on_file((operation & LOCK_UN) ? CallId::flock_unlock : CallId::flock_lock, time, fd, 0, 0, outcome(result), detail);
  return result;
}

FATHOM_WRAPPER(lockf, int, (int fd, int command, off_t bytes)) {
  const auto real = FATHOM_FIND(lockf, int, (int, int, off_t));
  const std::uint64_t start = ticks();
  const int result = real(fd, command, bytes);
  const Span time{start, ticks()};
  const std::int64_t offset = position_now(fd);
  const CallId call = command == F_ULOCK ? CallId::lockf_unlock : command == F_TEST ? CallId::lockf_test : CallId::lockf_lock;
  on_file(call, time, fd, offset, static_cast<std::uint64_t>(bytes), outcome(result),
          static_cast<std::uint8_t>(lock_exclusive | (command == F_LOCK ? lock_waits : 0)));
  return result;
}

FATHOM_WRAPPER(ioctl, int, (int fd, unsigned long request, ...)) {
  va_list more;
  va_start(more, request);
  void* const argument = va_arg(more, void*);
  va_end(more);
  const auto real = FATHOM_FIND(ioctl, int, (int, unsigned long, ...));
  const std::uint64_t start = ticks();
  const int result = real(fd, request, argument);
  on_file(CallId::ioctl, {start, ticks()}, fd, no_offset, request, outcome(result));
  return result;
}

FATHOM_WRAPPER(chdir, int, (const char* path)) {
  const auto real = FATHOM_FIND(chdir, int, (const char*));
  const std::uint64_t start = ticks();
  const int result = real(path);
  on_path(CallId::chdir, {start, ticks()}, AT_FDCWD, path, no_offset, outcome(result));
  if (result == 0) folder_changed();
  return result;
}

FATHOM_WRAPPER(fchdir, int, (int fd)) {
  const auto real = FATHOM_FIND(fchdir, int, (int));
  const std::uint64_t start = ticks();
  const int result = real(fd);
  on_file(CallId::chdir, {start, ticks()}, fd, no_offset, no_bytes, outcome(result));
  if (result == 0) folder_changed();
  return result;
}

FATHOM_WRAPPER(opendir, DIR*, (const char* path)) {
  const auto real = FATHOM_FIND(opendir, DIR*, (const char*));
  const std::uint64_t start = ticks();
  DIR* const result = real(path);
  const Span time{start, ticks()};
  const int kept = errno;
  if (result)
    opened_path(CallId::opendir, time, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, dirfd(result), 0);
  else
    on_path(CallId::opendir, time, AT_FDCWD, path, no_offset, -kept);
  errno = kept;
  return result;
}

FATHOM_WRAPPER(fdopendir, DIR*, (int fd)) {
  const auto real = FATHOM_FIND(fdopendir, DIR*, (int));
  const std::uint64_t start = ticks();
  DIR* const result = real(fd);
  on_file(CallId::opendir, {start, ticks()}, fd, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(closedir, int, (DIR * folder)) {
  const auto real = FATHOM_FIND(closedir, int, (DIR*));
  const std::uint32_t object = folder ? closing(dirfd(folder)) : 0;
  const std::uint64_t start = ticks();
  const int result = real(folder);
  if (object != UINT32_MAX) put(CallId::closedir, {start, ticks()}, object, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(ftw, int, (const char* path, __ftw_func_t each, int most)) {
  const auto real = FATHOM_FIND(ftw, int, (const char*, __ftw_func_t, int));
  const std::uint64_t start = ticks();
  ++self.depth;
  const int result = real(path, each, most);
  --self.depth;
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, path, no_offset, outcome(result));
  return result;
}

FATHOM_WRAPPER(nftw, int, (const char* path, __nftw_func_t each, int most, int flags)) {
  const auto real = FATHOM_FIND(nftw, int, (const char*, __nftw_func_t, int, int));
  const std::uint64_t start = ticks();
  ++self.depth;
  const int result = real(path, each, most, flags);
  --self.depth;
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, path, no_offset, outcome(result));
  if (flags & FTW_CHDIR) folder_changed();
  return result;
}

FATHOM_WRAPPER(glob, int, (const char* pattern, int flags, int (*trouble)(const char*, int), glob_t* found)) {
  const auto real = FATHOM_FIND(glob, int, (const char*, int, int (*)(const char*, int), glob_t*));
  const std::uint64_t start = ticks();
  ++self.depth;
  const int result = real(pattern, flags, trouble, found);
  --self.depth;
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, pattern, no_offset, result);
  return result;
}

FATHOM_WRAPPER(scandir, int,
               (const char* path, struct dirent*** list, int (*pick)(const struct dirent*),
                int (*order)(const struct dirent**, const struct dirent**))) {
  const auto real = FATHOM_FIND(
      scandir, int, (const char*, struct dirent***, int (*)(const struct dirent*), int (*)(const struct dirent**, const struct dirent**)));
  const std::uint64_t start = ticks();
  ++self.depth;
  const int result = real(path, list, pick, order);
  --self.depth;
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, path, no_offset, outcome(result));
  return result;
}

FATHOM_WRAPPER(fts_open, FTS*, (char* const* paths, int options, int (*order)(const FTSENT**, const FTSENT**))) {
  const auto real = FATHOM_FIND(fts_open, FTS*, (char* const*, int, int (*)(const FTSENT**, const FTSENT**)));
  const std::uint64_t start = ticks();
  FTS* const result = real(paths, options, order);
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, paths && result ? paths[0] : nullptr, no_offset, outcome(result));
  return result;
}

FATHOM_WRAPPER(fts_read, FTSENT*, (FTS * walk)) {
  const auto real = FATHOM_FIND(fts_read, FTSENT*, (FTS*));
  const std::uint64_t start = ticks();
  FTSENT* const result = real(walk);
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, result ? result->fts_path : nullptr, no_offset, result ? 0 : -errno);
  if (!(walk->fts_options & FTS_NOCHDIR)) folder_changed();
  return result;
}

FATHOM_WRAPPER(fts_children, FTSENT*, (FTS * walk, int options)) {
  const auto real = FATHOM_FIND(fts_children, FTSENT*, (FTS*, int));
  const std::uint64_t start = ticks();
  FTSENT* const result = real(walk, options);
  on_path(CallId::walk, {start, ticks()}, AT_FDCWD, result ? result->fts_path : nullptr, no_offset, result ? 0 : -errno);
  return result;
}

FATHOM_WRAPPER(fts_close, int, (FTS * walk)) {
  const auto real = FATHOM_FIND(fts_close, int, (FTS*));
  const std::uint64_t start = ticks();
  const int result = real(walk);
  put(CallId::walk, {start, ticks()}, 0, no_offset, no_bytes, outcome(result));
  folder_changed();
  return result;
}

FATHOM_WRAPPER(rewinddir, void, (DIR * folder)) {
  const auto real = FATHOM_FIND(rewinddir, void, (DIR*));
  const std::uint64_t start = ticks();
  real(folder);
  on_file(CallId::lseek, {start, ticks()}, dirfd(folder), 0, no_bytes, 0);
}

FATHOM_WRAPPER(seekdir, void, (DIR * folder, long place)) {
  const auto real = FATHOM_FIND(seekdir, void, (DIR*, long));
  const std::uint64_t start = ticks();
  real(folder, place);
  on_file(CallId::lseek, {start, ticks()}, dirfd(folder), place, no_bytes, place);
}

FATHOM_WRAPPER(mmap, void*, (void* at, size_t bytes, int protection, int flags, int fd, off_t offset)) {
  const auto real = FATHOM_FIND(mmap, void*, (void*, size_t, int, int, int, off_t));
  if (fd < 0 || (flags & MAP_ANONYMOUS)) return real(at, bytes, protection, flags, fd, offset);
  const std::uint64_t start = ticks();
  void* const result = real(at, bytes, protection, flags, fd, offset);
  const Span time{start, ticks()};
  const Description* const file = description(fd);
  if (file && file->ignored) return result;
  if (result != MAP_FAILED && file) mapped(result, bytes, file->object);
  put(CallId::mmap, time, file ? file->object : 0, offset, bytes, result == MAP_FAILED ? -errno : 0);
  return result;
}

FATHOM_WRAPPER(munmap, int, (void* at, size_t bytes)) {
  const auto real = FATHOM_FIND(munmap, int, (void*, size_t));
  const std::uint32_t object = mapping(at, true);
  const std::uint64_t start = ticks();
  const int result = real(at, bytes);
  if (object != 0) put(CallId::munmap, {start, ticks()}, object, no_offset, bytes, outcome(result));
  return result;
}

/// A mapping that moves stays the same file's; moving it reads and writes nothing.
FATHOM_WRAPPER(mremap, void*, (void* at, size_t bytes, size_t more, int flags, ...)) {
  va_list rest;
  va_start(rest, flags);
  void* const where = (flags & MREMAP_FIXED) ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  const auto real = FATHOM_FIND(mremap, void*, (void*, size_t, size_t, int, ...));
  void* const result = real(at, bytes, more, flags, where);
  if (result == MAP_FAILED || bytes == 0) return result;
  if (const std::uint32_t object = mapping(at, true)) mapped(result, more, object);
  return result;
}

FATHOM_POSIX_SYMBOLS(FATHOM_GENERATE, FATHOM_ALIAS, FATHOM_BY_HAND)

}  // namespace fathom::trace
