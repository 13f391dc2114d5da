// SPDX-License-Identifier: Apache-2.0
/// Requests that a program has queued and the kernel works on: libaio, POSIX, io_uring.
#pragma once

#include "tracer/files.h"
#include "tracer/process.h"

namespace fathom::trace {

struct Queued {
  std::uint32_t object;
  CallId transfer;
  bool told;  // it is a read or a write, of a file that is wanted
  std::int64_t offset;
  std::uint64_t bytes;
};

inline Queued queued(const Description* file, bool writes, std::int64_t offset, std::uint64_t bytes) {
  return {file ? file->object : 0, writes ? CallId::aio_transfer_write : CallId::aio_transfer_read, !(file && file->ignored),
          file && file->append && writes ? no_offset : offset, bytes};
}

inline Queued no_transfer(CallId call) { return {0, call, false, no_offset, 0}; }

/// What the requests of one call have in common.
struct Batch {
  std::uint32_t object = 0;
  std::uint64_t bytes = 0;
  long count = 0;
  bool told = false;

  void add(const Queued& one) {
    ++count;
    if (!one.told) return;
    // A request for no file that is known takes nothing from what the others have in common.
    if (one.object != 0) object = !has_object_ || object == one.object ? one.object : 0;
    has_object_ = has_object_ || one.object != 0;
    bytes += one.bytes;
    told = true;
  }

 private:
  bool has_object_ = false;
};

/// libaio and liburing may use syscall(), and their own functions: what they do there is told already.
enum class QueueLibrary : std::uint8_t { libaio = 200, liburing = 201 };
inline bool inside(QueueLibrary library) { return self.layer == static_cast<std::uint8_t>(library); }
class InsideQueue {
 public:
  explicit InsideQueue(QueueLibrary library) : before_(self.layer) { self.layer = static_cast<std::uint8_t>(library); }
  ~InsideQueue() { self.layer = before_; }
  InsideQueue(const InsideQueue&) = delete;
  InsideQueue& operator=(const InsideQueue&) = delete;

 private:
  std::uint8_t before_;
};

}  // namespace fathom::trace
