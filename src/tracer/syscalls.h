// SPDX-License-Identifier: Apache-2.0
/// The tracer's own system calls, made directly: they are never traced, leave errno alone, and are safe in any thread and signal handler.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#ifndef __x86_64__
#error "the tracer knows x86-64 only so far"
#endif

namespace fathom::trace::raw {

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

template <class T>
long number(T* pointer) {
  return reinterpret_cast<long>(pointer);
}

inline bool failed(long result) { return result < 0 && result > -4096; }

inline int open(const char* path, int flags, unsigned mode = 0) {
  return static_cast<int>(call(SYS_openat, AT_FDCWD, number(path), flags | O_CLOEXEC, mode));
}
inline int close(int fd) { return static_cast<int>(call(SYS_close, fd)); }
inline long write(int fd, const void* data, std::size_t bytes) { return call(SYS_write, fd, number(data), static_cast<long>(bytes)); }
inline long read(int fd, void* data, std::size_t bytes) { return call(SYS_read, fd, number(data), static_cast<long>(bytes)); }
inline long seek(int fd, long offset, int whence) { return call(SYS_lseek, fd, offset, whence); }
inline void* map(std::size_t bytes, int flags, int fd = -1, long offset = 0) {
  const long at = call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE, flags, fd, offset);
  return failed(at) ? nullptr : reinterpret_cast<void*>(at);
}
inline void unmap(void* at, std::size_t bytes) { call(SYS_munmap, number(at), static_cast<long>(bytes)); }
inline int make_directory(const char* path) { return static_cast<int>(call(SYS_mkdirat, AT_FDCWD, number(path), 0700)); }
inline int remove(const char* path) { return static_cast<int>(call(SYS_unlinkat, AT_FDCWD, number(path), 0)); }
inline int process_id() { return static_cast<int>(call(SYS_getpid)); }
inline int thread_id() { return static_cast<int>(call(SYS_gettid)); }
/// A file that grows beyond its limit (EFBIG) brings a signal that is not meant for the program. Signals must be held back.
inline void forget_size_signal() {
  const std::uint64_t size_signal = 1ull << (25 - 1);  // SIGXFSZ
  const long at_once[2] = {0, 0};
  call(SYS_rt_sigtimedwait, number(&size_signal), 0, number(&at_once[0]), sizeof size_signal);
}
inline long allocate(int fd, int mode, long offset, long bytes) {
  const long result = call(SYS_fallocate, fd, mode, offset, bytes);
  if (result == -27) forget_size_signal();
  return result;
}
inline long wait_while(const void* word, std::uint32_t value, const void* timeout) {
  return call(SYS_futex, number(word), 0, value, number(timeout));
}
inline void wake(const void* word, int waiters) { call(SYS_futex, number(word), 1, waiters); }

}  // namespace fathom::trace::raw
