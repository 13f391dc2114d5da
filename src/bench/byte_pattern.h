// SPDX-License-Identifier: Apache-2.0
/// The bytes that a task writes: any byte can be told from seed, task and offset, so that what is read back can be checked alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace fathom {

class BytePattern {
 public:
  BytePattern(std::uint64_t seed, std::uint64_t task);

  std::byte at(std::uint64_t offset) const;
  void fill(std::span<std::byte> bytes, std::uint64_t offset) const;
  /// How many bytes of `bytes`, which stand at `offset` of the file, are right before the first that is not; nothing when all are.
  std::optional<std::size_t> first_difference(std::span<const std::byte> bytes, std::uint64_t offset) const;

 private:
  std::uint64_t word(std::uint64_t number) const;
  std::uint64_t key_;
};

}  // namespace fathom
