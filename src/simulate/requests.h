// SPDX-License-Identifier: Apache-2.0
/// The request generator: what counters say about an interval, as a sequence of requests that is never written out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/wide.h"

namespace fathom::simulate {

enum class Kind : std::uint8_t { read, write };
inline constexpr std::array<const char*, 2> kind_names = {"read", "write"};

/// By kind.
struct Amounts {
  std::array<std::uint64_t, 2> bytes{};
  std::array<std::uint64_t, 2> operations{};

  bool operator==(const Amounts&) const = default;
};

/// More requests than this in one increment are refused: products of two such numbers fit 128 bits with room to spare.
inline constexpr std::uint64_t most_requests = std::uint64_t{1} << 48;

struct Request {
  Kind kind = Kind::read;
  std::uint64_t bytes = 0;
};

/// How many pieces a request is split into: those that fill buffers, and a rest. One without bytes is one piece.
constexpr std::uint64_t pieces_of(std::uint64_t bytes, std::uint64_t buffer) { return bytes == 0 ? 1 : (bytes - 1) / buffer + 1; }

/// N operations on S bytes become N requests of S / N bytes; the first S mod N have one more. Without operations there are as many as fill
/// CIOD buffers. Those larger than a buffer are split into pieces that fill buffers and a rest. The pieces of reads and writes are
/// interleaved in proportion: read j is number floor(j x all / reads) of all, so ceil(i x reads / all) reads come before number i, which
/// is a read itself if that quotient is larger for the next.
class RequestSequence {
 public:
  /// A place in the sequence; with a stride, the next one that a compute node takes costs no division.
  struct Place {
    std::uint64_t index = 0;
    std::uint64_t reads_before = 0, remainder = 0;  // of (index x reads + all - 1) / all
  };

  RequestSequence() = default;
  RequestSequence(const Amounts& amounts, std::uint64_t buffer);

  /// Above most_requests: not to be used.
  std::uint64_t size() const { return kinds_[0].pieces + kinds_[1].pieces; }

  Place place(std::uint64_t index) const {
    const std::uint64_t all = size();
    if (index <= UINT32_MAX && all <= UINT32_MAX) {
      const std::uint64_t above = index * kinds_[0].pieces + all - 1;
      return {index, above / all, above % all};
    }
    const Uint128 above = Uint128{index} * kinds_[0].pieces + all - 1;
    return {index, static_cast<std::uint64_t>(above / all), static_cast<std::uint64_t>(above % all)};
  }

  /// What `advance` adds.
  Place stride(std::uint64_t distance) const {
    const Uint128 product = Uint128{distance} * kinds_[0].pieces;
    return {distance, static_cast<std::uint64_t>(product / size()), static_cast<std::uint64_t>(product % size())};
  }

  void advance(Place& place, const Place& stride) const {
    place.index += stride.index;
    place.reads_before += stride.reads_before;
    place.remainder += stride.remainder;
    if (place.remainder < size()) return;
    place.remainder -= size();
    ++place.reads_before;
  }

  Request operator[](const Place& at) const {
    const bool is_read = at.remainder + kinds_[0].pieces >= size();
    return is_read ? Request{Kind::read, kinds_[0].bytes_of(at.reads_before, buffer_)}
                   : Request{Kind::write, kinds_[1].bytes_of(at.index - at.reads_before, buffer_)};
  }
  Request operator[](std::uint64_t index) const { return (*this)[place(index)]; }

 private:
  struct OneKind {
    std::uint64_t pieces = 0;
    std::uint64_t small = 0, large = 0;                      // bytes of a request; large = small + 1
    std::uint64_t pieces_of_small = 1, pieces_of_large = 1;  // of one request
    std::uint64_t pieces_of_all_large = 0;                   // they come first

    std::uint64_t bytes_of(std::uint64_t piece, std::uint64_t buffer) const {
      const bool is_large = piece < pieces_of_all_large;
      const std::uint64_t each = is_large ? pieces_of_large : pieces_of_small;
      if (each == 1) return is_large ? large : small;
      const std::uint64_t within = (is_large ? piece : piece - pieces_of_all_large) % each;
      return std::min(buffer, (is_large ? large : small) - within * buffer);
    }
  };

  std::array<OneKind, 2> kinds_{};
  std::uint64_t buffer_ = 1;
};

}  // namespace fathom::simulate
