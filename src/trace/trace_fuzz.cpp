// SPDX-License-Identifier: Apache-2.0
// Any bytes are a block file and a memory file: what can be read of them comes out in order and refers to things that exist.
#include <cstdlib>
#include <cstring>

#include "trace/decode.h"
#include "trace/gather.h"
#include "trace/memory_reader.h"
#include "trace/open_gathered.h"
#include "trace_format/memory_file.h"

namespace fathom::trace {
namespace {

void check(const Trace& trace) {
  EventStream stream(trace);
  std::uint64_t row = 0;
  std::int64_t last = INT64_MIN;
  for (;;) {
    const auto events = stream.next();
    if (!events || events->empty()) break;
    for (const Event& event : *events) {
      if (event.row != row++ || event.start < last || event.end < event.start) std::abort();
      if (event.parent != no_row && event.parent >= event.row) std::abort();
      if (event.unit >= trace.units.size() || event.process >= trace.processes.size() || event.call >= trace.calls.size()) std::abort();
      if (event.file != no_file && event.file >= trace.files.size()) std::abort();
      last = event.start;
    }
  }
  if (row > trace.records) std::abort();
  for (std::size_t process = 0; process < trace.processes.size(); ++process) {
    const SliceRows slices = slices_of(trace, process);
    if (!slices.rows.empty() && slices.length < shortest_slice) std::abort();
    for (std::size_t i = 1; i < slices.rows.size(); ++i)
      if (slices.rows[i - 1].number >= slices.rows[i].number) std::abort();
  }
}

/// Checksums would stop nearly every change: each header that stands where one may stand gets the right one.
std::vector<std::uint8_t> with_checksums(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> mended(bytes.begin(), bytes.end());
  for (std::size_t at = 0; at + sizeof(BlockHeader) <= mended.size();) {
    BlockHeader header;
    std::memcpy(&header, mended.data() + at, sizeof header);
    if (header.magic != block_magic || header.payload_bytes > mended.size() - at - sizeof header) {
      ++at;
      continue;
    }
    header.header_bytes = sizeof header;
    header.checksum = checksum_of(header, mended.data() + at + sizeof header);
    std::memcpy(mended.data() + at, &header, sizeof header);
    at += sizeof header + header.payload_bytes;
  }
  return mended;
}

}  // namespace
}  // namespace fathom::trace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::trace;
  const auto mended = with_checksums({data, size});
  Gathered gathered;
  gather_blocks({data, size}, "input", gathered);
  gather_blocks(mended, "input", gathered);
  put_in_order("input", gathered);
  // A memory file is larger than inputs are: head and text at their places, the rest is one chunk.
  std::vector<std::uint8_t> memory(first_chunk_at + chunk_bytes);
  const std::size_t head = std::min(size, text_at + 256);
  std::memcpy(memory.data(), data, head);
  std::memcpy(memory.data() + first_chunk_at, data + head, std::min(size - head, chunk_bytes));
  std::memcpy(memory.data(), &memory_magic, sizeof memory_magic);
  std::memcpy(memory.data() + 4, &format_version, sizeof format_version);
  (void)read_memory_file({data, size});
  if (const auto leftover = read_memory_file(memory)) {
    gather_leftover(*leftover, gathered);
    put_in_order("input", gathered);
  }
  check(open_gathered(std::move(gathered), "input"));
  return 0;
}
