// SPDX-License-Identifier: Apache-2.0
/// First in, first out, in memory that grows to the longest queue there was and is used again.
#pragma once

#include <cstddef>
#include <vector>

namespace fathom::simulate {

template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  T& operator[](std::size_t i) { return cells_[(first_ + i) & (cells_.size() - 1)]; }
  void push(const T& value) {
    if (size_ == cells_.size()) grow();
    cells_[(first_ + size_++) & (cells_.size() - 1)] = value;
  }
  T pop() {
    const T value = front();
    first_ = (first_ + 1) & (cells_.size() - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> larger(cells_.empty() ? 4 : cells_.size() * 2);  // a power of two
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    cells_.swap(larger);
    first_ = 0;
  }

  std::vector<T> cells_;
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace fathom::simulate
