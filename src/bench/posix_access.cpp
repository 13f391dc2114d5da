// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "bench/file_access.h"

namespace fathom {
namespace {

int descriptor(void* handle) { return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)); }

/// A call that a signal broke off before anything was done did nothing: it is not a request.
template <class Call>
auto despite_signals(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

int open_file(void*, const char* path, int mode, void** handle) {
  int flags = O_CLOEXEC | O_NOFOLLOW;
  switch (mode) {
    case fathom_create_shared: flags |= O_WRONLY | O_CREAT; break;
    case fathom_create_own: flags |= O_WRONLY | O_CREAT | O_EXCL; break;
    default: flags |= O_RDONLY;
  }
  const int file = despite_signals([&] { return ::open(path, flags, 0666); });
  if (file < 0) return errno;
  *handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(file));
  return 0;
}

int finished(ssize_t moved, uint64_t* done) {
  if (moved < 0) return errno;
  *done = static_cast<uint64_t>(moved);
  return 0;
}

int write_at(void*, void* handle, uint64_t offset, const void* buffer, uint64_t count, uint64_t* done) {
  return finished(despite_signals([&] { return ::pwrite(descriptor(handle), buffer, count, static_cast<off_t>(offset)); }), done);
}

int read_at(void*, void* handle, uint64_t offset, void* buffer, uint64_t count, uint64_t* done) {
  return finished(despite_signals([&] { return ::pread(descriptor(handle), buffer, count, static_cast<off_t>(offset)); }), done);
}

int sync_file(void*, void* handle) {
  return despite_signals([&] { return ::fsync(descriptor(handle)); }) < 0 ? errno : 0;
}

/// Not repeated: on Linux the descriptor is gone even when close() was broken off.
int close_file(void*, void* handle) { return ::close(descriptor(handle)) < 0 && errno != EINTR ? errno : 0; }

void explain(void*, int code, char* text, size_t size) {
  if (size == 0) return;
  const std::string words = std::generic_category().message(code);
  text[words.copy(text, size - 1)] = '\0';
}

}  // namespace

const FathomFileAccess posix_access{.context = nullptr,
                                    .collective = 0,
                                    .open = open_file,
                                    .write_at = write_at,
                                    .read_at = read_at,
                                    .sync = sync_file,
                                    .close = close_file,
                                    .explain = explain};

}  // namespace fathom
