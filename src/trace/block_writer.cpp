// SPDX-License-Identifier: Apache-2.0
#include "trace/block_writer.h"

#include <cstring>
#include <string_view>

namespace fathom::trace {

BlockWriter::BlockWriter() : encoder_(new Encoder()), out_(block_bound) { start_encoder(*encoder_); }

std::string BlockWriter::records(std::uint64_t process, std::uint32_t thread, std::uint64_t first, const Record* slots, std::size_t count,
                                 std::uint32_t tick_shift) {
  BlockHeader header{};
  header.process = process;
  header.thread = thread;
  header.first = first;
  header.tick_shift = tick_shift;
  return bytes(encode_block(*encoder_, header, slots, static_cast<std::uint32_t>(count), out_.data()));
}

std::string BlockWriter::text(BlockKind kind, std::uint64_t process, const std::string& text) {
  BlockHeader header{};
  header.kind = kind;
  header.process = process;
  return bytes(encode_text_block(header, text.data(), text.size(), out_.data()));
}

std::string BlockWriter::slices(std::uint64_t process, std::uint64_t number, std::int64_t length, const std::vector<SliceRow>& rows) {
  const auto board = std::make_unique<SliceBoard>();
  board->length = length;
  board->scale = std::uint64_t{1} << 32;  // a tick is a nanosecond
  BlockHeader header{};
  header.process = process;
  header.first = number;
  std::vector<std::uint8_t> out(slice_block_bound(rows.size()));
  const std::size_t size = encode_slice_block(header, *board, rows.data(), static_cast<std::uint32_t>(rows.size()), out.data());
  return {reinterpret_cast<const char*>(out.data()), size};
}

std::size_t whole_slots(const std::vector<Record>& slots, std::size_t begin, std::size_t most) {
  std::size_t end = begin;
  while (end < slots.size()) {
    const std::size_t length = slots[end].call == slot_define ? 1u + slots[end].depth : 1u;
    if (end + length - begin > most && end > begin) break;
    end += length;
  }
  return end - begin;
}

void add_definition(std::vector<Record>& slots, Definition definition, std::string_view text) {
  const auto text_slots = (text.size() + sizeof(Record) - 1) / sizeof(Record);
  definition.call = slot_define;
  definition.text_bytes = static_cast<std::uint32_t>(text.size());
  definition.text_slots = static_cast<std::uint8_t>(text_slots);
  std::vector<Record> made(1 + text_slots);
  std::memcpy(made.data(), &definition, sizeof definition);
  if (!text.empty()) std::memcpy(made.data() + 1, text.data(), text.size());
  slots.insert(slots.end(), made.begin(), made.end());
}

}  // namespace fathom::trace
