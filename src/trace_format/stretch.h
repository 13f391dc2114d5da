// SPDX-License-Identifier: Apache-2.0
/// How records stand in a block: stretches of 64, each column of a stretch with as many bits for a value as most of its values need.
///
/// payload of a records block:
///   u32 bytes of the definitions, then a stream of them: u8 form; unless it is zeros: u32 length and that many bytes;
///   u32 number of kinds, then u64 each (object u32, call u16, depth u8, detail u8);
///   stretches, all of 64 records but the last; 8 bytes of zeros.
/// stretch: u8, whose six lowest bits say which columns are there (kind lowest) and the others how long the lead is; the lead; the columns.
///   The columns are kind, offset, bytes, result, gap (start - end of the record before) and duration. One that is not there is all zero.
///   Offset, bytes, result and gap are signed: differences to what Foretold says.
/// lead: how long before the end of the last record the first call starts of all that are left in the block; 0 if none does.
/// column: u16 base, u16 form (ColumnForm), 8 values after each other in `width` bytes, padded to a multiple of 8 values; u8 each for the
///   places of exceptions, then what these have above `width` bits, in `excess_bytes` each. With v = bits + (excess << width), a value is
///   base + v; or, if `shifted`, (v / 2, or -v / 2 - 1/2 if v is odd) << base: there are negative ones, or all are multiples of a power of
///   two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::trace {

enum class StreamForm : std::uint8_t { zeros = 0, plain = 1, zstd = 2 };

inline constexpr std::size_t stretch_records = 64;
enum Column : unsigned { kind_column, offset_column, bytes_column, result_column, gap_column, duration_column, column_count };

inline constexpr std::size_t lead_sizes[] = {0, 2, 4, 8};

/// Words of 8 bytes may be read from any byte of a stretch: this much stands behind the last one.
inline constexpr std::size_t padding_behind_stretches = 8;

/// Bits 0-5: width, 57 standing for 64; 6-11: number of exceptions; 12-14: bytes of an excess, less one; 15: shifted.
struct ColumnForm {
  static constexpr unsigned widest = 56;  // a value of more bits could stand in nine bytes
  static constexpr unsigned whole = 57;
  static constexpr unsigned most_exceptions = 63;

  unsigned width = 0, exceptions = 0, excess_bytes = 1;
  bool shifted = false;

  static constexpr ColumnForm of(std::uint16_t form) {
    const unsigned width = form & 63u;
    return {width == whole ? 64 : width, form >> 6 & 63u, (form >> 12 & 7u) + 1, form >> 15 != 0};
  }
  constexpr std::uint16_t coded() const {
    return static_cast<std::uint16_t>((width == 64 ? whole : width) | exceptions << 6 | (excess_bytes - 1) << 12 |
                                      (shifted ? 1u << 15 : 0u));
  }
  constexpr bool possible() const { return width <= widest || (width == 64 && exceptions == 0); }
  /// Bytes of `count` values, behind base and form.
  constexpr std::size_t bytes(std::size_t count) const { return (count + 7) / 8 * width + exceptions * (1 + excess_bytes); }
};

}  // namespace fathom::trace
