// SPDX-License-Identifier: Apache-2.0
#include "collect/block_stat.h"

#include <array>
#include <cstdint>

#include "base/text.h"

namespace fathom {

// Documentation/block/stat.rst of the kernel: read I/Os, merges, sectors, ticks, the same for writes, three more; since 4.18
// four of discards, since 5.5 two of flushes. A sector here is 512 bytes, whatever the device's own size is.
//     8093     2812   571010     2901    23190    33061  1538592    52341        0    22868    55242
std::optional<BlockStat> parse_block_stat(std::string_view text) {
  constexpr std::size_t fields = 11;
  constexpr std::uint64_t sector = 512;
  text = text.substr(0, text.find('\n'));
  std::array<std::uint64_t, fields> field{};
  for (std::uint64_t& value : field) {
    const auto number = parse_u64(take_word(text));
    if (!number) return std::nullopt;
    value = *number;
  }
  BlockStat stat;
  if (__builtin_mul_overflow(field[2], sector, &stat.values[index(Counter::read_bytes)]) ||
      __builtin_mul_overflow(field[6], sector, &stat.values[index(Counter::write_bytes)]))
    return std::nullopt;
  stat.values[index(Counter::read_ops)] = field[0];
  stat.values[index(Counter::write_ops)] = field[4];
  return stat;
}

}  // namespace fathom
