// SPDX-License-Identifier: Apache-2.0
#include "trace_format/slice.h"

namespace fathom::trace {
namespace {

class Bytes {
 public:
  explicit Bytes(std::uint8_t* at) : at_(at) {}
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::uint8_t>(value | 0x80);
    *at_++ = static_cast<std::uint8_t>(value);
  }
  void signed_number(std::int64_t value) { number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63)); }
  const std::uint8_t* end() const { return at_; }

 private:
  std::uint8_t* at_;
};

std::uint64_t scaled(std::uint64_t ticks, std::uint64_t scale) {
  return static_cast<std::uint64_t>(static_cast<Wide>(ticks) * scale >> 32);
}

}  // namespace

std::uint32_t ring_rows(const SliceBoard& board, SliceRow* rows) {
  std::uint32_t count = 0;
  for (std::uint32_t place = 0; place < ring_slices; ++place)
    if (board.used[place / 64] >> (place % 64) & 1) rows[count++] = board.ring[place];
  return count;
}

std::uint32_t lane_rows(const SliceBoard& board, SliceRow* rows) {
  std::uint32_t count = 0;
  for (const SliceLane& lane : board.lanes) {
    SliceRow& row = rows[count];
    row.number = lane.number;
    std::uint64_t any = 0;
    for (std::size_t c = 0; c < slice_counters; ++c) any |= row.values[c] = lane.values[c] - lane.moved[c];
    count += any != 0;
  }
  return count;
}

std::size_t encode_slice_block(BlockHeader header, const SliceBoard& board, const SliceRow* rows, std::uint32_t count, std::uint8_t* out) {
  Bytes payload(out + sizeof header);
  payload.number(static_cast<std::uint64_t>(board.length));
  const std::uint64_t steps = board.steps < most_steps ? board.steps : most_steps;
  payload.number(steps);
  for (std::uint64_t i = 0; i < steps; ++i) {
    payload.signed_number(board.step[i].at);
    payload.signed_number(board.step[i].by);
  }
  std::int64_t before = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    payload.signed_number(static_cast<std::int64_t>(static_cast<std::uint64_t>(rows[i].number) - static_cast<std::uint64_t>(before)));
    before = rows[i].number;
    SliceValues values = rows[i].values;
    std::uint64_t bits = 0;
    for (std::size_t c = 0; c < slice_counters; ++c) {
      if (is_time(c)) values[c] = scaled(values[c], board.scale);
      if (values[c] != 0) bits |= 1u << c;
    }
    payload.number(bits);
    for (const std::uint64_t value : values)
      if (value != 0) payload.number(value);
  }
  header.kind = BlockKind::slices;
  header.records = count;
  return finish_block(header, out, payload.end());
}

}  // namespace fathom::trace
