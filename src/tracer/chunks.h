// SPDX-License-Identifier: Apache-2.0
/// The chunks of a process's memory file: threads fill them, the drainer empties them.
#pragma once

#include <cstdint>

#include "trace_format/memory_file.h"

namespace fathom::trace {

extern ChunkHeader* chunk_at[most_chunks];

/// A chunk to fill; grows, then waits for the drainer. Null if there is none to be had.
ChunkHeader* take_chunk();
/// A chunk of its own for something else than slots; null if there is no room.
ChunkHeader* add_chunk_as(ChunkState state);
/// The chunk that holds this slot.
ChunkHeader* chunk_of(const Record* record);
/// Hands a chunk over to the drainer.
void retire(ChunkHeader* chunk, std::uint32_t used);
/// A process of many threads may have more chunks: `number` is the newest of them.
void allow_for_thread(std::uint32_t number);
/// In a forked child: the parent's chunks are not there.
void forget_chunks();

}  // namespace fathom::trace
