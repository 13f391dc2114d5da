// SPDX-License-Identifier: Apache-2.0
#include "trace/unpack.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fathom::trace {
namespace {

std::uint64_t word_at(const std::uint8_t* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

constexpr std::uint64_t lowest_bits(unsigned width) { return width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1; }

/// Eight values stand in `width` bytes. With the width known to the compiler, where each one begins is too.
template <unsigned width>
void unpack_bits(const std::uint8_t* from, std::size_t eights, std::uint64_t base, std::uint64_t* values) {
  constexpr std::uint64_t mask = lowest_bits(width);
  for (; eights > 0; --eights, from += width, values += 8) {
    if constexpr (width <= 8) {
      const std::uint64_t word = word_at(from);
#pragma GCC unroll 8
      for (unsigned i = 0; i < 8; ++i) values[i] = base + (word >> i * width & mask);
    } else {
#pragma GCC unroll 8
      for (unsigned i = 0; i < 8; ++i) values[i] = base + (word_at(from + i * width / 8) >> i * width % 8 & mask);
    }
  }
}

using UnpackBits = void (*)(const std::uint8_t*, std::size_t, std::uint64_t, std::uint64_t*);
template <unsigned... width>
constexpr std::array<UnpackBits, sizeof...(width)> one_for_each(std::integer_sequence<unsigned, width...>) {
  return {unpack_bits<width>...};
}
constexpr auto unpackers = one_for_each(std::make_integer_sequence<unsigned, ColumnForm::widest + 1>());

}  // namespace

bool PackedColumns::take_bits(std::size_t count, ColumnValues& values, std::uint64_t base, ColumnForm form) {
  if (!form.possible() || left() < form.bytes(count)) return false;
  const std::size_t eights = (count + 7) / 8;
  (form.width == 64 ? unpack_bits<64> : unpackers[form.width])(at, eights, base, values.data());
  at += eights * form.width;
  const std::uint8_t *const places = at, *excess = places + form.exceptions;
  at = excess + form.exceptions * form.excess_bytes;
  const std::uint64_t mask = lowest_bits(8 * form.excess_bytes);
  for (unsigned i = 0; i < form.exceptions; ++i, excess += form.excess_bytes) {
    if (places[i] >= count) return false;
    values[places[i]] += (word_at(excess) & mask) << form.width;
  }
  return true;
}

bool PackedColumns::take(std::size_t count, ColumnValues& values, std::uint64_t& bound) {
  std::uint16_t start[2];
  if (left() < sizeof start) return false;
  std::memcpy(start, at, sizeof start);
  at += sizeof start;
  const std::uint64_t base = start[0];
  const ColumnForm form = ColumnForm::of(start[1]);
  bound = form.exceptions > 0 || form.width == 64 || form.shifted ? UINT64_MAX : base + lowest_bits(form.width);
  if (!form.shifted) return take_bits(count, values, base, form);
  if (base > 63 || !take_bits(count, values, 0, form)) return false;
  for (std::size_t i = 0; i < count; ++i) values[i] = ((values[i] >> 1) ^ (0 - (values[i] & 1))) << base;
  return true;
}

}  // namespace fathom::trace
