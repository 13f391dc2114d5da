// SPDX-License-Identifier: Apache-2.0
#include "trace/decode.h"

#include <zstd.h>

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "trace_format/columns.h"
#include "trace_format/planes.h"

namespace fathom::trace {
namespace {

constexpr std::size_t most_definition_bytes = 4 << 20;
constexpr std::size_t slack = 16;  // planes are read sixteen bytes at a time

/// The payload, from front to back; a failure sticks.
struct Cursor {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool failed = false;

  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  template <class T>
  T take() {
    T value{};
    if (left() < sizeof value) {
      failed = true;
      return value;
    }
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  }
};

std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

using Planes = std::array<const std::uint8_t*, 8>;  // nullptr: all zero; each has `slack` bytes more than there are values

#ifdef __SSE2__
/// Interleaving neighbours turns planes into pairs of bytes, those into fours and those into whole values: sixteen at a time.
template <unsigned number>
void join_planes_of(const Planes& planes, std::size_t count, std::uint64_t* out) {
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t i = 0; i < count; i += 16) {
    const auto load = [&](unsigned p) { return planes[p] == nullptr ? zero : _mm_loadu_si128(reinterpret_cast<const __m128i*>(planes[p] + i)); };
    __m128i fours[2][4];  // lower and upper half of values, for each four values
    for (unsigned half = 0; half < 2; ++half) {
      if (half * 4 >= number) {
        for (__m128i& four : fours[half]) four = zero;
        continue;
      }
      const __m128i a = load(4 * half), b = load(4 * half + 1), c = load(4 * half + 2), d = load(4 * half + 3);
      const __m128i low_ab = _mm_unpacklo_epi8(a, b), high_ab = _mm_unpackhi_epi8(a, b), low_cd = _mm_unpacklo_epi8(c, d), high_cd = _mm_unpackhi_epi8(c, d);
      fours[half][0] = _mm_unpacklo_epi16(low_ab, low_cd);
      fours[half][1] = _mm_unpackhi_epi16(low_ab, low_cd);
      fours[half][2] = _mm_unpacklo_epi16(high_ab, high_cd);
      fours[half][3] = _mm_unpackhi_epi16(high_ab, high_cd);
    }
    auto* const to = reinterpret_cast<__m128i*>(out + i);
    for (unsigned k = 0; k < 4; ++k) {
      _mm_storeu_si128(to + 2 * k, _mm_unpacklo_epi32(fours[0][k], fours[1][k]));
      _mm_storeu_si128(to + 2 * k + 1, _mm_unpackhi_epi32(fours[0][k], fours[1][k]));
    }
  }
}
#endif

/// `number` planes of `count` bytes into values.
void join_planes(const Planes& planes, unsigned number, std::size_t count, std::uint64_t* out) {
  if (number == 0) return static_cast<void>(std::memset(out, 0, count * sizeof *out));
#ifdef __SSE2__
  number <= 4 ? join_planes_of<4>(planes, count, out) : join_planes_of<8>(planes, count, out);
#else
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    for (unsigned p = 0; p < number; ++p)
      if (planes[p] != nullptr) value |= static_cast<std::uint64_t>(planes[p][i]) << (8 * p);
    out[i] = value;
  }
#endif
}

}  // namespace

struct BlockDecoder::State {
  ZSTD_DCtx* unpacker = ZSTD_createDCtx();
  std::vector<std::uint8_t> planes[8];
  std::vector<std::uint64_t> gap, duration;
  std::vector<Foretold> next;

  ~State() { ZSTD_freeDCtx(unpacker); }

  /// A stream of exactly `bytes` into `out`; `zeros` says that it is all zero and nothing was written.
  bool stream(Cursor& cursor, std::uint8_t* out, std::size_t bytes, bool& zeros) {
    const auto form = cursor.take<StreamForm>();
    zeros = form == StreamForm::zeros;
    if (cursor.failed) return false;
    if (zeros) return true;
    const auto length = cursor.take<std::uint32_t>();
    if (cursor.failed || length > cursor.left()) return false;
    const std::uint8_t* const from = cursor.at;
    cursor.at += length;
    if (form == StreamForm::plain) {
      if (length != bytes) return false;
      if (bytes > 0) std::memcpy(out, from, bytes);
      return true;
    }
    return form == StreamForm::zstd && ZSTD_decompressDCtx(unpacker, out, bytes, from, length) == bytes;
  }

