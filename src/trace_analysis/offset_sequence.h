// SPDX-License-Identifier: Apache-2.0
/// Whether a sequence of offsets repeats itself, and a number by which equal sequences know each other (criterion 2.10).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fathom::trace {

/// Remembers the first 512 offsets and one candidate for the period.
class OffsetSequence {
 public:
  void add(std::int64_t offset);
  std::uint64_t size() const { return size_; }
  /// Equal for equal sequences.
  std::uint64_t digest() const { return digest_ ^ size_; }
  /// The least p with off(i) = off(i - p) for all i >= p, if the sequence holds it twice; periods above 256 are not looked for.
  std::optional<std::uint64_t> period() const;

  static constexpr std::size_t kept = 512;

 private:
  std::vector<std::int64_t> first_;
  std::vector<std::uint32_t> borders_;  // of each prefix: the longest proper prefix that is also its end
  std::uint64_t size_ = 0;
  std::uint64_t digest_ = 0x9e3779b97f4a7c15;
  bool holds_ = true;  // the period of the kept part, for all that came after it
};

}  // namespace fathom::trace
