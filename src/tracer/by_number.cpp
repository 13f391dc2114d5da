// SPDX-License-Identifier: Apache-2.0
/// System calls that programs make by number, recorded under the names of the functions that they bypass.
#define FATHOM_IN_C_LIBRARY
#include <sched.h>
#include <unistd.h>

#include <cstdarg>

#include "tracer/aio.h"
#include "tracer/generate.h"

namespace fathom::trace {
namespace {

using Arguments = long[6];

/// Calls that move data.
bool moved_data(long number, Span time, const Arguments& a, std::int64_t came) {
  const auto fd = static_cast<int>(a[0]);
  const auto bytes = static_cast<std::uint64_t>(a[2]);
  const auto pieces = [&] { return total(reinterpret_cast<const struct iovec*>(a[1]), static_cast<int>(a[2]), came); };
  const auto place = [&](int i) { return reinterpret_cast<const off_t*>(a[i]); };
  switch (number) {
    case SYS_read: at_position(CallId::read, time, fd, bytes, came); return true;
    case SYS_write: at_position(CallId::write, time, fd, bytes, came); return true;
    case SYS_pread64: at_offset(CallId::pread, time, fd, bytes, a[3], came); return true;
    case SYS_pwrite64: at_offset(CallId::pwrite, time, fd, bytes, a[3], came); return true;
    case SYS_readv: at_position(CallId::readv, time, fd, pieces(), came); return true;
    case SYS_writev: at_position(CallId::writev, time, fd, pieces(), came); return true;
    case SYS_preadv: at_offset(CallId::preadv, time, fd, pieces(), a[3], came); return true;
    case SYS_pwritev: at_offset(CallId::pwritev, time, fd, pieces(), a[3], came); return true;
    case SYS_preadv2: at_offset_or_position(CallId::preadv2, time, fd, pieces(), a[3], came); return true;
    case SYS_pwritev2: at_offset_or_position(CallId::pwritev2, time, fd, pieces(), a[3], came); return true;
    case SYS_copy_file_range:
      between(CallId::copy_file_range, CallId::copy_file_range_to, time, fd, place(1), static_cast<int>(a[2]), place(3),
              static_cast<std::uint64_t>(a[4]), came);
      return true;
    case SYS_splice:
      between(CallId::splice, CallId::splice_to, time, fd, place(1), static_cast<int>(a[2]), place(3), static_cast<std::uint64_t>(a[4]),
              came);
      return true;
    case SYS_sendfile:
      between(CallId::sendfile, CallId::sendfile_to, time, static_cast<int>(a[1]), place(2), fd, nullptr, static_cast<std::uint64_t>(a[3]),
              came);
      return true;
    default: return false;
  }
}

/// Calls on an open file.
bool on_open_file(long number, Span time, const Arguments& a, std::int64_t came) {
  const auto fd = static_cast<int>(a[0]);
  const auto plain = [&](CallId call) { on_file(call, time, fd, no_offset, no_bytes, came); };
  switch (number) {
    case SYS_fsync: plain(CallId::fsync); return true;
    case SYS_fdatasync: plain(CallId::fdatasync); return true;
    case SYS_syncfs: plain(CallId::syncfs); return true;
    case SYS_fstat: plain(CallId::fstat); return true;
    case SYS_fchmod: plain(CallId::chmod); return true;
    case SYS_fchown: plain(CallId::chown); return true;
    case SYS_fchdir:
      plain(CallId::chdir);
      if (came == 0) folder_changed();
      return true;
    case SYS_lseek: lseek_done(time, fd, a[1], came); return true;
    case SYS_ftruncate: on_file(CallId::ftruncate, time, fd, a[1], no_bytes, came); return true;
    case SYS_fallocate: on_file(CallId::fallocate, time, fd, a[2], static_cast<std::uint64_t>(a[3]), came); return true;
    case SYS_sync_file_range: on_file(CallId::sync_file_range, time, fd, a[1], static_cast<std::uint64_t>(a[2]), came); return true;
    case SYS_getdents:
    case SYS_getdents64: on_file(CallId::readdir, time, fd, no_offset, static_cast<std::uint64_t>(a[2]), came); return true;
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
      if (came >= 0) duplicated(fd, static_cast<int>(came));
      plain(CallId::dup);
      return true;
    default: return false;
  }
}

/// Calls on names.
bool on_a_name(long number, Span time, const Arguments& a, std::int64_t came) {
  const auto folder = static_cast<int>(a[0]);
  const auto text = [&](int i) { return reinterpret_cast<const char*>(a[i]); };
  const auto here = [&](CallId call) { on_path(call, time, AT_FDCWD, text(0), no_offset, came); };
  const auto below_folder = [&](CallId call) { on_path(call, time, folder, text(1), no_offset, came); };
  const auto became = [&](int at, const char* path, int flags) {
    opened_path(CallId::open, time, at, path, flags, static_cast<int>(came < 0 ? -1 : came), INT64_MAX);
  };
  switch (number) {
    case SYS_open: became(AT_FDCWD, text(0), static_cast<int>(a[1])); return true;
    case SYS_creat: became(AT_FDCWD, text(0), O_CREAT | O_WRONLY | O_TRUNC); return true;
    case SYS_openat: became(folder, text(1), static_cast<int>(a[2])); return true;
    case SYS_openat2: {
      std::uint64_t flags = 0;
      copy_safely(text(2), &flags, sizeof flags);
      became(folder, text(1), static_cast<int>(flags));
      return true;
    }
    case SYS_memfd_create:
      opened_below(CallId::memfd_create, time, "/memfd:", text(0), O_RDWR | O_CREAT | O_EXCL, static_cast<int>(came < 0 ? -1 : came));
      return true;
    case SYS_stat:
    case SYS_lstat: here(CallId::stat); return true;
    case SYS_statx:
    case SYS_newfstatat: on_path_or_file(CallId::stat, CallId::fstat, time, folder, text(1), came); return true;
    case SYS_access: here(CallId::access); return true;
    case SYS_faccessat:
    case SYS_faccessat2: below_folder(CallId::access); return true;
    case SYS_readlink: here(CallId::readlink); return true;
    case SYS_readlinkat: below_folder(CallId::readlink); return true;
    case SYS_truncate: on_path(CallId::truncate, time, AT_FDCWD, text(0), a[1], came); return true;
    case SYS_unlink: here(CallId::unlink); return true;
    case SYS_unlinkat: below_folder((a[2] & AT_REMOVEDIR) ? CallId::rmdir : CallId::unlink); return true;
    case SYS_mkdir: here(CallId::mkdir); return true;
    case SYS_mkdirat: below_folder(CallId::mkdir); return true;
    case SYS_rmdir: here(CallId::rmdir); return true;
    case SYS_chmod: here(CallId::chmod); return true;
    case SYS_rename: on_two_paths(CallId::rename, CallId::rename_to, time, AT_FDCWD, text(0), AT_FDCWD, text(1), came); return true;
    case SYS_renameat:
    case SYS_renameat2:
      on_two_paths(CallId::rename, CallId::rename_to, time, folder, text(1), static_cast<int>(a[2]), text(3), came);
      return true;
    case SYS_link: on_two_paths(CallId::link, CallId::link_to, time, AT_FDCWD, text(0), AT_FDCWD, text(1), came); return true;
    case SYS_chdir:
      here(CallId::chdir);
      if (came == 0) folder_changed();
      return true;
    default: return false;
  }
}

/// Libraries that watch memory (UCX) put themselves before mmap and go on to the system by number.
void mapped_by_number(Span time, const Arguments& a, std::int64_t came) {
  const auto fd = static_cast<int>(a[4]);
  if (fd < 0 || (a[3] & MAP_ANONYMOUS)) return;
  const Description* const file = description(fd);
  if (file && file->ignored) return;
  const bool works = came >= 0 || came < -4095;
  if (works && file) mapped(reinterpret_cast<const void*>(came), static_cast<std::size_t>(a[1]), file->object);
  put(CallId::mmap, time, file ? file->object : 0, a[5], static_cast<std::uint64_t>(a[1]), works ? 0 : came);
}

void other(long number, Span time, const Arguments& a, std::int64_t came) {
  switch (number) {
    case SYS_mmap: return mapped_by_number(time, a, came);
    case SYS_munmap:
      if (const std::uint32_t object = mapping(reinterpret_cast<const void*>(a[0]), true))
        put(CallId::munmap, time, object, no_offset, static_cast<std::uint64_t>(a[1]), came);
      return;
    case SYS_close_range:
      if (came == 0 && (a[2] & 4 /* CLOSE_RANGE_CLOEXEC */) == 0) closing_range(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]));
      return put(CallId::close_range, time, 0, no_offset, no_bytes, came);
    case SYS_fork:
    case SYS_clone3:
      if (came > 0) ++fork_epoch;
      return;
    case SYS_clone:
      if (came > 0 && (a[0] & CLONE_THREAD) == 0) ++fork_epoch;
      return;
    case SYS_io_uring_setup: {
      static const char words[] = "io_uring set up by system call: its reads and writes are not seen";
      forget(static_cast<int>(came));
      define(new_object(), DefinitionKind::note, 0, words, sizeof words - 1, Definition{});
      return put(CallId::syscall, time, 0, no_offset, static_cast<std::uint64_t>(number), came);
    }
    default: return;
  }
}

}  // namespace

FATHOM_WRAPPER(syscall, long, (long number, ...)) {
  Arguments a;
  va_list more;
  va_start(more, number);
  for (long& argument : a) argument = va_arg(more, long);
  va_end(more);
  const auto real = FATHOM_FIND(syscall, long, (long, ...));
  if (is_queue_call(number)) return queue_call(number, a, real);
  std::uint32_t object = UINT32_MAX;
  if (number == SYS_close) {
    description(static_cast<int>(a[0]));
    object = closing(static_cast<int>(a[0]));
  }
  if (number == SYS_exit_group && !self.in_vfork_child) drain_everything(true);
  if (number == SYS_execve || number == SYS_execveat) before_exec();
  const std::uint64_t start = ticks();
  const long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  const Span time{start, ticks()};
  const std::int64_t came = outcome(result);
  if (number == SYS_close) {
    if (object != UINT32_MAX) put(CallId::close, time, object, no_offset, no_bytes, came);
  } else if (!moved_data(number, time, a, came) && !on_open_file(number, time, a, came) && !on_a_name(number, time, a, came)) {
    other(number, time, a, came);
  }
  return result;
}

}  // namespace fathom::trace
