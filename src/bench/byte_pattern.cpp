// SPDX-License-Identifier: Apache-2.0
#include "bench/byte_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/random.h"

namespace fathom {

constexpr std::uint64_t word_bytes = sizeof(std::uint64_t);

BytePattern::BytePattern(std::uint64_t seed, std::uint64_t task) : key_(Random::stream(seed ^ 0xda7au, task).next()) {}

/// Word `number` of the file: splitmix64 of its place, so that no stretch looks like another one.
std::uint64_t BytePattern::word(std::uint64_t number) const {
  std::uint64_t z = key_ + number * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::byte BytePattern::at(std::uint64_t offset) const {
  return static_cast<std::byte>(word(offset / word_bytes) >> (offset % word_bytes * 8) & 0xff);
}

void BytePattern::fill(std::span<std::byte> bytes, std::uint64_t offset) const {
  std::size_t i = 0;
  for (; i < bytes.size() && (offset + i) % word_bytes != 0; ++i) bytes[i] = at(offset + i);
  for (; i + word_bytes <= bytes.size(); i += word_bytes) {
    std::uint64_t little = word((offset + i) / word_bytes);
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) little = __builtin_bswap64(little);
    std::memcpy(&bytes[i], &little, word_bytes);
  }
  for (; i < bytes.size(); ++i) bytes[i] = at(offset + i);
}

std::optional<std::size_t> BytePattern::first_difference(std::span<const std::byte> bytes, std::uint64_t offset) const {
  std::array<std::byte, 4096> wanted;
  for (std::size_t begin = 0; begin < bytes.size(); begin += wanted.size()) {
    const auto part = bytes.subspan(begin, std::min(wanted.size(), bytes.size() - begin));
    fill(std::span(wanted).first(part.size()), offset + begin);
    if (std::memcmp(part.data(), wanted.data(), part.size()) == 0) continue;
    const auto place = std::mismatch(part.begin(), part.end(), wanted.begin()).first;
    return begin + static_cast<std::size_t>(place - part.begin());
  }
  return std::nullopt;
}

}  // namespace fathom
