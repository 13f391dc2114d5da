// SPDX-License-Identifier: Apache-2.0
/// Records to the payload of a block and back: columns of what a simple prediction leaves over, in few bits each (stretch.h).
/// The writing half runs inside traced programs: it allocates nothing, keeps nothing thread-local and calls nothing but memcpy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace_format/block.h"
#include "trace_format/memory_file.h"
#include "trace_format/record.h"
#include "trace_format/stretch.h"

namespace fathom::trace {

/// What calls of one kind have in common; the next one is foretold from the last. A kind is what the last 8 bytes of a Record hold.
struct Foretold {
  std::int64_t offset = 0;
  std::int64_t step = 0;
  std::int64_t moved = 0;
  std::uint64_t bytes = 0;
  std::int64_t result = 0;
  bool contiguous = true;
  bool whole = true;  // the last one moved all it was asked to

  std::int64_t next_offset() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(contiguous ? moved : step));
  }
  std::int64_t next_result(std::uint64_t asked) const { return whole ? static_cast<std::int64_t>(asked) : result; }
  /// The same as `saw(at, bytes, result)`: one that was asked for and moved as much as the last.
  void saw_again(std::int64_t at) {
    const auto delta = static_cast<std::int64_t>(static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(offset));
    contiguous =
        (delta == moved) | (contiguous & (delta != step));  // not || and &&: a branch here is as good as random, and the reader's costliest
    step = delta;
    offset = at;
  }
  void saw(std::int64_t at, std::uint64_t asked, std::int64_t returned) {
    saw_again(at);
    bytes = asked;
    result = returned;
    whole = returned == static_cast<std::int64_t>(asked);
    moved = returned > 0 && asked != no_bytes ? returned : 0;
  }
};

/// Everything encoding needs, in one piece; zero it once, then call `start_encoder`.
struct Encoder {
  static constexpr std::size_t most = chunk_slots;
  static constexpr std::size_t table_size = 16384;
  struct Kind {
    std::uint64_t key;
    Foretold next;
  };
  std::uint32_t generation;
  std::uint32_t table_generation[table_size];
  std::uint16_t table[table_size];
  Kind kinds[most];
  std::uint64_t columns[column_count][most];
  struct Stretch {
    std::uint64_t end_before;  // of the record in front of it
    std::uint64_t earliest;    // least start in it
  } stretches[(most + stretch_records - 1) / stretch_records];
  alignas(16) std::uint8_t definitions[chunk_bytes];
  void* compressor;  // ZSTD_CCtx in the memory below
  alignas(16) std::uint8_t compressor_memory[512 << 10];
};

/// False if the compressor cannot work in its memory.
bool start_encoder(Encoder& encoder);

/// Writes header and payload of `count` slots to `out`, which must hold `block_bound`; gives the bytes written, 0 if it failed.
/// Slots that are not yet written (slot_empty) are left out. The caller has set process, thread and first.
std::size_t encode_block(Encoder& encoder, BlockHeader header, const Record* slots, std::uint32_t count, std::uint8_t* out);
/// A block of text.
std::size_t encode_text_block(BlockHeader header, const char* text, std::size_t bytes, std::uint8_t* out);

inline constexpr std::size_t block_bound = sizeof(BlockHeader) + 2 * chunk_bytes + (64 << 10);

}  // namespace fathom::trace
