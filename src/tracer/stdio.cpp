// SPDX-License-Identifier: Apache-2.0
/// Buffered streams. What the C library does for them inside is not called by name, so the library's calls themselves are recorded,
/// with the bytes that the program asked for and offsets as the stream sees them.
#define FATHOM_IN_C_LIBRARY
#include <stdio.h>

#include <cstdarg>
#include <cstring>

#include "trace_format/stdio_symbols.h"
#include "tracer/generate.h"
#include "tracer/streams.h"

#pragma GCC diagnostic ignored "-Wattribute-alias"
#pragma GCC diagnostic ignored "-Wmissing-attributes"

#undef getc
#undef putc
#undef getc_unlocked
#undef putc_unlocked
#undef fgetc_unlocked
#undef fputc_unlocked

/// Like FATHOM_GENERATE; where the stream stands is found out before the call.
#define FATHOM_GENERATE_STREAM(name, type, parameters, arguments, shape)                 \
  FATHOM_WRAPPER(name, type, parameters) {                                               \
    const auto real = FATHOM_FIND(name, type, parameters);                               \
    if (__builtin_expect(real == nullptr, 0)) return ::fathom::trace::not_there<type>(); \
    const Place place = before_call(stream);                                             \
    const std::uint64_t start = ticks();                                                 \
    type const result = real arguments;                                                  \
    const Span time{start, ticks()};                                                     \
    shape;                                                                               \
    return result;                                                                       \
  }