  bool column(Cursor& cursor, std::size_t count, std::vector<std::uint64_t>& out) {
    if (out.size() < count + slack) out.resize(count + slack);
    const auto number = cursor.take<std::uint8_t>();
    if (cursor.failed || number > 8) return false;
    Planes found{};
    for (unsigned p = 0; p < number; ++p) {
      if (planes[p].size() < count + slack) planes[p].resize(count + slack);
      bool zeros = false;
      if (!stream(cursor, planes[p].data(), count, zeros)) return false;
      found[p] = zeros ? nullptr : planes[p].data();
    }
    join_planes(found, number, count, out.data());
    return true;
  }

  bool kinds(Cursor& cursor, std::size_t records, std::vector<std::uint64_t>& out) {
    const auto number = cursor.take<std::uint32_t>();
    if (cursor.failed || number == 0 || number > records || number > cursor.left() / sizeof(std::uint64_t)) return false;
    out.resize(number);
    std::memcpy(out.data(), cursor.at, number * sizeof(std::uint64_t));
    cursor.at += number * sizeof(std::uint64_t);
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
  slots.resize(bytes / sizeof(Record));
  bool zeros = false;
  return state_->stream(cursor, reinterpret_cast<std::uint8_t*>(slots.data()), bytes, zeros) && cursor.left() == 0;
}

namespace {

/// Adds what was foretold to what the columns hold.
bool add_foretold(RecordColumns& columns, std::vector<Foretold>& kinds) {
  kinds.assign(columns.kinds.size(), Foretold{});
  for (std::size_t i = 0; i < columns.count; ++i) {
    const std::uint64_t number = columns.kind_of[i];
    if (number >= kinds.size()) return false;
    Foretold& next = kinds[number];
    const std::uint64_t offset = static_cast<std::uint64_t>(next.next_offset()) + unzigzag(columns.offset[i]);
    const std::uint64_t bytes = next.bytes + unzigzag(columns.bytes[i]);
    const std::uint64_t result = static_cast<std::uint64_t>(next.next_result(bytes)) + unzigzag(columns.result[i]);
    next.saw(static_cast<std::int64_t>(offset), bytes, static_cast<std::int64_t>(result));
    columns.offset[i] = offset;
    columns.bytes[i] = bytes;
    columns.result[i] = result;
  }
  return true;
}

/// Gaps and durations to times; false when the header's earliest and latest are not theirs, by which blocks are put in order.
bool add_times(RecordColumns& columns, const BlockHeader& header, const std::vector<std::uint64_t>& gap, const std::vector<std::uint64_t>& duration) {
  std::uint64_t last = header.base, earliest = UINT64_MAX, latest = 0;
  bool good = true;
  for (std::size_t i = 0; i < columns.count; ++i) {
    const std::uint64_t start = last + unzigzag(gap[i]);
    last = start + duration[i];
    good &= last >= start;
    earliest = start < earliest ? start : earliest;
    latest = last > latest ? last : latest;
    columns.start[i] = start;
    columns.end[i] = last;
  }
  return good && earliest == header.earliest && latest == header.latest && latest >> (63 - header.tick_shift) == 0;
}

}  // namespace

bool BlockDecoder::records(const Block& block, RecordColumns& columns) {
  const BlockHeader& header = block.header;
  columns.count = 0;
  if (header.records > most_records || header.definition_bytes > header.payload_bytes) return false;
  if (header.records == 0) return header.definition_bytes == header.payload_bytes;
  Cursor cursor{block.payload + header.definition_bytes, block.payload + header.payload_bytes};
  State& state = *state_;
  const std::size_t n = header.records;
  if (!state.kinds(cursor, n, columns.kinds)) return false;
  for (auto* column : {&columns.kind_of, &columns.offset, &columns.bytes, &columns.result, &state.gap, &state.duration})
    if (!state.column(cursor, n, *column)) return false;
  if (cursor.left() != 0) return false;
  columns.count = n;
  if (columns.start.size() < n) columns.start.resize(n), columns.end.resize(n);
  return add_foretold(columns, state.next) && add_times(columns, header, state.gap, state.duration);
}

std::vector<Record> as_records(const RecordColumns& columns, std::uint32_t tick_shift) {
  std::vector<Record> records(columns.count);
  for (std::size_t i = 0; i < columns.count; ++i) {
    Record& record = records[i];
    record.start = columns.start[i] << tick_shift;
    record.duration = (columns.end[i] << tick_shift) - record.start;
    record.offset = static_cast<std::int64_t>(columns.offset[i]);
    record.bytes = columns.bytes[i];
    record.result = static_cast<std::int64_t>(columns.result[i]);
    std::memcpy(&record.object, &columns.kinds[columns.kind_of[i]], sizeof(std::uint64_t));
  }
  return records;
}

}  // namespace fathom::trace
