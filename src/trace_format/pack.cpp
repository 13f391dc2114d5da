// SPDX-License-Identifier: Apache-2.0
#include "trace_format/pack.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "trace_format/stretch.h"

namespace fathom::trace {
namespace {

template <class T>
std::uint8_t* put(std::uint8_t* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return out + sizeof value;
}

/// What reading an exception costs more than reading another value, in bytes that are worth as much time.
constexpr std::size_t price_of_exception = 1;

/// The width that takes the fewest bytes: what is above it in few values stands apart.
ColumnForm choose_form(const std::uint64_t* values, std::size_t count, std::uint64_t any) {
  const auto most_bits = static_cast<unsigned>(std::bit_width(any));
  ColumnForm best{most_bits <= ColumnForm::widest ? most_bits : 64};
  if (most_bits == 0) return best;
  std::uint8_t of_bits[65] = {};
  for (std::size_t i = 0; i < count; ++i) ++of_bits[std::bit_width(values[i])];
  std::size_t least = best.bytes(count);
  unsigned exceptions = 0;
  for (unsigned width = most_bits; width-- > 0;) {
    exceptions += of_bits[width + 1];
    if (exceptions > ColumnForm::most_exceptions) break;
    if (width > ColumnForm::widest) continue;
    const ColumnForm form{width, exceptions, (most_bits - width + 7) / 8};
    const std::size_t cost = form.bytes(count) + exceptions * price_of_exception;
    if (cost < least) best = form, least = cost;
  }
  return best;
}

/// Bits of all values in a row. A word is written from its first byte on each time: what is too much of it comes with the next.
void put_bits(const std::uint64_t* values, std::size_t count, unsigned width, std::uint8_t* out) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::uint64_t bits = 0;
  unsigned filled = 0;  // less than 8 of them: with 56 more they fit
  for (std::size_t i = 0; i < count; ++i) {
    bits |= (values[i] & mask) << filled;
    filled += width;
    put(out, bits);
    out += filled / 8;
    bits >>= filled & ~7u;
    filled &= 7;
  }
  put(out, bits);
}

/// Values without their common lowest bits, and then the sign lowest; gives their bits.
std::uint64_t shift_down(std::uint64_t* values, std::size_t count, unsigned shift) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int64_t>(values[i]) >> shift;
    any |= values[i] = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  }
  return any;
}

std::uint64_t take_from_all(std::uint64_t* values, std::size_t count, std::uint64_t base) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= values[i] -= base;
  return any;
}

/// Whether shifting leaves fewer bits than taking the base from all; the sign takes one.
bool shifting_is_better(const std::uint64_t* values, std::size_t count, std::uint64_t any, unsigned shift, std::uint64_t base) {
  if (any >> 63 != 0) return true;
  if (shift <= 1) return false;
  std::uint64_t greatest = 0;
  for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, values[i]);
  return std::bit_width(any >> shift) + 1 < std::bit_width(greatest - base);
}

}  // namespace

std::uint64_t any_bits(const std::uint64_t* values, std::size_t count) {
  std::uint64_t any[4] = {};  // four chains: the processor can do as much at once
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) any[k] |= values[i + k];
  for (; i < count; ++i) any[0] |= values[i];
  return any[0] | any[1] | any[2] | any[3];
}

std::uint8_t* pack_column(std::uint64_t* values, std::size_t count, std::uint64_t any, std::uint8_t* out) {
  const auto shift = static_cast<unsigned>(std::countr_zero(any));
  std::uint64_t base = UINT16_MAX;
  for (std::size_t i = 0; i < count; ++i) base = std::min(base, values[i]);
  const bool shifted = shifting_is_better(values, count, any, shift, base);
  any = shifted ? shift_down(values, count, shift) : take_from_all(values, count, base);
  if (shifted) base = shift;
  ColumnForm form = choose_form(values, count, any);
  form.shifted = shifted;
  out = put(put(out, static_cast<std::uint16_t>(base)), form.coded());
  const std::size_t bytes = (count + 7) / 8 * form.width;
  if (form.width == 64) {
    std::memset(out, 0, bytes);
    std::memcpy(out, values, 8 * count);
    return out + bytes;
  }
  if (form.width > 0) {
    if (count % 8 != 0) std::memset(out, 0, bytes);
    put_bits(values, count, form.width, out);
    out += bytes;
  }
  std::uint8_t* excess = out + form.exceptions;
  for (std::size_t i = 0; i < count && form.exceptions > 0; ++i) {
    const std::uint64_t above = values[i] >> form.width;
    if (above == 0) continue;
    *out++ = static_cast<std::uint8_t>(i);
    std::memcpy(excess, &above, form.excess_bytes);
    excess += form.excess_bytes;
  }
  return excess;
}

}  // namespace fathom::trace
