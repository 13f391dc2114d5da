// SPDX-License-Identifier: Apache-2.0
/// In what order requests walk through a file (criterion 2.7), told from their offsets one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>

namespace fathom::trace {

/// In order of precedence.
enum class AccessClass : std::uint8_t { contiguous, simple_strided, nested_strided, sequential, random };
inline constexpr std::size_t access_class_count = 5;
inline constexpr std::array<const char*, access_class_count> access_class_names = {"contiguous", "simple_strided", "nested_strided",
                                                                                   "sequential", "random"};

struct AccessShares {
  std::array<std::uint64_t, access_class_count> requests{};
  std::uint64_t alone = 0;                        // requests without another one to compare with
  std::map<std::int64_t, std::uint64_t> strides;  // bytes from request to request (nested: from block to block), and how often

  std::uint64_t classified() const;
  void add(const AccessShares& other);
  void add_stride(std::int64_t stride, std::uint64_t times);
  static constexpr std::size_t most_strides = 4096;
};

/// Requests of one type by one process to one opening of a file, in order. Steps from offset to offset that are alike are one run, and only
/// the last few runs are held.
class AccessPattern {
 public:
  void add(std::int64_t offset, std::uint64_t bytes);
  /// After the last one.
  AccessShares finish();

 private:
  struct Run {
    std::int64_t step = 0;
    std::uint64_t steps = 0;
    bool contiguous = false;
    bool even = true;  // all its steps are of one length
  };
  void classify(std::size_t place);
  const Run* at(std::size_t place, std::ptrdiff_t distance) const;
  bool is_jump(std::size_t place, std::ptrdiff_t distance) const;
  bool same_block(std::size_t place, std::ptrdiff_t a, std::ptrdiff_t b) const;
  const Run* nested_block(std::size_t place) const;

  std::deque<Run> runs_;
  std::size_t next_ = 0;  // the first of runs_ that has no class yet
  std::uint64_t requests_ = 0;
  bool first_given_ = false;
  std::int64_t last_offset_ = 0;
  std::uint64_t last_bytes_ = 0;
  AccessShares shares_;
};

}  // namespace fathom::trace
