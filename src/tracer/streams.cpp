// SPDX-License-Identifier: Apache-2.0
#include "tracer/streams.h"

#include <cerrno>

#include "tracer/syscalls.h"

extern "C" char __libc_single_threaded __attribute__((weak));  // since glibc 2.32

namespace fathom::trace {
namespace {

// Of the flags in FILE, which programs have compiled in and so cannot change.
constexpr int unread_put_aside = 0x100;
constexpr int putting = 0x800;

constexpr std::int64_t no_mark = INT64_MIN;

/// With one thread the buffer's pointers can be believed; with several they move between two looks, and calls are counted instead.
bool one_thread() {
  static bool several = false;
  if (several) return false;
  if (&__libc_single_threaded && __libc_single_threaded) return true;
  several = true;
  return false;
}

/// How far the stream is ahead of its descriptor; behind if below 0. The descriptor stands where the read buffer ends, in both directions.
std::int64_t ahead_of(const FILE* stream) {
  if (stream->_mode > 0) return 0;  // wide characters: another buffer
  if (stream->_flags & putting) return stream->_IO_write_ptr - stream->_IO_read_end;
  const std::int64_t aside = stream->_flags & unread_put_aside ? stream->_IO_save_end - stream->_IO_save_base : 0;
  return stream->_IO_read_ptr - stream->_IO_read_end - aside;
}

bool must_ask(const Description& file) { return file.epoch != fork_epoch || file.stream_unsure || file.append; }

std::int64_t asked_place(const Description& file, const FILE* stream) {
  std::int64_t now = raw::seek(stream->_fileno, 0, SEEK_CUR);
  if (now < 0) return no_offset;
  // What is still in the buffer goes to the end of the file, wherever the descriptor stands.
  if (file.append && (stream->_flags & putting) && now < file.size) now = file.size;
  return now + ahead_of(stream);
}

void first_use(Description& file, FILE* stream) {
  file.stream_unsure = file.stream != nullptr || file.epoch != fork_epoch;
  file.stream_position.store(file.position.load());
  file.mark = file.stream ? ahead_of(stream) : 0;
  file.stream = stream;
}

std::int64_t moved_in_buffer(Description& file, std::int64_t ahead) {
  std::int64_t moved = file.characters.exchange(0, std::memory_order_relaxed);
  if (file.mark != no_mark) moved += ahead - file.mark;
  file.mark = one_thread() ? ahead : no_mark;
  return moved;
}

}  // namespace

Place before_call(FILE* stream) {
  Place place;
  place.stream = stream;
  if (!stream || stream->_fileno < 0) return place;
  Description* const file = description(stream->_fileno);
  if (!file || file->ignored) return place;
  place.file = file;
  if (file->stream != stream) first_use(*file, stream);
  const std::int64_t moved = moved_in_buffer(*file, ahead_of(stream));
  if (file->seekable) {
    place.at = must_ask(*file) ? asked_place(*file, stream) : file->stream_position.load(std::memory_order_relaxed) + moved;
    file->stream_position.store(place.at, std::memory_order_relaxed);
    file->stream_unsure = false;
  }
  if (moved > 0) {
    const std::uint64_t now = ticks();
    put(stream->_flags & putting ? CallId::fwrite : CallId::fread, {now, now}, file->object, file->seekable ? place.at - moved : no_offset,
        static_cast<std::uint64_t>(moved), moved);
  }
  return place;
}

void after_call(const Place& place) {
  if (place.file->mark != no_mark) place.file->mark = ahead_of(place.stream);
}

void streamed(CallId call, Span time, const Place& place, std::uint64_t bytes, std::int64_t result) {
  Description* const file = place.file;
  if (!file) return;
  const std::int64_t moved = result > 0 ? result : 0;
  if (moved == 0 && bytes > 0 && result == 0 && ferror_unlocked(place.stream)) result = -errno;
  std::int64_t at = place.at;
  if (file->seekable) {
    // Several threads: each takes the next bytes.
    if (file->mark == no_mark)
      at = file->stream_position.fetch_add(moved, std::memory_order_relaxed);
    else
      file->stream_position.store(at + moved, std::memory_order_relaxed);
    if (file->append && call != CallId::fread && call != CallId::fscanf && at < file->size) at = file->size;
  }
  put(call, time, file->object, at, bytes, result);
  after_call(place);
}

void scanned(CallId call, Span time, const Place& place) {
  if (!place.file) return;
  const std::int64_t now = place.file->seekable ? asked_place(*place.file, place.stream) : no_offset;
  const std::int64_t moved = place.file->seekable && now > place.at ? now - place.at : 0;
  streamed(call, time, place, static_cast<std::uint64_t>(moved), moved);
}

std::int64_t moved_to(const Place& place) {
  const std::int64_t now = place.file->seekable ? asked_place(*place.file, place.stream) : 0;
  place.file->stream_position.store(now, std::memory_order_relaxed);
  after_call(place);
  return now;
}

std::uint32_t closing_stream(const Place& place) {
  place.file->stream = nullptr;
  place.file->epoch = 0;  // whoever has the same file under another number finds the offset wherever the stream left it
  const std::uint32_t object = place.file->object;
  closing(place.stream->_fileno);
  return object;
}

void in_the_buffer(FILE* stream) {
  if (one_thread() || stream->_fileno < 0) return;
  Description* const file = description(stream->_fileno);
  if (file && file->stream == stream) file->characters.fetch_add(1, std::memory_order_relaxed);
}

void before_end() {
  each_description([](int fd, Description& file) {
    auto* const stream = static_cast<FILE*>(file.stream);
    if (stream && stream->_fileno == fd) before_call(stream);
  });
}

}  // namespace fathom::trace
