// SPDX-License-Identifier: Apache-2.0
#include "trace/decode.h"

#include <zstd.h>

#include <cstring>
#include <span>

#include "trace_format/stretch.h"

namespace fathom::trace {
namespace {

constexpr std::size_t most_definition_bytes = 4 << 20;

/// Some bytes as they stand in a block.
struct Stream {
  StreamForm form = StreamForm::zeros;
  std::span<const std::uint8_t> packed;
};

/// The payload, from front to back; a failure sticks.
struct Cursor {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool failed = false;

  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  const std::uint8_t* skip(std::size_t bytes) {
    failed |= bytes > left();
    if (failed) return nullptr;
    at += bytes;
    return at - bytes;
  }
  template <class T>
  T take() {
    T value{};
    if (const std::uint8_t* const from = skip(sizeof value)) std::memcpy(&value, from, sizeof value);
    return value;
  }
  Stream stream() {
    Stream stream{take<StreamForm>(), {}};
    if (failed || stream.form == StreamForm::zeros) return stream;
    const auto length = take<std::uint32_t>();
    if (const std::uint8_t* const from = skip(length)) stream.packed = {from, length};
    return stream;
  }
};

bool read_kinds(Cursor& cursor, std::size_t records, std::vector<RecordKind>& kinds) {
  const auto number = cursor.take<std::uint32_t>();
  if (cursor.failed || number == 0 || number > records) return false;
  const std::uint8_t* const from = cursor.skip(number * sizeof(RecordKind));
  if (from == nullptr) return false;
  kinds.resize(number);
  std::memcpy(kinds.data(), from, number * sizeof(RecordKind));
  return true;
}

}  // namespace

struct BlockDecoder::State {
  ZSTD_DCtx* unpacker = ZSTD_createDCtx();
  ~State() { ZSTD_freeDCtx(unpacker); }

  /// A stream of exactly `bytes` that is not all zero.
  bool unpack(const Stream& stream, std::uint8_t* out, std::size_t bytes) {
    if (stream.form == StreamForm::zstd)
      return ZSTD_decompressDCtx(unpacker, out, bytes, stream.packed.data(), stream.packed.size()) == bytes;
    if (stream.form != StreamForm::plain || stream.packed.size() != bytes) return false;
    if (bytes > 0) std::memcpy(out, stream.packed.data(), bytes);
    return true;
  }
};

BlockDecoder::BlockDecoder() : state_(std::make_unique<State>()) {}
BlockDecoder::~BlockDecoder() = default;

bool BlockDecoder::definitions(const Block& block, std::vector<Record>& slots) {
  slots.clear();
  if (block.header.definition_bytes > block.header.payload_bytes) return false;
  Cursor cursor{block.payload, block.payload + block.header.definition_bytes};
  const auto bytes = cursor.take<std::uint32_t>();
  if (cursor.failed || bytes > most_definition_bytes || bytes % sizeof(Record) != 0) return false;
  const Stream stream = cursor.stream();
  if (cursor.failed || cursor.left() != 0) return false;
  slots.resize(bytes / sizeof(Record));
  return stream.form == StreamForm::zeros || state_->unpack(stream, reinterpret_cast<std::uint8_t*>(slots.data()), bytes);
}

bool BlockDecoder::records(const Block& block, BlockRecords& records) {
  const BlockHeader& header = block.header;
  records.forget();
  if (header.records > most_records || header.definition_bytes > header.payload_bytes) return false;
  if (header.records == 0) return header.definition_bytes == header.payload_bytes;
  Cursor cursor{block.payload + header.definition_bytes, block.payload + header.payload_bytes};
  if (!read_kinds(cursor, header.records, records.kinds_)) return false;
  return records.start_reading(header, cursor.at, cursor.end);
}

}  // namespace fathom::trace
