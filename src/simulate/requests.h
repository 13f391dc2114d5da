// SPDX-License-Identifier: Apache-2.0
/// The request generator: what counters say about an interval, as a sequence of requests that is never written out.
#pragma once

#include <array>
#include <cstdint>

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

/// N operations on S bytes become N requests of S / N bytes; the first S mod N have one more. Without operations there are as many as fill
/// CIOD buffers. Those larger than a buffer are split into pieces that fill buffers and a rest. The pieces of reads and writes are
/// interleaved in proportion.
class RequestSequence {
 public:
  RequestSequence() = default;
  RequestSequence(const Amounts& amounts, std::uint64_t buffer);

  /// Above most_requests: not to be used.
  std::uint64_t size() const { return kinds_[0].pieces + kinds_[1].pieces; }
  Request operator[](std::uint64_t index) const;

 private:
  struct OneKind {
    std::uint64_t pieces = 0;
    std::uint64_t small = 0, large = 0;                      // bytes of a request; large = small + 1
    std::uint64_t pieces_of_small = 1, pieces_of_large = 1;  // of one request
    std::uint64_t pieces_of_all_large = 0;                   // they come first
    std::uint64_t bytes_of(std::uint64_t piece, std::uint64_t buffer) const;
  };
  struct Place {
    std::uint64_t reads_before;
    bool is_read;
  };
  Place place(std::uint64_t index) const;

  std::array<OneKind, 2> kinds_{};
  std::uint64_t buffer_ = 1;
};

}  // namespace fathom::simulate
