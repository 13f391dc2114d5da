// SPDX-License-Identifier: Apache-2.0
/// Which place each of some times has among all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::trace {

class TimeOrder {
 public:
  static constexpr unsigned number_bits = 20;
  static constexpr std::uint64_t longest = (std::uint64_t{1} << (64 - number_bits)) - 1;

  /// Begins anew, with times below `end`, which is at most `longest`.
  void start(std::uint64_t end) {
    count_ = 0;
    end_ = end;
  }
  /// At most so many more, of which `time(i)` are sorted; takes those below the end and gives how many they are.
  template <class Time>
  std::size_t add_sorted(std::size_t most, Time&& time) {
    if (keys_.size() < count_ + most) keys_.resize(count_ + most + keys_.size() / 2);
    std::uint64_t* const keys = keys_.data() + count_;
    std::size_t taken = 0;
    for (; taken < most; ++taken) {
      const std::uint64_t next = time(taken);
      if (next >= end_) break;
      keys[taken] = next << number_bits | ((count_ + taken) & number_mask);
    }
    count_ += taken;
    return taken;
  }
  std::size_t size() const { return count_; }

  /// The place of each, from 0, in the order in which they were added; equal ones keep that order. They are used up by that.
  const std::uint32_t* places();

 private:
  static constexpr std::uint64_t number_mask = (std::uint64_t{1} << number_bits) - 1;

  void sort_by_digits();
  void sort_by_comparing();

  std::size_t count_ = 0;
  std::uint64_t end_ = 0;
  std::vector<std::uint64_t> keys_,
      other_keys_;  // a time and, in its lowest bits, its number; beyond 2^20 the number is only where it stands
  std::vector<std::uint32_t> places_;
};

}  // namespace fathom::trace
