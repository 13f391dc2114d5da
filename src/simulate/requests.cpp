// SPDX-License-Identifier: Apache-2.0
#include "simulate/requests.h"

namespace fathom::simulate {

RequestSequence::RequestSequence(const Amounts& amounts, std::uint64_t buffer) : buffer_(buffer) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t bytes = amounts.bytes[i];
    std::uint64_t operations = amounts.operations[i];
    if (operations == 0 && bytes == 0) continue;
    if (operations == 0) operations = pieces_of(bytes, buffer);
    OneKind& kind = kinds_[i];
    kind.small = bytes / operations;
    kind.large = kind.small + 1;
    kind.pieces_of_small = pieces_of(kind.small, buffer);
    kind.pieces_of_large = pieces_of(kind.large, buffer);
    const std::uint64_t larges = bytes % operations;
    const Uint128 all_large = Uint128{larges} * kind.pieces_of_large;
    const Uint128 all = all_large + Uint128{operations - larges} * kind.pieces_of_small;
    kind.pieces = static_cast<std::uint64_t>(std::min<Uint128>(all, most_requests + 1));
    kind.pieces_of_all_large = static_cast<std::uint64_t>(std::min<Uint128>(all_large, most_requests + 1));
  }
}

}  // namespace fathom::simulate
