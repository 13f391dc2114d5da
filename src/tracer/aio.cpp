// SPDX-License-Identifier: Apache-2.0
/// Asynchronous input and output: queuing is one call, and the bytes are told inside the call by which the program learns that they moved.
#include "tracer/aio.h"

#include <aio.h>
#include <linux/aio_abi.h>

#include "trace_format/aio_symbols.h"
#include "tracer/generate.h"
#include "tracer/pending.h"
#include "tracer/queued.h"

#pragma GCC diagnostic ignored "-Wattribute-alias"
#pragma GCC diagnostic ignored "-Wmissing-attributes"

namespace fathom::trace {
namespace {

constinit Pending<Queued, 32768> queue;

std::uint64_t key_of(const void* block) { return reinterpret_cast<std::uint64_t>(block); }

Queued queued(const struct iocb& block) {
  const Description* const file = description(static_cast<int>(block.aio_fildes));
  const auto* const pieces = reinterpret_cast<const struct iovec*>(block.aio_buf);
  switch (block.aio_lio_opcode) {
    case IOCB_CMD_PREAD: return queued(file, false, block.aio_offset, block.aio_nbytes);
    case IOCB_CMD_PWRITE: return queued(file, true, block.aio_offset, block.aio_nbytes);
    case IOCB_CMD_PREADV: return queued(file, false, block.aio_offset, total(pieces, static_cast<int>(block.aio_nbytes), -1));
    case IOCB_CMD_PWRITEV: return queued(file, true, block.aio_offset, total(pieces, static_cast<int>(block.aio_nbytes), -1));
    default: return no_transfer(CallId::io_submit);
  }
}

constexpr long most_of_one_call = 65536;

/// libaio's functions return the error's number below zero; system calls by number return -1.
template <class Submit>
long submit(long count, struct iocb* const* blocks, bool by_number, Submit&& real) {
  Batch batch;
  // Before the call: another thread may learn of a completion before it returns.
  for (long i = 0; i < count && i < most_of_one_call && blocks; ++i) {
    const Queued one = queued(*blocks[i]);
    batch.add(one);
    queue.add(key_of(blocks[i]), one);
  }
  const std::uint64_t start = ticks();
  const long result = real();
  const Span time{start, ticks()};
  const int kept = errno;
  Queued refused;
  for (long i = result > 0 ? result : 0; i < batch.count; ++i) queue.take(key_of(blocks[i]), refused);
  if (batch.told || result < 0)
    put(CallId::io_submit, time, batch.object, no_offset, batch.bytes, by_number && result == -1 ? -kept : result);
  errno = kept;
  return result;
}

/// The transfers share the time of the call that told of them.
void tell_completed(CallId call, Span time, const struct io_event* events, long count, std::int64_t result) {
  std::uint32_t object = 0;
  bool told = count <= 0;
  const std::uint64_t share = count > 0 ? (time.end - time.start) / static_cast<std::uint64_t>(count) : 0;
  for (long i = 0; i < count; ++i) {
    Queued one;
    if (!queue.take(events[i].obj, one) || !one.told) continue;
    const std::uint64_t from = time.start + share * static_cast<std::uint64_t>(i);
    put(one.transfer, {from, from + share}, one.object, one.offset, one.bytes, static_cast<std::int64_t>(events[i].res), 0, 1);
    object = !told || object == one.object ? one.object : 0;
    told = true;
  }
  if (told) put(call, time, object, no_offset, no_bytes, result);
}

template <class Wait>
long get_events(const struct io_event* events, bool by_number, Wait&& real) {
  const std::uint64_t start = ticks();
  const long result = real();
  const Span time{start, ticks()};
  const int kept = errno;
  // Asking without waiting and getting nothing is what polling programs do all the time.
  if (result != 0) tell_completed(CallId::io_getevents, time, events, result, by_number && result == -1 ? -kept : result);
  errno = kept;
  return result;
}

int queue_one(CallId call, struct aiocb* block, bool writes, int (*real)(struct aiocb*)) {
  Queued one{};
  if (block) {
    one = queued(description(block->aio_fildes), writes, block->aio_offset, block->aio_nbytes);
    Queued stale;
    queue.take(key_of(block), stale);
    queue.add(key_of(block), one);
  }
  const std::uint64_t start = ticks();
  const int result = real(block);
  const Span time{start, ticks()};
  const int kept = errno;
  Queued refused;
  if (result != 0) queue.take(key_of(block), refused);
  if (one.told) put(call, time, one.object, one.offset, one.bytes, outcome(result));
  errno = kept;
  return result;
}

}  // namespace

FATHOM_WRAPPER(aio_read, int, (struct aiocb * block)) {
  return queue_one(CallId::aio_read, block, false, FATHOM_FIND(aio_read, int, (struct aiocb*)));
}
FATHOM_WRAPPER(aio_write, int, (struct aiocb * block)) {
  return queue_one(CallId::aio_write, block, true, FATHOM_FIND(aio_write, int, (struct aiocb*)));
}

FATHOM_WRAPPER(aio_fsync, int, (int operation, struct aiocb* block)) {
  const auto real = FATHOM_FIND(aio_fsync, int, (int, struct aiocb*));
  const std::uint64_t start = ticks();
  const int result = real(operation, block);
  const Span time{start, ticks()};
  if (block) on_file(CallId::aio_fsync, time, block->aio_fildes, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(aio_return, ssize_t, (struct aiocb * block)) {
  const auto real = FATHOM_FIND(aio_return, ssize_t, (struct aiocb*));
  Queued one{};
  const bool known = queue.take(key_of(block), one);
  const std::uint64_t start = ticks();
  const ssize_t result = real(block);
  const Span time{start, ticks()};
  const int kept = errno;
  if (known && one.told) {
    put(one.transfer, time, one.object, one.offset, one.bytes, outcome(result), 0, 1);
    put(CallId::aio_return, time, one.object, no_offset, no_bytes, outcome(result));
  }
  errno = kept;
  return result;
}

FATHOM_WRAPPER(aio_suspend, int, (const struct aiocb* const* blocks, int count, const struct timespec* patience)) {
  const auto real = FATHOM_FIND(aio_suspend, int, (const struct aiocb* const*, int, const struct timespec*));
  const std::uint64_t start = ticks();
  const int result = real(blocks, count, patience);
  const Span time{start, ticks()};
  const int fd = count > 0 && blocks && blocks[0] ? blocks[0]->aio_fildes : -1;
  if (fd >= 0) on_file(CallId::aio_suspend, time, fd, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(aio_cancel, int, (int fd, struct aiocb* block)) {
  const auto real = FATHOM_FIND(aio_cancel, int, (int, struct aiocb*));
  const std::uint64_t start = ticks();
  const int result = real(fd, block);
  on_file(CallId::aio_cancel, {start, ticks()}, fd, no_offset, no_bytes, outcome(result));
  return result;
}

FATHOM_WRAPPER(lio_listio, int, (int mode, struct aiocb* const* blocks, int count, struct sigevent* event)) {
  const auto real = FATHOM_FIND(lio_listio, int, (int, struct aiocb* const*, int, struct sigevent*));
  Batch batch;
  for (int i = 0; i < count && blocks; ++i) {
    if (!blocks[i] || blocks[i]->aio_lio_opcode == LIO_NOP) continue;
    const Queued one =
        queued(description(blocks[i]->aio_fildes), blocks[i]->aio_lio_opcode == LIO_WRITE, blocks[i]->aio_offset, blocks[i]->aio_nbytes);
    Queued stale;
    queue.take(key_of(blocks[i]), stale);
    queue.add(key_of(blocks[i]), one);
    batch.add(one);
  }
  const std::uint64_t start = ticks();
  const int result = real(mode, blocks, count, event);
  const Span time{start, ticks()};
  const int kept = errno;
  if (batch.told) put(CallId::lio_listio, time, batch.object, no_offset, batch.bytes, outcome(result));
  errno = kept;
  return result;
}

FATHOM_WRAPPER(io_submit, int, (void* context, long count, struct iocb** blocks)) {
  const auto real = FATHOM_FIND(io_submit, int, (void*, long, struct iocb**));
  if (!real) return -ENOSYS;
  const InsideQueue library(QueueLibrary::libaio);
  return static_cast<int>(submit(count, blocks, false, [&] { return static_cast<long>(real(context, count, blocks)); }));
}

FATHOM_WRAPPER(io_getevents, int, (void* context, long least, long most, struct io_event* events, struct timespec* patience)) {
  const auto real = FATHOM_FIND(io_getevents, int, (void*, long, long, struct io_event*, struct timespec*));
  if (!real) return -ENOSYS;
  const InsideQueue library(QueueLibrary::libaio);
  return static_cast<int>(get_events(events, false, [&] { return static_cast<long>(real(context, least, most, events, patience)); }));
}

FATHOM_WRAPPER(io_pgetevents, int,
               (void* context, long least, long most, struct io_event* events, struct timespec* patience, void* signals)) {
  const auto real = FATHOM_FIND(io_pgetevents, int, (void*, long, long, struct io_event*, struct timespec*, void*));
  if (!real) return -ENOSYS;
  const InsideQueue library(QueueLibrary::libaio);
  return static_cast<int>(
      get_events(events, false, [&] { return static_cast<long>(real(context, least, most, events, patience, signals)); }));
}

bool is_queue_call(long number) { return number == SYS_io_submit || number == SYS_io_getevents || number == SYS_io_pgetevents; }

long queue_call(long number, const long (&a)[6], long (*real)(long, ...)) {
  const auto call = [&] { return real(number, a[0], a[1], a[2], a[3], a[4], a[5]); };
  if (inside(QueueLibrary::libaio)) return call();
  if (number == SYS_io_submit) return submit(a[1], reinterpret_cast<struct iocb* const*>(a[2]), true, call);
  return get_events(reinterpret_cast<const struct io_event*>(a[3]), true, call);
}

FATHOM_AIO_SYMBOLS(FATHOM_GENERATE, FATHOM_ALIAS, FATHOM_BY_HAND)
FATHOM_LIBAIO_SYMBOLS(FATHOM_GENERATE, FATHOM_ALIAS, FATHOM_BY_HAND)

}  // namespace fathom::trace
