// SPDX-License-Identifier: Apache-2.0
/// Which place each of some times has among all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::trace {

class TimeOrder {
 public:
  /// Times from 0 to `longest` come.
  void start(std::uint64_t longest) {
    count_ = 0;
    longest_ = longest;
  }
  /// Room for so many more times, which `added` then takes as they stand.
  std::uint64_t* room_for(std::size_t more) {
    if (times_.size() < count_ + more) times_.resize(count_ + more + times_.size() / 2);
    return times_.data() + count_;
  }
  void added(std::size_t more) { count_ += more; }
  std::size_t size() const { return count_; }

  /// The place of each, from 0, in the order in which they were added; equal ones keep that order.
  const std::uint32_t* places();

 private:
  void sort_by_digits(unsigned digits);
  void sort_by_comparing();

  std::size_t count_ = 0;
  std::uint64_t longest_ = 0;
  std::vector<std::uint64_t> times_, keys_, other_keys_;
  std::vector<std::uint32_t> places_;
};

}  // namespace fathom::trace
