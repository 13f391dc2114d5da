// SPDX-License-Identifier: Apache-2.0
/// Symbols of the C library's buffered streams; columns as in posix_symbols.h, shapes in tracer/stdio.cpp;
/// every SYMBOL has a parameter `stream`, whose `place` is known before the call.
#pragma once

// A table, a line each:
// clang-format off
#define FATHOM_STDIO_SYMBOLS(SYMBOL, SAME, OWN) \
  OWN(fopen) SAME(fopen64, fopen) OWN(fdopen) OWN(freopen) SAME(freopen64, freopen) OWN(tmpfile) SAME(tmpfile64, tmpfile) OWN(fclose) \
  SYMBOL(fread, size_t, (void* data, size_t size, size_t count, FILE* stream), (data, size, count, stream), streamed(CallId::fread, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(fread_unlocked, size_t, (void* data, size_t size, size_t count, FILE* stream), (data, size, count, stream), streamed(CallId::fread, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(__fread_chk, size_t, (void* data, size_t room, size_t size, size_t count, FILE* stream), (data, room, size, count, stream), streamed(CallId::fread, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(__fread_unlocked_chk, size_t, (void* data, size_t room, size_t size, size_t count, FILE* stream), (data, room, size, count, stream), streamed(CallId::fread, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(fwrite, size_t, (const void* data, size_t size, size_t count, FILE* stream), (data, size, count, stream), streamed(CallId::fwrite, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(fwrite_unlocked, size_t, (const void* data, size_t size, size_t count, FILE* stream), (data, size, count, stream), streamed(CallId::fwrite, time, place, size * count, static_cast<std::int64_t>(result * size))) \
  SYMBOL(fgets, char*, (char* text, int room, FILE* stream), (text, room, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(room > 0 ? room - 1 : 0), text_length(result))) \
  SYMBOL(fgets_unlocked, char*, (char* text, int room, FILE* stream), (text, room, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(room > 0 ? room - 1 : 0), text_length(result))) \
  SYMBOL(__fgets_chk, char*, (char* text, size_t size, int room, FILE* stream), (text, size, room, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(room > 0 ? room - 1 : 0), text_length(result))) \
  SYMBOL(__fgets_unlocked_chk, char*, (char* text, size_t size, int room, FILE* stream), (text, size, room, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(room > 0 ? room - 1 : 0), text_length(result))) \
  SYMBOL(getline, ssize_t, (char** text, size_t* room, FILE* stream), (text, room, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(result > 0 ? result : 0), result > 0 ? result : 0)) \
  SYMBOL(getdelim, ssize_t, (char** text, size_t* room, int end, FILE* stream), (text, room, end, stream), streamed(CallId::fread, time, place, static_cast<std::uint64_t>(result > 0 ? result : 0), result > 0 ? result : 0)) \
  SAME(__getdelim, getdelim) \
  SYMBOL(fputs, int, (const char* text, FILE* stream), (text, stream), streamed(CallId::fwrite, time, place, static_cast<std::uint64_t>(text_length(text)), result < 0 ? -errno : text_length(text))) \
  SYMBOL(fputs_unlocked, int, (const char* text, FILE* stream), (text, stream), streamed(CallId::fwrite, time, place, static_cast<std::uint64_t>(text_length(text)), result < 0 ? -errno : text_length(text))) \
  SYMBOL(vfprintf, int, (FILE* stream, const char* format, va_list list), (stream, format, list), printed(place, time, result)) \
  SYMBOL(__vfprintf_chk, int, (FILE* stream, int flag, const char* format, va_list list), (stream, flag, format, list), printed(place, time, result)) \
  OWN(puts) OWN(fprintf) OWN(printf) OWN(vprintf) OWN(__fprintf_chk) OWN(__printf_chk) OWN(__vprintf_chk) OWN(dprintf) OWN(vdprintf) OWN(__dprintf_chk) \
  OWN(fscanf) OWN(__isoc99_fscanf) OWN(scanf) OWN(__isoc99_scanf) \
  SYMBOL(fflush, int, (FILE* stream), (stream), flushed(place, time, stream, result)) \
  SYMBOL(fflush_unlocked, int, (FILE* stream), (stream), flushed(place, time, stream, result)) \
  SYMBOL(fseek, int, (FILE* stream, long offset, int whence), (stream, offset, whence), sought(place, time, offset, result)) \
  SYMBOL(fseeko, int, (FILE* stream, off_t offset, int whence), (stream, offset, whence), sought(place, time, offset, result)) \
  SAME(fseeko64, fseeko) \
  SYMBOL(fsetpos, int, (FILE* stream, const fpos_t* there), (stream, there), sought(place, time, no_offset, result)) \
  SAME(fsetpos64, fsetpos) OWN(rewind) \
  OWN(fgetc) SAME(getc, fgetc) SAME(_IO_getc, fgetc) OWN(getchar) OWN(getchar_unlocked) OWN(fputc) SAME(putc, fputc) SAME(_IO_putc, fputc) OWN(putchar) OWN(putchar_unlocked) \
  OWN(getc_unlocked) SAME(fgetc_unlocked, getc_unlocked) OWN(putc_unlocked) SAME(fputc_unlocked, putc_unlocked) OWN(__overflow) OWN(__uflow)
// clang-format on
