// SPDX-License-Identifier: Apache-2.0
/// One direction of a link: transfers one after the other in the order of their arrival, and messages without size between them.
#pragma once

#include <algorithm>

#include "simulate/picoseconds.h"
#include "simulate/ring.h"

namespace fathom::simulate {

/// Remembers the last two answers: neighbouring requests have the same size, or one byte more, and the division is slow.
class Rate {
 public:
  explicit Rate(std::uint64_t bytes_per_second = 1) : bytes_per_second_(bytes_per_second) {}
  Picoseconds of(std::uint64_t bytes) {
    if (bytes == last_.bytes) return last_.time;
    std::swap(last_, other_);
    if (bytes != last_.bytes) last_ = {bytes, service_time(bytes, bytes_per_second_)};
    return last_.time;
  }

 private:
  struct Answer {
    std::uint64_t bytes = 0;
    Picoseconds time = 0;
  };
  std::uint64_t bytes_per_second_;
  Answer last_, other_;
};

/// Departure = max(arrival, free) + service: a transfer's times are known when it arrives.
template <class Load>
class Channel {
 public:
  struct Transfer {
    Picoseconds start, end;
    [[no_unique_address]] Load load;
  };

  const Transfer& take(Picoseconds arrival, Picoseconds service, const Load& load) {
    const Picoseconds start = std::max(arrival, free_);
    free_ = std::min(start + service, time_limit + 1);
    transfers_.push({start, free_, load});
    return transfers_.back();
  }

  /// When a message that comes at `time` is through: at once, or at the end of the transfer that is under way. One that starts at the same
  /// moment is not: messages go first. Right when all transfers that begin before `time` have arrived.
  Picoseconds through(Picoseconds time) {
    if (transfers_.empty()) return time;
    if (const Transfer& first = transfers_.front(); first.end >= time) return first.start < time ? first.end : time;
    if (free_ <= time) return time;
    std::size_t low = 1, high = transfers_.size();  // the first that ends after `time`
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (transfers_[middle].end > time)
        high = middle;
      else
        low = middle + 1;
    }
    return low < transfers_.size() && transfers_[low].start < time ? transfers_[low].end : time;
  }

  /// Where nobody is told of a transfer's end, this forgets those that are over.
  void forget_before(Picoseconds now) {
    while (!transfers_.empty() && transfers_.front().end <= now) transfers_.pop();
  }

  Ring<Transfer>& transfers() { return transfers_; }
  Picoseconds free() const { return free_; }

 private:
  Picoseconds free_ = 0;
  Ring<Transfer> transfers_;
};

}  // namespace fathom::simulate
