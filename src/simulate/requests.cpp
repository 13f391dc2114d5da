// SPDX-License-Identifier: Apache-2.0
#include "simulate/requests.h"

#include <algorithm>

#include "base/wide.h"

namespace fathom::simulate {
namespace {

std::uint64_t pieces(std::uint64_t bytes, std::uint64_t buffer) { return bytes == 0 ? 1 : (bytes - 1) / buffer + 1; }

}  // namespace

RequestSequence::RequestSequence(const Amounts& amounts, std::uint64_t buffer) : buffer_(buffer) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t bytes = amounts.bytes[i];
    std::uint64_t operations = amounts.operations[i];
    if (operations == 0 && bytes == 0) continue;
    if (operations == 0) operations = pieces(bytes, buffer);
    OneKind& kind = kinds_[i];
    kind.small = bytes / operations;
    kind.large = kind.small + 1;
    kind.pieces_of_small = pieces(kind.small, buffer);
    kind.pieces_of_large = pieces(kind.large, buffer);
    const std::uint64_t larges = bytes % operations;
    const Uint128 all_large = Uint128{larges} * kind.pieces_of_large;
    const Uint128 all = all_large + Uint128{operations - larges} * kind.pieces_of_small;
    kind.pieces = static_cast<std::uint64_t>(std::min<Uint128>(all, most_requests + 1));
    kind.pieces_of_all_large = static_cast<std::uint64_t>(std::min<Uint128>(all_large, most_requests + 1));
  }
}

std::uint64_t RequestSequence::OneKind::bytes_of(std::uint64_t piece, std::uint64_t buffer) const {
  const bool is_large = piece < pieces_of_all_large;
  const std::uint64_t each = is_large ? pieces_of_large : pieces_of_small;
  if (each == 1) return is_large ? large : small;
  const std::uint64_t within = (is_large ? piece : piece - pieces_of_all_large) % each;
  return std::min(buffer, (is_large ? large : small) - within * buffer);
}

/// Read j is number floor(j x all / reads) of all, so ceil(index x reads / all) of them come before `index`; that one is a read if the
/// quotient for the next is larger, which the remainder tells.
RequestSequence::Place RequestSequence::place(std::uint64_t index) const {
  const std::uint64_t reads = kinds_[0].pieces, all = size();
  if (reads == 0) return {0, false};
  if (reads == all) return {index, true};
  if (all <= UINT32_MAX) {
    const std::uint64_t above = index * reads + all - 1;
    return {above / all, above % all + reads >= all};
  }
  const Uint128 above = Uint128{index} * reads + all - 1;
  return {static_cast<std::uint64_t>(above / all), above % all + reads >= all};
}

Request RequestSequence::operator[](std::uint64_t index) const {
  const Place at = place(index);
  const Kind kind = at.is_read ? Kind::read : Kind::write;
  return {kind, kinds_[static_cast<std::size_t>(kind)].bytes_of(at.is_read ? at.reads_before : index - at.reads_before, buffer_)};
}

}  // namespace fathom::simulate
