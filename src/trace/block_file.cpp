// SPDX-License-Identifier: Apache-2.0
#include "trace/block_file.h"

#include <cstring>

namespace fathom::trace {
namespace {

/// Length of the whole block at the start of `rest`; 0: there is none.
std::size_t whole_block(std::span<const std::uint8_t> rest, BlockHeader& header) {
  if (rest.size() < sizeof header) return 0;
  std::memcpy(&header, rest.data(), sizeof header);
  if (header.magic != block_magic || header.header_bytes != sizeof header || header.payload_bytes > largest_payload) return 0;
  if (header.payload_bytes > rest.size() - sizeof header) return 0;
  if (checksum_of(header, rest.data() + sizeof header) != header.checksum) return 0;
  return sizeof header + header.payload_bytes;
}

/// Where the next magic stands at or behind `from`; the end if nowhere.
std::size_t next_magic(std::span<const std::uint8_t> bytes, std::size_t from) {
  if (from >= bytes.size()) return bytes.size();
  const void* const found = memmem(bytes.data() + from, bytes.size() - from, &block_magic, sizeof block_magic);
  return found == nullptr ? bytes.size() : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
}

bool understood(const BlockHeader& header) {
  if (header.version != block_version || header.tick_shift > 32 || header.records > most_records) return false;
  return header.kind == BlockKind::process || header.kind == BlockKind::calls || header.kind == BlockKind::records ||
         header.kind == BlockKind::slices;
}

}  // namespace

BlockScan scan_blocks(std::span<const std::uint8_t> bytes) {
  BlockScan scan;
  bool torn = false;
  for (std::size_t at = 0; at < bytes.size();) {
    BlockHeader header;
    if (const std::size_t length = whole_block(bytes.subspan(at), header); length > 0) {
      if (understood(header))
        scan.blocks.push_back({header, bytes.data() + at + sizeof header});
      else
        ++scan.strange;
      if (header.version != block_version) scan.other_version = header.version;
      at += length;
      torn = false;
      continue;
    }
    const std::size_t next = next_magic(bytes, at + 1);
    scan.torn_bytes += next - at;
    scan.torn_places += !torn;
    torn = true;
    at = next;
  }
  return scan;
}

}  // namespace fathom::trace
