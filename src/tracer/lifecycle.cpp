// SPDX-License-Identifier: Apache-2.0
/// How processes begin and end: fork and its relatives, exec, exit; and descriptors that are no files.
#define FATHOM_IN_C_LIBRARY
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdarg>

#include "tracer/generate.h"

namespace fathom::trace {
namespace {

/// From now on open files are shared with another process.
void shared_with_child() { ++fork_epoch; }

constexpr int most_words = 1024;

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
    "  popq %rdi\n"       // the way back: the child's calls overwrite it on the shared stack
    "  movl $58, %eax\n"  // SYS_vfork
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

FATHOM_WRAPPER(posix_spawn, int,
               (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(
      posix_spawn, int, (pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*));
  shared_with_child();
  return real(child, path, actions, attributes, arguments, variables);
}

FATHOM_WRAPPER(posix_spawnp, int,
               (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                char* const* arguments, char* const* variables)) {
  const auto real = FATHOM_FIND(
      posix_spawnp, int, (pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*, char* const*));
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

/// The words of execl and its like, up to the null; the variables behind it for execle.
#define FATHOM_EXEC_LIST(name, through, has_variables)                                                                                    \
  static int (*fathom_exec_##name)(const char*, char* const*, char* const*) = nullptr;                                                    \
  FATHOM_EARLY(fathom_exec_##name, #through);                                                                                             \
  FATHOM_WRAPPER(name, int, (const char* path, const char* word, ...)) {                                                                  \
    const auto real = fathom_exec_##name ? fathom_exec_##name                                                                             \
                                         : (fathom_exec_##name =                                                                          \
                                                reinterpret_cast<int (*)(const char*, char* const*, char* const*)>(find_real(#through))); \
    char* words[most_words];                                                                                                              \
    int count = 0;                                                                                                                        \
    va_list list;                                                                                                                         \
    va_start(list, word);                                                                                                                 \
    for (const char* each = word; each && count < most_words - 1; each = va_arg(list, const char*))                                       \
      words[count++] = const_cast<char*>(each);                                                                                           \
    words[count] = nullptr;                                                                                                               \
    char* const* const variables = has_variables ? va_arg(list, char* const*) : nullptr;                                                  \
    va_end(list);                                                                                                                         \
    before_exec();                                                                                                                        \
    return real(path, words, variables ? variables : environ);                                                                            \
  }
FATHOM_EXEC_LIST(execl, execve, false)
FATHOM_EXEC_LIST(execlp, execvpe, false)
FATHOM_EXEC_LIST(execle, execve, true)

/// A child that begins in a function of the program's; threads of the C library do not come this way.
FATHOM_WRAPPER(clone, int, (int (*run)(void*), void* stack, int flags, void* argument, ...)) {
  long more[3];
  va_list list;
  va_start(list, argument);
  for (long& each : more) each = va_arg(list, long);
  va_end(list);
  const auto real = FATHOM_FIND(clone, int, (int (*)(void*), void*, int, void*, ...));
  const int result = real(run, stack, flags, argument, more[0], more[1], more[2]);
  if (result > 0) shared_with_child();
  return result;
}

/// Goes on in a child, in another folder and with other descriptors.
FATHOM_WRAPPER(daemon, int, (int stay, int keep)) {
  const auto real = FATHOM_FIND(daemon, int, (int, int));
  const int result = real(stay, keep);
  if (result != 0) return result;
  if (!stay) folder_changed();
  for (int fd = 0; !keep && fd < 3; ++fd) forget(fd);
  return result;
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
FATHOM_FRESH_PAIR(socketpair, (int domain, int type, int protocol, int ends[2]), (int, int, int, int*), (domain, type, protocol, ends),
                  ends)
FATHOM_FRESH(socket, (int domain, int type, int protocol), (int, int, int), (domain, type, protocol))
FATHOM_FRESH(accept, (int fd, struct sockaddr* address, socklen_t* length), (int, struct sockaddr*, socklen_t*), (fd, address, length))
FATHOM_FRESH(accept4, (int fd, struct sockaddr* address, socklen_t* length, int flags), (int, struct sockaddr*, socklen_t*, int),
             (fd, address, length, flags))
FATHOM_FRESH(epoll_create, (int size), (int), (size))
FATHOM_FRESH(epoll_create1, (int flags), (int), (flags))
FATHOM_FRESH(eventfd, (unsigned value, int flags), (unsigned, int), (value, flags))
FATHOM_FRESH(timerfd_create, (int clock, int flags), (int, int), (clock, flags))
FATHOM_FRESH(signalfd, (int fd, const sigset_t* signals, int flags), (int, const sigset_t*, int), (fd, signals, flags))
FATHOM_FRESH(inotify_init, (), (), ())
FATHOM_FRESH(inotify_init1, (int flags), (int), (flags))

}  // namespace fathom::trace
