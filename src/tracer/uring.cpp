// SPDX-License-Identifier: Apache-2.0
/// liburing: what is in the submission ring when the program submits, and what has come into the completion ring whenever it calls the
/// library. Programs take completions out of the ring without a call; they are found there afterwards, because the kernel does not
/// write over them before something new was submitted.
#include <linux/io_uring.h>

#include <cerrno>

#include "trace_format/uring_symbols.h"
#include "tracer/pending.h"
#include "tracer/queued.h"
#include "tracer/real.h"
#include "tracer/shapes.h"

namespace fathom::trace {
namespace {

/// liburing's struct io_uring, the same from 2.0 on as far as it is used here.
struct Ring {
  struct {
    unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
    char* entry;
    unsigned first, next;  // filled in by the program, not yet submitted
    std::size_t bytes;
    void* memory;
    unsigned pad[4];
  } submissions;
  struct {
    unsigned *head, *tail, *mask, *entries, *flags, *overflow;
    char* entry;
    std::size_t bytes;
    void* memory;
    unsigned pad[4];
  } completions;
  unsigned flags;
};

using Real = long (*)(long, long, long, long, long, long);
using Arguments = long[6];

constinit Pending<Queued, 16384> queue;

struct Seen {
  unsigned until;  // completions before this one are told
};
constinit Pending<Seen, 1024> rings;

/// The program chooses what identifies a request; it need not be unique, and then one of the same name is taken.
std::uint64_t key_of(const Ring* ring, std::uint64_t user_data) {
  return (reinterpret_cast<std::uint64_t>(ring) * 0x9e3779b97f4a7c15u ^ user_data * 0xff51afd7ed558ccdu) | 16;
}

Queued queued(const struct io_uring_sqe& entry) {
  const bool vectored = entry.opcode == IORING_OP_READV || entry.opcode == IORING_OP_WRITEV;
  const bool writes = entry.opcode == IORING_OP_WRITEV || entry.opcode == IORING_OP_WRITE || entry.opcode == IORING_OP_WRITE_FIXED;
  const bool reads = entry.opcode == IORING_OP_READV || entry.opcode == IORING_OP_READ || entry.opcode == IORING_OP_READ_FIXED;
  if (!reads && !writes) return no_transfer(CallId::uring_submit);
  // A registered file is known by a number of its own, not by a descriptor.
  const Description* const file = (entry.flags & IOSQE_FIXED_FILE) ? nullptr : description(entry.fd);
  const auto* const pieces = reinterpret_cast<const struct iovec*>(entry.addr);
  return queued(file, writes, entry.off == UINT64_MAX ? no_offset : static_cast<std::int64_t>(entry.off),
                vectored ? total(pieces, static_cast<int>(entry.len), -1) : entry.len);
}

/// What is about to be submitted.
Batch remember_submissions(const Ring& ring) {
  Batch batch;
  const unsigned shift = (ring.flags & IORING_SETUP_SQE128) ? 7 : 6;
  for (unsigned i = ring.submissions.first; i != ring.submissions.next; ++i) {
    const std::size_t at = static_cast<std::size_t>(i & *ring.submissions.mask) << shift;
    const auto& entry = *reinterpret_cast<const struct io_uring_sqe*>(ring.submissions.entry + at);
    const Queued one = queued(entry);
    batch.add(one);
    if (one.told) queue.add(key_of(&ring, entry.user_data), one);
  }
  return batch;
}

/// Tells what has come into the completion ring since it was last looked at; how many transfers that were.
unsigned tell_completions(const Ring& ring, Seen& seen, Span time, std::uint32_t& object) {
  const unsigned tail = __atomic_load_n(ring.completions.tail, __ATOMIC_ACQUIRE), mask = *ring.completions.mask;
  const unsigned shift = (ring.flags & IORING_SETUP_CQE32) ? 5 : 4;
  unsigned from = __atomic_exchange_n(&seen.until, tail, __ATOMIC_ACQ_REL), told = 0;
  if (tail - from > mask + 1) from = tail - (mask + 1);
  const std::uint64_t share = tail != from ? (time.end - time.start) / (tail - from) : 0;
  for (unsigned i = from; i != tail; ++i) {
    const std::size_t at = static_cast<std::size_t>(i & mask) << shift;
    const auto& entry = *reinterpret_cast<const struct io_uring_cqe*>(ring.completions.entry + at);
    Queued one;
    if (!queue.take(key_of(&ring, entry.user_data), one)) continue;
    const std::uint64_t start = time.start + share * (i - from);
    put(one.transfer, {start, start + share}, one.object, one.offset, one.bytes, entry.res, 0, 1);
    object = told++ == 0 || object == one.object ? one.object : 0;
  }
  return told;
}

Seen* seen_of(const Ring* ring) {
  const auto key = reinterpret_cast<std::uint64_t>(ring);
  if (!rings.find(key)) rings.add(key, {*ring->completions.head});
  return rings.find(key);
}

long on_ring(CallId call, bool ends, Real real, const Arguments& a) {
  if (!real) return -ENOSYS;
  const auto* const ring = reinterpret_cast<const Ring*>(a[0]);
  const auto forward = [&] { return real(a[0], a[1], a[2], a[3], a[4], a[5]); };
  if (inside(QueueLibrary::liburing) || !ring || !ready()) return forward();
  Seen* const seen = seen_of(ring);
  if (!seen) return forward();
  std::uint32_t object = 0;
  const std::uint64_t start = ticks();
  // Before the ring goes away: what the program took out of it without a call.
  unsigned told = ends ? tell_completions(*ring, *seen, {start, start}, object) : 0;
  const Batch batch = call == CallId::uring_submit ? remember_submissions(*ring) : Batch{};
  long result;
  Span time;
  {
    const InsideQueue library(QueueLibrary::liburing);
    time.start = ends ? start : ticks();
    result = forward();
    time.end = ticks();
  }
  const int kept = errno;
  if (!ends) told = tell_completions(*ring, *seen, time, object);
  if (batch.told)
    put(call, time, batch.object, no_offset, batch.bytes, static_cast<int>(result));
  else if (told > 0)
    put(call, time, object, no_offset, no_bytes, ends ? 0 : static_cast<int>(result));
  Seen gone;
  if (ends) rings.take(reinterpret_cast<std::uint64_t>(ring), gone);
  errno = kept;
  return result;
}

}  // namespace

#define FATHOM_URING_WRAPPER(name, call)                                                        \
  FATHOM_WRAPPER(name, long, (long a0, long a1, long a2, long a3, long a4, long a5)) {          \
    const Real real = FATHOM_FIND(name, long, (long, long, long, long, long, long));            \
    const Arguments a = {a0, a1, a2, a3, a4, a5};                                               \
    return on_ring(CallId::call, __builtin_strcmp(#name, "io_uring_queue_exit") == 0, real, a); \
  }

FATHOM_URING_SYMBOLS(FATHOM_URING_WRAPPER)

}  // namespace fathom::trace
