// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/offset_sequence.h"

namespace fathom::trace {

void OffsetSequence::add(std::int64_t offset) {
  std::uint64_t mixed = (digest_ ^ static_cast<std::uint64_t>(offset)) * 0xff51afd7ed558ccd;
  digest_ = (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53 + size_;
  if (first_.size() < kept) {
    // Knuth, Morris and Pratt: the border of a prefix from those before it.
    std::uint32_t border = borders_.empty() ? 0 : borders_.back();
    while (border > 0 && first_[border] != offset) border = borders_[border - 1];
    if (!first_.empty() && first_[border] == offset) ++border;
    first_.push_back(offset);
    borders_.push_back(first_.size() == 1 ? 0 : border);
  } else if (holds_) {
    const std::size_t length = kept - borders_.back();
    holds_ = 2 * length <= kept && first_[static_cast<std::size_t>(size_ % length)] == offset;
  }
  ++size_;
}

std::optional<std::uint64_t> OffsetSequence::period() const {
  if (first_.empty() || !holds_) return std::nullopt;
  const std::uint64_t length = first_.size() - borders_.back();
  return 2 * length <= first_.size() ? std::optional(length) : std::nullopt;
}

}  // namespace fathom::trace
