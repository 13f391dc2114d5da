// SPDX-License-Identifier: Apache-2.0
/// Where a stream of the C library stands in its file: its buffer is ahead of or behind the descriptor.
#pragma once

#include <stdio.h>

#include "tracer/files.h"
#include "tracer/process.h"

namespace fathom::trace {

struct Place {
  FILE* stream = nullptr;
  Description* file = nullptr;  // null: in memory, or not wanted
  std::int64_t at = no_offset;
};

/// Where the stream stands now. Characters that moved inside its buffer since its last record (getc and putc, which programs have in
/// themselves as macros) become a record of their own.
Place before_call(FILE* stream);
/// Remembers how far the buffer is ahead.
void after_call(const Place& place);
/// One call's bytes, at the place before it.
void streamed(CallId call, Span time, const Place& place, std::uint64_t bytes, std::int64_t result);
/// One call whose bytes show in where the stream stands afterwards only.
void scanned(CallId call, Span time, const Place& place);
/// The stream was moved; where to.
std::int64_t moved_to(const Place& place);
/// The stream's descriptor is closed now; its object.
std::uint32_t closing_stream(const Place& place);

/// One character moves inside the buffer: counted if several threads may do that at once; else the buffer tells later.
void in_the_buffer(FILE* stream);
inline bool reads_from_buffer(FILE* stream) { return stream->_IO_read_ptr < stream->_IO_read_end; }
inline bool writes_to_buffer(FILE* stream, int character) {
  return stream->_IO_write_ptr < stream->_IO_write_end && !(character == '\n' && (stream->_flags & 0x200 /* line by line */));
}

}  // namespace fathom::trace
