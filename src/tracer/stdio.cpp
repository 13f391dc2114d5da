// SPDX-License-Identifier: Apache-2.0
/// Buffered streams. What the C library does for them inside is not called by name, so the library's calls themselves are recorded,
/// with the bytes that the program asked for and offsets as the stream sees them.
#include <cstdarg>
#include <cstring>

#include <stdio.h>

#include "trace_format/stdio_symbols.h"
#include "tracer/generate.h"

#pragma GCC diagnostic ignored "-Wattribute-alias"
#pragma GCC diagnostic ignored "-Wmissing-attributes"

#undef getc
#undef putc
#undef getc_unlocked
#undef putc_unlocked
#undef fgetc_unlocked
#undef fputc_unlocked

namespace fathom::trace {
namespace {

std::int64_t text_length(const char* text) { return text ? static_cast<std::int64_t>(std::strlen(text)) : 0; }

Description* file_of(FILE* stream) {
  const int fd = stream ? fileno(stream) : -1;  // no call of the system; -1 for streams in memory
  return fd >= 0 ? description(fd) : nullptr;
}

/// Characters that went through the buffer one by one are one call, put down when the buffer turns.
void characters_first(CallId call, Description& file, Span time) {
  const std::uint32_t count = file.characters.exchange(0, std::memory_order_relaxed);
  if (count == 0) return;
  const std::int64_t at = file.seekable ? file.position.fetch_add(count, std::memory_order_relaxed) : no_offset;
  put(call, {time.start, time.start}, file.object, at, count, count);
}

void streamed(CallId call, Span time, FILE* stream, std::uint64_t bytes, std::int64_t result) {
  const int kept = errno;
  Description* const file = file_of(stream);
  if (!file || file->ignored) return;
  characters_first(call, *file, time);
  const std::int64_t moved = result > 0 ? result : 0;
  const std::int64_t at = file->seekable ? file->position.fetch_add(moved, std::memory_order_relaxed) : no_offset;
  if (moved == 0 && bytes > 0 && ferror(stream)) result = -kept;
  put(call, time, file->object, at, bytes, result);
}

void printed(Span time, FILE* stream, int result) {
  streamed(CallId::fprintf, time, stream, static_cast<std::uint64_t>(result > 0 ? result : 0), result < 0 ? -errno : result);
}

void flushed(Span time, FILE* stream, int result) {
  Description* const file = file_of(stream);
  if (file && file->ignored) return;
  if (file) characters_first(CallId::fwrite, *file, time);
  put(CallId::fflush, time, file ? file->object : 0, no_offset, no_bytes, outcome(result));
}

void sought(Span time, FILE* stream, std::int64_t offset, int result) {
  const int kept = errno;
  Description* const file = file_of(stream);
  if (!file || file->ignored) return;
  file->characters.store(0);
  const std::int64_t now = result == 0 ? ftello(stream) : -1;
  if (now >= 0) file->position.store(now, std::memory_order_relaxed);
  put(CallId::fseek, time, file->object, offset, no_bytes, result == 0 ? now : -kept);
  errno = kept;
}

int flags_of(const char* mode) {
  int flags = mode[0] == 'r' ? O_RDONLY : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
  for (const char* c = mode; *c && *c != ','; ++c) {
    if (*c == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*c == 'x') flags |= O_EXCL;
  }
  return flags;
}

/// A stream counts its own offset: nobody else is asked where it is.
void is_stream(FILE* stream) {
  if (Description* const file = file_of(stream)) file->append = false;
}

void opened_stream(Span time, const char* path, const char* mode, FILE* stream, std::int64_t not_before) {
  const int kept = errno;
  if (stream) opened_path(CallId::fopen, time, AT_FDCWD, path, flags_of(mode), fileno(stream), not_before);
  else on_path(CallId::fopen, time, AT_FDCWD, path, no_offset, -kept);
  if (stream) is_stream(stream);
  errno = kept;
}

bool reads_from_buffer(FILE* stream) { return stream->_IO_read_ptr < stream->_IO_read_end; }
bool writes_to_buffer(FILE* stream, int character) {
  return stream->_IO_write_ptr < stream->_IO_write_end && !(character == '\n' && (stream->_flags & 0x200 /* line by line */));
}

/// A character that only moved inside the buffer is counted; one that made the buffer turn is recorded with all before it.
void one_character(CallId call, Span time, FILE* stream, bool buffered, int result) {
  if (result == EOF && buffered) return;
  Description* const file = file_of(stream);
  if (!file || file->ignored) return;
  if (buffered) {
    file->characters.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  streamed(call, time, stream, 1, result == EOF ? 0 : 1);
}

}  // namespace

FATHOM_WRAPPER(fopen, FILE*, (const char* path, const char* mode)) {
  const auto real = FATHOM_FIND(fopen, FILE*, (const char*, const char*));
  const std::int64_t not_before = coarse_now();
  const std::uint64_t start = ticks();
  FILE* const result = real(path, mode);
  opened_stream({start, ticks()}, path, mode, result, not_before);
  return result;
}

FATHOM_WRAPPER(fdopen, FILE*, (int fd, const char* mode)) {
  const auto real = FATHOM_FIND(fdopen, FILE*, (int, const char*));
  const std::uint64_t start = ticks();
  FILE* const result = real(fd, mode);
  on_file(CallId::fopen, {start, ticks()}, fd, no_offset, no_bytes, outcome(result), open_detail(flags_of(mode) & ~O_CREAT, false));
  if (result) is_stream(result);
  return result;
}

FATHOM_WRAPPER(freopen, FILE*, (const char* path, const char* mode, FILE* stream)) {
  const auto real = FATHOM_FIND(freopen, FILE*, (const char*, const char*, FILE*));
  const int before = stream ? fileno(stream) : -1;
  const std::uint32_t object = path && before >= 0 ? closing(before) : 0;
  const std::int64_t not_before = coarse_now();
  const std::uint64_t start = ticks();
  FILE* const result = real(path, mode, stream);
  const Span time{start, ticks()};
  if (path) {
    if (object != UINT32_MAX && object != 0) put(CallId::fclose, {start, start}, object, no_offset, no_bytes, 0);
    opened_stream(time, path, mode, result, not_before);
  }
  return result;
}

FATHOM_WRAPPER(tmpfile, FILE*, ()) {
  const auto real = FATHOM_FIND(tmpfile, FILE*, ());
  const std::uint64_t start = ticks();
  FILE* const result = real();
  opened_stream({start, ticks()}, "/tmp/(deleted)", "w+x", result, 0);
  return result;
}

FATHOM_WRAPPER(fclose, int, (FILE * stream)) {
  const auto real = FATHOM_FIND(fclose, int, (FILE*));
  Description* const file = file_of(stream);
  const std::uint64_t before = ticks();
  if (file && !file->ignored) characters_first(CallId::fwrite, *file, {before, before});
  const std::uint32_t object = file ? closing(fileno(stream)) : 0;
  const std::uint64_t start = ticks();
  const int result = real(stream);
  if (object != UINT32_MAX) put(CallId::fclose, {start, ticks()}, object, no_offset, no_bytes, outcome(result));
  return result;
}

#define FATHOM_PRINT(name, stream, parameters, last, through, types, arguments) \
  FATHOM_WRAPPER(name, int, parameters) {                                       \
    static int(*real) types = nullptr;                                          \
    if (!real) real = reinterpret_cast<int(*) types>(find_real(#through));     \
    va_list list;                                                               \
    va_start(list, last);                                                       \
    const std::uint64_t start = ticks();                                        \
    const int result = real arguments;                                          \
    const Span time{start, ticks()};                                            \
    va_end(list);                                                               \
    printed(time, stream, result);                                              \
    return result;                                                              \
  }

FATHOM_PRINT(fprintf, stream, (FILE * stream, const char* format, ...), format, vfprintf, (FILE*, const char*, va_list), (stream, format, list))
FATHOM_PRINT(printf, stdout, (const char* format, ...), format, vprintf, (const char*, va_list), (format, list))
FATHOM_PRINT(__fprintf_chk, stream, (FILE * stream, int flag, const char* format, ...), format, __vfprintf_chk, (FILE*, int, const char*, va_list), (stream, flag, format, list))
FATHOM_PRINT(__printf_chk, stdout, (int flag, const char* format, ...), format, __vprintf_chk, (int, const char*, va_list), (flag, format, list))

#define FATHOM_SCAN(name, through)                                                                                          \
  FATHOM_WRAPPER(name, int, (FILE * stream, const char* format, ...)) {                                                     \
    static int (*real)(FILE*, const char*, va_list) = nullptr;                                                              \
    if (!real) real = reinterpret_cast<int (*)(FILE*, const char*, va_list)>(find_real(#through));                          \
    va_list list;                                                                                                           \
    va_start(list, format);                                                                                                 \
    Description* const file = file_of(stream);                                                                              \
    const std::int64_t from = file && file->seekable ? ftello(stream) : -1;                                                 \
    const std::uint64_t start = ticks();                                                                                    \
    const int result = real(stream, format, list);                                                                          \
    const Span time{start, ticks()};                                                                                        \
    va_end(list);                                                                                                           \
    const int kept = errno;                                                                                                 \
    const std::int64_t moved = from >= 0 ? ftello(stream) - from : 0;                                                       \
    errno = kept;                                                                                                           \
    streamed(CallId::fscanf, time, stream, static_cast<std::uint64_t>(moved > 0 ? moved : 0), moved);                       \
    return result;                                                                                                          \
  }

FATHOM_SCAN(fscanf, vfscanf)
FATHOM_SCAN(__isoc99_fscanf, __isoc99_vfscanf)

FATHOM_WRAPPER(rewind, void, (FILE * stream)) {
  const auto real = FATHOM_FIND(rewind, void, (FILE*));
  const std::uint64_t start = ticks();
  real(stream);
  sought({start, ticks()}, stream, 0, 0);
}

#define FATHOM_GET(name, parameters, types, arguments, stream)      \
  FATHOM_WRAPPER(name, int, parameters) {                           \
    const auto real = FATHOM_FIND(name, int, types);                \
    const bool buffered = reads_from_buffer(stream);                \
    const std::uint64_t start = buffered ? 0 : ticks();             \
    const int result = real arguments;                              \
    one_character(CallId::fread, {start, buffered ? 0 : ticks()}, stream, buffered, result); \
    return result;                                                  \
  }
#define FATHOM_PUT(name, parameters, types, arguments, stream)      \
  FATHOM_WRAPPER(name, int, parameters) {                           \
    const auto real = FATHOM_FIND(name, int, types);                \
    const bool buffered = writes_to_buffer(stream, character);      \
    const std::uint64_t start = buffered ? 0 : ticks();             \
    const int result = real arguments;                              \
    one_character(CallId::fwrite, {start, buffered ? 0 : ticks()}, stream, buffered, result); \
    return result;                                                  \
  }

FATHOM_GET(fgetc, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(getc_unlocked, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(__uflow, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(getchar, (), (), (), stdin)
FATHOM_PUT(fputc, (int character, FILE* stream), (int, FILE*), (character, stream), stream)
FATHOM_PUT(putc_unlocked, (int character, FILE* stream), (int, FILE*), (character, stream), stream)
FATHOM_PUT(__overflow, (FILE * stream, int character), (FILE*, int), (stream, character), stream)
FATHOM_PUT(putchar, (int character), (int), (character), stdout)

FATHOM_STDIO_SYMBOLS(FATHOM_GENERATE, FATHOM_ALIAS, FATHOM_BY_HAND)

}  // namespace fathom::trace
