// SPDX-License-Identifier: Apache-2.0
#include "trace_format/block.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fathom::trace {

std::uint64_t checksum_of(BlockHeader header, const void* payload) {
  header.checksum = 0;
  const XXH64_hash_t seed = XXH3_64bits(&header, sizeof header);
  return XXH3_64bits_withSeed(payload, header.payload_bytes, seed);
}

std::size_t finish_block(BlockHeader header, std::uint8_t* out, const std::uint8_t* end) {
  header.magic = block_magic;
  header.version = block_version;
  header.header_bytes = sizeof header;
  header.payload_bytes = static_cast<std::uint32_t>(end - out - sizeof header);
  header.checksum = checksum_of(header, out + sizeof header);
  std::memcpy(out, &header, sizeof header);
  return static_cast<std::size_t>(end - out);
}

}  // namespace fathom::trace
