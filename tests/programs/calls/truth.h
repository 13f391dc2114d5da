/* SPDX-License-Identifier: Apache-2.0 */
/* What a test program did, line by line into the file named by TRUTH: thread, process, call, file, offset, bytes, result, errno afterwards.
 * Written with system calls of its own, which no wrapper sees; opened and closed each time, so that descriptors stay what they were. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NONE (-999999999L)

static inline long bare(long number, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return result;
}

static long told_as_thread, told_as_process; /* a vfork child's calls are its parent's */

static inline void tell(const char* line, long length) {
  const char* const path = getenv("TRUTH");
  const long fd = bare(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (bare(SYS_write, fd, (long)line, length, 0) != length) bare(SYS_exit_group, 99, 0, 0, 0);
  bare(SYS_close, fd, 0, 0, 0);
}

static inline char* put_number(char* at, long value) {
  char digits[24];
  int n = 0;
  *at++ = '\t';
  if (value == NONE) {
    *at++ = '-';
    return at;
  }
  if (value < 0) *at++ = '-';
  unsigned long left = value < 0 ? 0ul - (unsigned long)value : (unsigned long)value;
  do digits[n++] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  while (n > 0) *at++ = digits[--n];
  return at;
}

static inline void told(const char* call, const char* file, long offset, long bytes, long result, long error) {
  const int kept = errno;
  char line[1024], *at = line;
  at = put_number(at, told_as_thread ? told_as_thread : bare(SYS_gettid, 0, 0, 0, 0));
  at = put_number(at, told_as_process ? told_as_process : bare(SYS_getpid, 0, 0, 0, 0));
  *at++ = '\t';
  while (*call) *at++ = *call++;
  *at++ = '\t';
  while (file && *file) *at++ = *file++;
  at = put_number(at, offset);
  at = put_number(at, bytes);
  at = put_number(at, result);
  at = put_number(at, error);
  *at++ = '\n';
  tell(line, at - line);
  errno = kept;
}

/* Makes the call, tells it, gives its result. errno is set to a strange value before: it must not change without reason. */
#define DID(call, file, offset, bytes, expression)                              \
  ({                                                                            \
    errno = 7777;                                                               \
    const long result_ = (long)(expression);                                    \
    const int error_ = errno;                                                   \
    told(call, file, offset, bytes, result_ == -1 ? -error_ : result_, error_); \
    errno = error_;                                                             \
    result_;                                                                    \
  })
/* The same for functions that give the error's number. */
#define DID_ERROR(call, file, offset, bytes, expression) \
  ({                                                     \
    errno = 7777;                                        \
    const long result_ = (long)(expression);             \
    told(call, file, offset, bytes, -result_, errno);    \
    result_;                                             \
  })
/* For functions that give a pointer: `good` is what is told if it is one. */
#define DID_POINTER(call, file, good, expression)                           \
  ({                                                                        \
    errno = 7777;                                                           \
    __typeof__(expression) const result_ = (expression);                    \
    const int error_ = errno;                                               \
    told(call, file, NONE, NONE, result_ ? (long)(good) : -error_, error_); \
    result_;                                                                \
  })
/* Calls with two files: the one that ends up with the data is told first. */
#define DID_TWO(call, file, offset, to, offset_to, bytes, expression)                  \
  ({                                                                                   \
    errno = 7777;                                                                      \
    const long result_ = (long)(expression);                                           \
    const int error_ = errno;                                                          \
    told(call ".to", to, offset_to, bytes, result_ == -1 ? -error_ : result_, error_); \
    told(call, file, offset, bytes, result_ == -1 ? -error_ : result_, error_);        \
    result_;                                                                           \
  })
