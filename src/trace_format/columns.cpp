// SPDX-License-Identifier: Apache-2.0
#include "trace_format/columns.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "trace_format/pack.h"

namespace fathom::trace {
namespace {

constexpr int level = 1;

/// Where output goes; a failure sticks.
struct Writer {
  std::uint8_t* at;
  bool failed = false;

  template <class T>
  void put(T value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
};

bool all_zero(const std::uint8_t* data, std::size_t bytes) {
  return bytes == 0 || (data[0] == 0 && std::memcmp(data, data + 1, bytes - 1) == 0);
}

void put_stream(Encoder& encoder, Writer& writer, const std::uint8_t* data, std::size_t bytes) {
  if (all_zero(data, bytes)) return writer.put(StreamForm::zeros);
  std::uint8_t* const form = writer.at;
  writer.at += 5;
  auto* const compressor = static_cast<ZSTD_CCtx*>(encoder.compressor);
  std::size_t size = ZSTD_compressCCtx(compressor, writer.at, ZSTD_compressBound(bytes), data, bytes, level);
  *form = static_cast<std::uint8_t>(StreamForm::zstd);
  if (ZSTD_isError(size) || size >= bytes) {
    *form = static_cast<std::uint8_t>(StreamForm::plain);
    std::memcpy(writer.at, data, bytes);
    size = bytes;
  }
  const auto length = static_cast<std::uint32_t>(size);
  std::memcpy(form + 1, &length, sizeof length);
  writer.at += size;
}

/// All columns of all records. What starts first of all that are left is told in front of each stretch, so that a reader knows it without
/// unpacking them.
void put_stretches(Encoder& encoder, Writer& writer, std::size_t records) {
  const std::size_t number = (records + stretch_records - 1) / stretch_records;
  for (std::size_t s = number - 1; s > 0; --s)
    if (encoder.stretches[s].earliest < encoder.stretches[s - 1].earliest)
      encoder.stretches[s - 1].earliest = encoder.stretches[s].earliest;
  for (std::size_t s = 0; s < number; ++s) {
    const Encoder::Stretch& stretch = encoder.stretches[s];
    const std::size_t at = s * stretch_records, count = records - at < stretch_records ? records - at : stretch_records;
    const std::uint64_t lead = stretch.earliest < stretch.end_before ? stretch.end_before - stretch.earliest : 0;
    const unsigned lead_size = lead == 0 ? 0 : lead <= UINT16_MAX ? 1 : lead <= UINT32_MAX ? 2 : 3;
    std::uint8_t* const start = writer.at++;
    std::memcpy(writer.at, &lead, sizeof lead);
    writer.at += lead_sizes[lead_size];
    unsigned there = 0;
    for (unsigned c = 0; c < column_count; ++c) {
      std::uint64_t* const values = encoder.columns[c] + at;
      const std::uint64_t any = any_bits(values, count);
      if (any == 0) continue;
      there |= 1u << c;
      writer.at = pack_column(values, count, any, writer.at);
    }
    *start = static_cast<std::uint8_t>(there | lead_size << column_count);
  }
  writer.put(std::uint64_t{0});
  static_assert(sizeof(std::uint64_t) == padding_behind_stretches);
}

std::uint64_t key_of(const Record& record) {
  std::uint64_t key;
  std::memcpy(&key, &record.object, sizeof key);
  return key;
}

/// The number of a kind in this block; new ones get the next.
std::uint16_t kind_number(Encoder& encoder, std::uint64_t key, std::uint32_t& kinds) {
  std::size_t slot = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 50);
  while (encoder.table_generation[slot] == encoder.generation) {
    if (encoder.kinds[encoder.table[slot]].key == key) return encoder.table[slot];
    slot = (slot + 1) % Encoder::table_size;
  }
  encoder.table_generation[slot] = encoder.generation;
  encoder.table[slot] = static_cast<std::uint16_t>(kinds);
  encoder.kinds[kinds] = {key, Foretold{}};
  return static_cast<std::uint16_t>(kinds++);
}

struct Split {
  std::uint32_t records = 0;
  std::uint32_t kinds = 0;
  std::size_t definition_bytes = 0;
};

/// One walk over the slots: definitions aside, records into columns.
Split split(Encoder& encoder, BlockHeader& header, const Record* slots, std::uint32_t count) {
  Split result;
  const unsigned shift = header.tick_shift;
  std::uint64_t last_end = 0;
  header.earliest = UINT64_MAX;
  header.latest = 0;
  for (std::uint32_t i = 0; i < count;) {
    const Record& record = slots[i];
    if (record.call == slot_define) {
      const std::uint32_t length = 1u + record.depth;
      if (i + length > count) break;
      std::memcpy(encoder.definitions + result.definition_bytes, &record, length * sizeof(Record));
      result.definition_bytes += length * sizeof(Record);
      i += length;
      continue;
    }
    ++i;
    if (record.call < first_call) continue;
    const std::uint64_t from = record.start >> shift;
    const std::uint64_t to = (record.start + record.duration) >> shift;
    if (result.records == 0) last_end = from;
    const std::uint32_t n = result.records++;
    const std::uint16_t number = kind_number(encoder, key_of(record), result.kinds);
    Foretold& next = encoder.kinds[number].next;
    Encoder::Stretch& stretch = encoder.stretches[n / stretch_records];
    if (n % stretch_records == 0) stretch = {last_end, from};
    if (from < stretch.earliest) stretch.earliest = from;
    const auto column = [&](Column which) -> std::uint64_t& { return encoder.columns[which][n]; };
    column(kind_column) = number;
    column(offset_column) = static_cast<std::uint64_t>(record.offset) - static_cast<std::uint64_t>(next.next_offset());
    column(bytes_column) = record.bytes - next.bytes;
    column(result_column) = static_cast<std::uint64_t>(record.result) - static_cast<std::uint64_t>(next.next_result(record.bytes));
    column(gap_column) = from - last_end;
    column(duration_column) = to - from;
    next.saw(record.offset, record.bytes, record.result);
    last_end = to;
    if (from < header.earliest) header.earliest = from;
    if (to > header.latest) header.latest = to;
    if (n == 0) header.base = from;
  }
  return result;
}

}  // namespace

bool start_encoder(Encoder& encoder) {
  encoder.compressor = ZSTD_initStaticCCtx(encoder.compressor_memory, sizeof encoder.compressor_memory);
  return encoder.compressor != nullptr;
}

std::size_t encode_text_block(BlockHeader header, const char* text, std::size_t bytes, std::uint8_t* out) {
  std::memcpy(out + sizeof header, text, bytes);
  return finish_block(header, out, out + sizeof header + bytes);
}

std::size_t encode_block(Encoder& encoder, BlockHeader header, const Record* slots, std::uint32_t count, std::uint8_t* out) {
  ++encoder.generation;
  header.kind = BlockKind::records;
  header.slots = count;
  const Split parts = split(encoder, header, slots, count);
  header.records = parts.records;
  if (parts.records == 0) header.earliest = header.latest = header.base = 0;
  Writer writer{out + sizeof header};
  writer.put(static_cast<std::uint32_t>(parts.definition_bytes));
  put_stream(encoder, writer, encoder.definitions, parts.definition_bytes);
  header.definition_bytes = static_cast<std::uint32_t>(writer.at - out - sizeof header);
  if (parts.records > 0) {
    writer.put(parts.kinds);
    for (std::uint32_t k = 0; k < parts.kinds; ++k) writer.put(encoder.kinds[k].key);
    put_stretches(encoder, writer, parts.records);
  }
  return finish_block(header, out, writer.at);
}

}  // namespace fathom::trace