namespace fathom::trace {
namespace {

std::int64_t text_length(const char* text) { return text ? static_cast<std::int64_t>(std::strlen(text)) : 0; }

void printed(const Place& place, Span time, int result) {
  streamed(CallId::fprintf, time, place, static_cast<std::uint64_t>(result > 0 ? result : 0), result < 0 ? -errno : result);
}

void flushed(const Place& place, Span time, FILE* stream, int result) {
  if (stream && !place.file) return;  // in memory, or not wanted
  put(CallId::fflush, time, place.file ? place.file->object : 0, no_offset, no_bytes, outcome(result));
  if (place.file) after_call(place);
}

void sought(const Place& place, Span time, std::int64_t offset, int result) {
  if (!place.file) return;
  put(CallId::fseek, time, place.file->object, offset, no_bytes, result == 0 ? moved_to(place) : -errno);
}

int flags_of(const char* mode) {
  int flags = mode[0] == 'r' ? O_RDONLY : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
  for (const char* c = mode; *c && *c != ','; ++c) {
    if (*c == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*c == 'x') flags |= O_EXCL;
    if (*c == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

void opened_stream(Span time, const char* path, const char* mode, FILE* stream, std::int64_t not_before) {
  if (stream)
    opened_path(CallId::fopen, time, AT_FDCWD, path, flags_of(mode), stream->_fileno, not_before);
  else
    on_path(CallId::fopen, time, AT_FDCWD, path, no_offset, -errno);
}

/// A character that only moved inside the buffer is not a call of its own: before_call finds out how many there were.
void one_character(CallId call, Span time, const Place& place, int result) {
  if (place.file) streamed(call, time, place, 1, result == EOF ? 0 : 1);
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
  on_file(CallId::fopen, {start, ticks()}, fd, no_offset, no_bytes, result ? fd : -errno, open_detail(flags_of(mode) & ~O_CREAT, false));
  return result;
}

FATHOM_WRAPPER(freopen, FILE*, (const char* path, const char* mode, FILE* stream)) {
  const auto real = FATHOM_FIND(freopen, FILE*, (const char*, const char*, FILE*));
  const Place place = path && stream ? before_call(stream) : Place{};
  const std::uint32_t object = place.file ? closing_stream(place) : 0;
  const std::int64_t not_before = coarse_now();
  const std::uint64_t start = ticks();
  FILE* const result = real(path, mode, stream);
  const Span time{start, ticks()};
  if (path) {
    if (object != 0) put(CallId::fclose, {start, start}, object, no_offset, no_bytes, 0);
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
  const Place place = before_call(stream);
  const std::uint32_t object = place.file ? closing_stream(place) : 0;
  const std::uint64_t start = ticks();
  const int result = real(stream);
  if (place.file) put(CallId::fclose, {start, ticks()}, object, no_offset, no_bytes, outcome(result));
  return result;
}

#define FATHOM_PRINT(name, stream, parameters, last, through, types, arguments)                                                  \
  static int(*fathom_print_##name) types = nullptr;                                                                              \
  FATHOM_EARLY(fathom_print_##name, #through);                                                                                   \
  FATHOM_WRAPPER(name, int, parameters) {                                                                                        \
    const auto real =                                                                                                            \
        fathom_print_##name ? fathom_print_##name : (fathom_print_##name = reinterpret_cast<int(*) types>(find_real(#through))); \
    va_list list;                                                                                                                \
    va_start(list, last);                                                                                                        \
    const Place place = before_call(stream);                                                                                     \
    const std::uint64_t start = ticks();                                                                                         \
    const int result = real arguments;                                                                                           \
    const Span time{start, ticks()};                                                                                             \
    va_end(list);                                                                                                                \
    printed(place, time, result);                                                                                                \
    return result;                                                                                                               \
  }

FATHOM_PRINT(fprintf, stream, (FILE * stream, const char* format, ...), format, vfprintf, (FILE*, const char*, va_list),
             (stream, format, list))
FATHOM_PRINT(printf, stdout, (const char* format, ...), format, vprintf, (const char*, va_list), (format, list))
FATHOM_PRINT(__fprintf_chk, stream, (FILE * stream, int flag, const char* format, ...), format, __vfprintf_chk,
             (FILE*, int, const char*, va_list), (stream, flag, format, list))
FATHOM_PRINT(__printf_chk, stdout, (int flag, const char* format, ...), format, __vprintf_chk, (int, const char*, va_list),
             (flag, format, list))

#define FATHOM_ON_STDOUT(name, parameters, types, arguments, shape) \
  FATHOM_WRAPPER(name, int, parameters) {                           \
    const auto real = FATHOM_FIND(name, int, types);                \
    const Place place = before_call(stdout);                        \
    const std::uint64_t start = ticks();                            \
    const int result = real arguments;                              \
    const Span time{start, ticks()};                                \
    shape;                                                          \
    return result;                                                  \
  }

FATHOM_ON_STDOUT(puts, (const char* text), (const char*), (text),
                 streamed(CallId::fwrite, time, place, static_cast<std::uint64_t>(text_length(text) + 1),
                          result < 0 ? -errno : text_length(text) + 1))
FATHOM_ON_STDOUT(vprintf, (const char* format, va_list list), (const char*, va_list), (format, list), printed(place, time, result))
FATHOM_ON_STDOUT(__vprintf_chk, (int flag, const char* format, va_list list), (int, const char*, va_list), (flag, format, list),
                 printed(place, time, result))

/// dprintf writes to a descriptor at once.
#define FATHOM_DPRINT(name, parameters, last, through, types, arguments)                                                         \
  static int(*fathom_print_##name) types = nullptr;                                                                              \
  FATHOM_EARLY(fathom_print_##name, #through);                                                                                   \
  FATHOM_WRAPPER(name, int, parameters) {                                                                                        \
    const auto real =                                                                                                            \
        fathom_print_##name ? fathom_print_##name : (fathom_print_##name = reinterpret_cast<int(*) types>(find_real(#through))); \
    va_list list;                                                                                                                \
    va_start(list, last);                                                                                                        \
    const std::uint64_t start = ticks();                                                                                         \
    const int result = real arguments;                                                                                           \
    const Span time{start, ticks()};                                                                                             \
    va_end(list);                                                                                                                \
    at_position(CallId::fprintf, time, fd, static_cast<std::uint64_t>(result > 0 ? result : 0), result < 0 ? -errno : result);   \
    return result;                                                                                                               \
  }
FATHOM_DPRINT(dprintf, (int fd, const char* format, ...), format, vdprintf, (int, const char*, va_list), (fd, format, list))
FATHOM_DPRINT(__dprintf_chk, (int fd, int flag, const char* format, ...), format, __vdprintf_chk, (int, int, const char*, va_list),
              (fd, flag, format, list))
FATHOM_WRAPPER(vdprintf, int, (int fd, const char* format, va_list list)) {
  const auto real = FATHOM_FIND(vdprintf, int, (int, const char*, va_list));
  const std::uint64_t start = ticks();
  const int result = real(fd, format, list);
  at_position(CallId::fprintf, {start, ticks()}, fd, static_cast<std::uint64_t>(result > 0 ? result : 0), result < 0 ? -errno : result);
  return result;
}

#define FATHOM_SCAN(name, stream, parameters, through)                                             \
  FATHOM_WRAPPER(name, int, parameters) {                                                          \
    static int (*real)(FILE*, const char*, va_list) = nullptr;                                     \
    if (!real) real = reinterpret_cast<int (*)(FILE*, const char*, va_list)>(find_real(#through)); \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    const Place place = before_call(stream);                                                       \
    const std::uint64_t start = ticks();                                                           \
    const int result = real(stream, format, list);                                                 \
    const Span time{start, ticks()};                                                               \
    va_end(list);                                                                                  \
    scanned(CallId::fscanf, time, place);                                                          \
    return result;                                                                                 \
  }

FATHOM_SCAN(fscanf, stream, (FILE * stream, const char* format, ...), vfscanf)
FATHOM_SCAN(__isoc99_fscanf, stream, (FILE * stream, const char* format, ...), __isoc99_vfscanf)
FATHOM_SCAN(scanf, stdin, (const char* format, ...), vfscanf)
FATHOM_SCAN(__isoc99_scanf, stdin, (const char* format, ...), __isoc99_vfscanf)

FATHOM_WRAPPER(rewind, void, (FILE * stream)) {
  const auto real = FATHOM_FIND(rewind, void, (FILE*));
  const Place place = before_call(stream);
  const std::uint64_t start = ticks();
  real(stream);
  sought(place, {start, ticks()}, 0, 0);
}

#define FATHOM_CHARACTER(call, name, parameters, types, arguments, stream, buffered) \
  FATHOM_WRAPPER(name, int, parameters) {                                            \
    const auto real = FATHOM_FIND(name, int, types);                                 \
    if (buffered) {                                                                  \
      in_the_buffer(stream);                                                         \
      return real arguments;                                                         \
    }                                                                                \
    const Place place = before_call(stream);                                         \
    const std::uint64_t start = ticks();                                             \
    const int result = real arguments;                                               \
    one_character(CallId::call, {start, ticks()}, place, result);                    \
    return result;                                                                   \
  }
#define FATHOM_GET(name, parameters, types, arguments, stream) \
  FATHOM_CHARACTER(fread, name, parameters, types, arguments, stream, reads_from_buffer(stream))
#define FATHOM_PUT(name, parameters, types, arguments, stream) \
  FATHOM_CHARACTER(fwrite, name, parameters, types, arguments, stream, writes_to_buffer(stream, character))

FATHOM_GET(fgetc, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(getc_unlocked, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(__uflow, (FILE * stream), (FILE*), (stream), stream)
FATHOM_GET(getchar, (), (), (), stdin)
FATHOM_GET(getchar_unlocked, (), (), (), stdin)
FATHOM_PUT(fputc, (int character, FILE* stream), (int, FILE*), (character, stream), stream)
FATHOM_PUT(putc_unlocked, (int character, FILE* stream), (int, FILE*), (character, stream), stream)
FATHOM_PUT(__overflow, (FILE * stream, int character), (FILE*, int), (stream, character), stream)
FATHOM_PUT(putchar, (int character), (int), (character), stdout)
FATHOM_PUT(putchar_unlocked, (int character), (int), (character), stdout)

FATHOM_STDIO_SYMBOLS(FATHOM_GENERATE_STREAM, FATHOM_ALIAS, FATHOM_BY_HAND)

}  // namespace fathom::trace
