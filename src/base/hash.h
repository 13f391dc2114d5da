// SPDX-License-Identifier: Apache-2.0
/// A hash over a sequence of things, to tell whether results are up to date.
#pragma once

#include <cstdint>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fathom {

class Hash {
 public:
  void add(std::string_view text) { state_ = XXH3_64bits_withSeed(text.data(), text.size(), state_ + text.size()); }
  void add(std::uint64_t number) { state_ = XXH3_64bits_withSeed(&number, sizeof number, state_); }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace fathom
