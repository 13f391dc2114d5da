// SPDX-License-Identifier: Apache-2.0
/// How the benchmark reaches its files and its other tasks: tables of C functions, so that MPI-IO can come from a library opened at run
/// time.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

enum FathomOpenMode {
  fathom_create_shared = 0,  // for writing; every task opens the same file, the first one makes it
  fathom_create_own = 1,     // for writing; one task alone, the file must not exist
  fathom_read_shared = 2,
  fathom_read_own = 3,
};

/// Every function returns 0, or a code of its own that `explain` puts into words.
struct FathomFileAccess {
  void* context;  // handed to every function
  /// Not 0: calls on shared files wait for all tasks. A task whose call failed goes on with the calls of its phase, one for each request,
  /// so that no other task waits for it; its failure is told at the end of the phase.
  int collective;
  int (*open)(void* context, const char* path, int mode, void** handle);
  /// Moves `count` bytes or fewer; `done` is how many, 0 from read_at means the end of the file. Each call is one request of the truth.
  int (*write_at)(void* context, void* handle, uint64_t offset, const void* buffer, uint64_t count, uint64_t* done);
  int (*read_at)(void* context, void* handle, uint64_t offset, void* buffer, uint64_t count, uint64_t* done);
  int (*sync)(void* context, void* handle);
  int (*close)(void* context, void* handle);  // the handle is gone, even on failure
  void (*explain)(void* context, int code, char* text, size_t size);
};

/// The tasks of one run, seen by one of them.
struct FathomTaskGroup {
  void* context;
  uint64_t rank;
  uint64_t tasks;
  /// A barrier: waits for all tasks and tells each the same, whether any of them came with `failed` not 0.
  int (*any_failed)(void* context, int failed);
  /// Brings the bytes of every task to where the run is put together, which calls `take` once per task, in order of ranks. Returns 0 or a
  /// code.
  int (*gather)(void* context, const void* data, uint64_t bytes, void (*take)(void* to, uint64_t rank, const void* data, uint64_t bytes),
                void* to);
};
}

namespace fathom {

/// Plain files: open, pwrite, pread, fsync, close. Codes are those of errno.
extern const FathomFileAccess posix_access;

}  // namespace fathom
