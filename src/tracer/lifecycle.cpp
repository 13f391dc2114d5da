// SPDX-License-Identifier: Apache-2.0
/// How processes begin and end: fork and its relatives, exec, exit; and descriptors that are no files.
#include <cstdarg>

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tracer/aio.h"
#include "tracer/generate.h"

namespace fathom::trace {
namespace {

/// From now on open files are shared with another process.
void shared_with_child() { ++fork_epoch; }

}  // namespace

FATHOM_WRAPPER(fork, pid_t, ()) {
  const auto real = FATHOM_FIND(fork, pid_t, ());
  const pid_t result = real();
  if (result > 0) shared_with_child();
  return result;
}

FATHOM_WRAPPER(_Fork, pid_t, ()) {
  const auto real = FATHOM_FIND(_Fork, pid_t, ());
  if (!real) return not_there<pid_t>();
  const pid_t result = real();
  if (result > 0) shared_with_child();
  return result;
}

#ifndef FATHOM_STATIC
/// vfork's child runs on its parent's stack, so a C function cannot stand between them: its frame would be gone when the parent returns.
/// The child is told apart because it has a table of descriptors of its own, while it shares what the tracer knows of the parent's.
extern "C" __attribute__((used)) void fathom_in_vfork_child() { self.in_vfork_child = true; }
extern "C" __attribute__((used)) void fathom_after_vfork() {
  self.in_vfork_child = false;
  shared_with_child();
}
extern "C" __attribute__((used)) long fathom_vfork_failed(long code) {
  errno = static_cast<int>(-code);
  return -1;
}
__asm__(
    ".text\n"
    ".globl vfork\n"
    ".type vfork, @function\n"
    "vfork:\n"
    "  popq %rdi\n"          // the way back: the child's calls overwrite it on the shared stack
    "  movl $58, %eax\n"     // SYS_vfork
    "  syscall\n"
    "  pushq %rdi\n"
    "  testq %rax, %rax\n"
    "  js 2f\n"
    "  pushq %rax\n"
    "  jnz 1f\n"
    "  call fathom_in_vfork_child\n"
    "  popq %rax\n"
    "  ret\n"
    "1:\n"
    "  call fathom_after_vfork\n"
    "  popq %rax\n"
    "  ret\n"
    "2:\n"
    "  movq %rax, %rdi\n"
    "  subq $8, %rsp\n"
    "  call fathom_vfork_failed\n"
    "  addq $8, %rsp\n"
    "  ret\n"
    ".size vfork, .-vfork\n");
#endif

FATHOM_WRAPPER(posix_spawn, int, (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(posix_spawn, int, (pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*));
  shared_with_child();
  return real(child, path, actions, attributes, arguments, variables);
}

FATHOM_WRAPPER(posix_spawnp, int, (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes, char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(posix_spawnp, int, (pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*));
  shared_with_child();
  return real(child, path, actions, attributes, arguments, variables);
}

FATHOM_WRAPPER(system, int, (const char* line)) {
  const auto real = FATHOM_FIND(system, int, (const char*));
  shared_with_child();
  return real(line);
}

FATHOM_WRAPPER(popen, FILE*, (const char* line, const char* mode)) {
  const auto real = FATHOM_FIND(popen, FILE*, (const char*, const char*));
  shared_with_child();
  FILE* const result = real(line, mode);
  if (result) forget(fileno(result));
  return result;
}

FATHOM_WRAPPER(pclose, int, (FILE * stream)) {
  const auto real = FATHOM_FIND(pclose, int, (FILE*));
  if (stream) forget(fileno(stream));
  return real(stream);
}

FATHOM_WRAPPER(execve, int, (const char* path, char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(execve, int, (const char*, char* const*, char* const*));
  before_exec();
  return real(path, arguments, variables);
}

FATHOM_WRAPPER(execv, int, (const char* path, char* const* arguments)) {
  const auto real = FATHOM_FIND(execv, int, (const char*, char* const*));
  before_exec();
  return real(path, arguments);
}

FATHOM_WRAPPER(execvp, int, (const char* name, char* const* arguments)) {
  const auto real = FATHOM_FIND(execvp, int, (const char*, char* const*));
  before_exec();
  return real(name, arguments);
}

FATHOM_WRAPPER(execvpe, int, (const char* name, char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(execvpe, int, (const char*, char* const*, char* const*));
  before_exec();
  return real(name, arguments, variables);
}

FATHOM_WRAPPER(fexecve, int, (int fd, char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(fexecve, int, (int, char* const*, char* const*));
  before_exec();
  return real(fd, arguments, variables);
}

FATHOM_WRAPPER(execveat, int, (int folder, const char* path, char* const* arguments, char* const* variables, int flags)) {
  const auto real = FATHOM_FIND(execveat, int, (int, const char*, char* const*, char* const*, int));
  if (!real) return not_there<int>();
  before_exec();
  return real(folder, path, arguments, variables, flags);
}

FATHOM_WRAPPER(_exit, void, (int code)) {
  const auto real = FATHOM_FIND(_exit, void, (int));
  if (!self.in_vfork_child) drain_everything(true);
  real(code);
  __builtin_unreachable();
}

FATHOM_WRAPPER(_Exit, void, (int code)) {
  const auto real = FATHOM_FIND(_Exit, void, (int));
  if (!self.in_vfork_child) drain_everything(true);
  real(code);
  __builtin_unreachable();
}

/// What is known of a descriptor's number goes when something that is no file gets it.
#define FATHOM_FRESH(name, parameters, types, arguments) \
  FATHOM_WRAPPER(name, int, parameters) {                \
    const auto real = FATHOM_FIND(name, int, types);     \
    if (!real) return not_there<int>();                  \
    const int result = real arguments;                   \
    forget(result);                                      \
    return result;                                       \
  }
#define FATHOM_FRESH_PAIR(name, parameters, types, arguments, pair) \
  FATHOM_WRAPPER(name, int, parameters) {                           \
    const auto real = FATHOM_FIND(name, int, types);                \
    const int result = real arguments;                              \
    if (result == 0) {                                              \
      forget(pair[0]);                                              \
      forget(pair[1]);                                              \
    }                                                               \
    return result;                                                  \
  }

FATHOM_FRESH_PAIR(pipe, (int ends[2]), (int*), (ends), ends)
FATHOM_FRESH_PAIR(pipe2, (int ends[2], int flags), (int*, int), (ends, flags), ends)
FATHOM_FRESH_PAIR(socketpair, (int domain, int type, int protocol, int ends[2]), (int, int, int, int*), (domain, type, protocol, ends), ends)
FATHOM_FRESH(socket, (int domain, int type, int protocol), (int, int, int), (domain, type, protocol))
FATHOM_FRESH(accept, (int fd, struct sockaddr* address, socklen_t* length), (int, struct sockaddr*, socklen_t*), (fd, address, length))
FATHOM_FRESH(accept4, (int fd, struct sockaddr* address, socklen_t* length, int flags), (int, struct sockaddr*, socklen_t*, int), (fd, address, length, flags))
FATHOM_FRESH(epoll_create, (int size), (int), (size))
FATHOM_FRESH(epoll_create1, (int flags), (int), (flags))
FATHOM_FRESH(eventfd, (unsigned value, int flags), (unsigned, int), (value, flags))
FATHOM_FRESH(timerfd_create, (int clock, int flags), (int, int), (clock, flags))
FATHOM_FRESH(signalfd, (int fd, const sigset_t* signals, int flags), (int, const sigset_t*, int), (fd, signals, flags))
FATHOM_FRESH(inotify_init, (), (), ())
FATHOM_FRESH(inotify_init1, (int flags), (int), (flags))

namespace {

/// System calls that programs make by number, under the names of the functions they bypass.
void recorded_by_number(long number, Span time, const long (&a)[6], long result) {
  const std::int64_t came = result == -1 ? -errno : result;
  const auto fd = static_cast<int>(a[0]);
  const auto bytes = static_cast<std::uint64_t>(a[2]);
  const auto text = [&](int i) { return reinterpret_cast<const char*>(a[i]); };
  switch (number) {
    case SYS_read: return at_position(CallId::read, time, fd, bytes, came);
    case SYS_write: return at_position(CallId::write, time, fd, bytes, came);
    case SYS_pread64: return at_offset(CallId::pread, time, fd, bytes, a[3], came);
    case SYS_pwrite64: return at_offset(CallId::pwrite, time, fd, bytes, a[3], came);
    case SYS_open: return opened_path(CallId::open, time, AT_FDCWD, text(0), static_cast<int>(a[1]), static_cast<int>(result), INT64_MAX);
    case SYS_openat: return opened_path(CallId::open, time, fd, text(1), static_cast<int>(a[2]), static_cast<int>(result), INT64_MAX);
    case SYS_fsync: return on_file(CallId::fsync, time, fd, no_offset, no_bytes, came);
    case SYS_fdatasync: return on_file(CallId::fdatasync, time, fd, no_offset, no_bytes, came);
    case SYS_lseek: return lseek_done(time, fd, a[1], came);
    case SYS_getdents64: return on_file(CallId::readdir, time, fd, no_offset, bytes, came);
    case SYS_statx: return on_path_or_file(CallId::stat, CallId::fstat, time, fd, text(1), came);
    case SYS_unlinkat: return on_path(CallId::unlink, time, fd, text(1), no_offset, came);
    case SYS_renameat2:
      return on_two_paths(CallId::rename, CallId::rename_to, time, fd, text(1), static_cast<int>(a[2]), text(3), came);
    case SYS_copy_file_range:
      return between(CallId::copy_file_range, CallId::copy_file_range_to, time, fd, reinterpret_cast<const off_t*>(a[1]), static_cast<int>(a[2]),
                     reinterpret_cast<const off_t*>(a[3]), static_cast<std::uint64_t>(a[4]), came);
    case SYS_sendfile:
      return between(CallId::sendfile, CallId::sendfile_to, time, static_cast<int>(a[1]), reinterpret_cast<const off_t*>(a[2]), fd, nullptr,
                     static_cast<std::uint64_t>(a[3]), came);
    case SYS_memfd_create:
      return opened_path(CallId::memfd_create, time, AT_FDCWD, text(0), O_RDWR | O_CREAT | O_EXCL, static_cast<int>(result), 0);
    case SYS_io_uring_setup: {
      static const char words[] = "io_uring set up by system call: its reads and writes are not seen";
      define(new_object(), DefinitionKind::note, 0, words, sizeof words - 1, Definition{});
      return put(CallId::syscall, time, 0, no_offset, static_cast<std::uint64_t>(number), came);
    }
    default: return;
  }
}

}  // namespace

FATHOM_WRAPPER(syscall, long, (long number, ...)) {
  long a[6];
  va_list more;
  va_start(more, number);
  for (long& argument : a) argument = va_arg(more, long);
  va_end(more);
  const auto real = FATHOM_FIND(syscall, long, (long, ...));
  if (is_queue_call(number)) return queue_call(number, a, real);
  std::uint32_t object = UINT32_MAX;
  if (number == SYS_close) object = closing(static_cast<int>(a[0]));
  const std::uint64_t start = ticks();
  const long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  const Span time{start, ticks()};
  if (number == SYS_close && object != UINT32_MAX) put(CallId::close, time, object, no_offset, no_bytes, outcome(result));
  else recorded_by_number(number, time, a, result);
  return result;
}

}  // namespace fathom::trace
