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
ColumnForm choose_form(const std::uint64_t* values, std::size_t count, std::uint64_t greatest) {
  const auto most_bits = static_cast<unsigned>(std::bit_width(greatest));
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

/// Gives by how many bits all values were shifted down.
unsigned make_unsigned(std::uint64_t* values, std::size_t count, std::uint64_t any) {
  const auto shift = static_cast<unsigned>(std::countr_zero(any));
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int64_t>(values[i]) >> shift;
    values[i] = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  }
  return shift;
}

std::uint64_t take_base(std::uint64_t* values, std::size_t count) {
  std::uint64_t base = UINT16_MAX;
  for (std::size_t i = 0; i < count; ++i) base = std::min(base, values[i]);
  for (std::size_t i = 0; i < count; ++i) values[i] -= base;
  return base;
}

}  // namespace

std::uint8_t* pack_column(bool is_signed, std::uint64_t* values, std::size_t count, std::uint8_t* out) {
  std::uint64_t any = 0, greatest = 0;
  for (std::size_t i = 0; i < count; ++i) any |= values[i];
  const std::uint64_t base = is_signed ? make_unsigned(values, count, any) : take_base(values, count);
  for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, values[i]);
  const ColumnForm form = choose_form(values, count, greatest);
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
