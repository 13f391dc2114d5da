// SPDX-License-Identifier: Apache-2.0
#include "trace/memory_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/other_format.h"
#include "trace_format/memory_file.h"
#include "trace_format/memory_folder.h"
#include "trace_format/slice.h"

namespace fathom::trace {
namespace {

/// A copy that stands at an address fit for it; the file may still change.
template <class Header>
class HeaderCopy {
 public:
  explicit HeaderCopy(const std::uint8_t* from) { std::memcpy(bytes_, from, sizeof(Header)); }
  const Header* operator->() const { return reinterpret_cast<const Header*>(bytes_); }
  const Header& operator*() const { return *operator->(); }

 private:
  alignas(Header) std::uint8_t bytes_[sizeof(Header)];
};

/// Slots up to the first that is not whole: in a chunk that is being filled, the first empty one. Empty ones at the end do not count: a
/// chunk that was just emptied still seems full, and a block of nothing must not stand for the slots that are in the trace.
std::size_t whole_slots(const std::vector<Record>& slots, bool filling) {
  std::size_t i = 0, whole = 0;
  while (i < slots.size()) {
    const bool empty = slots[i].call == slot_empty;
    if (filling && empty) break;
    const std::size_t length = slots[i].call == slot_define ? 1u + slots[i].depth : 1u;
    if (i + length > slots.size()) break;
    i += length;
    if (!empty) whole = i;
  }
  return whole;
}

std::optional<LeftoverSlots> read_chunk(const std::uint8_t* at) {
  const HeaderCopy<ChunkHeader> header(at);
  const ChunkState state = header->state.load();
  if (header->magic != chunk_magic || (state != ChunkState::filling && state != ChunkState::full && state != ChunkState::draining))
    return std::nullopt;
  const bool filling = state == ChunkState::filling || header->used == 0;
  // Slots before `drained` are in the trace, and their memory may have been given back: it reads as zeros.
  const std::uint64_t from = header->drained, until = filling ? chunk_slots : std::min(header->used, chunk_slots);
  if (from >= until) return std::nullopt;
  LeftoverSlots chunk{header->thread, header->first + from, {}};
  chunk.slots.resize(until - from);
  std::memcpy(chunk.slots.data(), at + sizeof(ChunkHeader) + from * sizeof(Record), chunk.slots.size() * sizeof(Record));
  chunk.slots.resize(whole_slots(chunk.slots, filling));
  chunk.slots.shrink_to_fit();
  if (chunk.slots.empty()) return std::nullopt;
  return chunk;
}

/// What the ring holds and what lanes hold, as blocks.
std::vector<std::string> read_board(const std::uint8_t* at, std::uint64_t process) {
  const auto memory = std::make_unique<HeaderCopy<SliceBoard>>(at + sizeof(ChunkHeader));
  const SliceBoard& board = **memory;
  if (board.length < shortest_slice) return {};
  std::vector<SliceRow> rows(std::max(ring_slices, slice_lanes));
  std::vector<std::uint8_t> out(slice_block_bound(rows.size()));
  std::vector<std::string> blocks;
  const auto add = [&](std::uint64_t number, std::uint32_t count) {
    if (count == 0 && (board.steps == 0 || number >= block_of_lanes)) return;
    BlockHeader header{};
    header.process = process;
    header.first = number;
    blocks.emplace_back(reinterpret_cast<const char*>(out.data()), encode_slice_block(header, board, rows.data(), count, out.data()));
  };
  add(board.blocks & ~block_of_lanes, ring_rows(board, rows.data()));
  add(board.blocks | block_of_lanes, lane_rows(board, rows.data()));
  return blocks;
}

bool holds_slices(const std::uint8_t* at) {
  const HeaderCopy<ChunkHeader> header(at);
  return header->magic == chunk_magic && header->state.load() == ChunkState::slices;
}

ProcessDetails read_process(const HeaderCopy<ProcessHeader>& header, std::string_view text) {
  ProcessDetails process;
  read_process_text(text, process);
  process.process = header->process;
  process.pid = header->pid;
  process.clock = header->clock;
  process.start = header->start;
  process.end = header->end;
  if (header->rank >= 0) process.rank = header->rank, process.ranks = header->ranks;
  if (header->zero_ticks != 0) process.zero_ticks = header->zero_ticks;
  if (header->last_ticks != 0) process.last_ticks = header->last_ticks;
  process.waits = header->waits;
  process.lost = header->lost;
  return process;
}

}  // namespace

std::filesystem::path memory_folder_of(const std::filesystem::path& trace) {
  std::filesystem::path name = std::filesystem::absolute(trace).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return memory_folder(::getuid(), name.string()).data;
}

std::string why_not_read(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < first_chunk_at) return "it is too short for the memory file of a traced process";
  const HeaderCopy<ProcessHeader> header(bytes.data());
  if (header->magic != memory_magic) return "it is no memory file of a traced process";
  return "memory file of a traced process: " + other_format(header->version, format_version);
}

std::optional<Leftover> read_memory_file(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < first_chunk_at) return std::nullopt;
  const HeaderCopy<ProcessHeader> header(bytes.data());
  if (header->magic != memory_magic || header->version != format_version) return std::nullopt;
  const std::size_t text_bytes = std::min<std::size_t>(header->text_bytes, text_capacity);
  Leftover leftover;
  leftover.process = read_process(header, {reinterpret_cast<const char*>(bytes.data()) + text_at, text_bytes});
  const std::size_t there = (bytes.size() - first_chunk_at) / chunk_bytes;
  const std::size_t chunks = std::min<std::size_t>({header->chunks.load(), there, most_chunks});
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::uint8_t* const at = bytes.data() + first_chunk_at + i * chunk_bytes;
    if (auto chunk = read_chunk(at))
      leftover.chunks.push_back(std::move(*chunk));
    else if (holds_slices(at) && leftover.slice_blocks.empty())
      leftover.slice_blocks = read_board(at, leftover.process.process);
  }
  return leftover;
}

}  // namespace fathom::trace
