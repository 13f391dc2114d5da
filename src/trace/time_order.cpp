// SPDX-License-Identifier: Apache-2.0
#include "trace/time_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace fathom::trace {
namespace {

constexpr unsigned number_bits = 20;  // of a time among all; in a key it stands below the time
constexpr std::uint64_t number_mask = (1u << number_bits) - 1;
constexpr unsigned digit_bits = 11, most_digits = 4;
constexpr std::uint64_t digit_mask = (1u << digit_bits) - 1;

using Counts = std::array<std::uint32_t, digit_mask + 1>;

}  // namespace

const std::uint32_t* TimeOrder::places() {
  if (places_.size() < count_) {
    const std::size_t room = times_.size();
    keys_.resize(room);
    other_keys_.resize(room);
    places_.resize(room);
  }
  const unsigned digits = std::max(1u, (static_cast<unsigned>(std::bit_width(longest_)) + digit_bits - 1) / digit_bits);
  if (count_ <= number_mask && digits <= most_digits) sort_by_digits(digits);
  else sort_by_comparing();
  return places_.data();
}

/// From the lowest digit to the highest. Comparing would branch on what is as good as random.
void TimeOrder::sort_by_digits(unsigned digits) {
  static_assert(most_digits * digit_bits + number_bits <= 64);
  for (unsigned d = 0; d < digits; ++d) {
    const unsigned shift = d * digit_bits;
    const bool first = d == 0, last = d + 1 == digits;
    Counts next{};  // where the next one with a digit goes
    for (std::size_t i = 0; i < count_; ++i) ++next[times_[i] >> shift & digit_mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& count : next) sum += std::exchange(count, sum);
    const auto key = [&](std::size_t i) { return first ? times_[i] << number_bits | i : keys_[i]; };
    const auto place = [&](std::uint64_t of) -> std::uint32_t& { return next[of >> (shift + number_bits) & digit_mask]; };
    if (last) {
      for (std::size_t i = 0; i < count_; ++i) places_[key(i) & number_mask] = place(key(i))++;
    } else {
      for (std::size_t i = 0; i < count_; ++i) other_keys_[place(key(i))++] = key(i);
      keys_.swap(other_keys_);
    }
  }
}

/// For very many that start together, or very long ones.
void TimeOrder::sort_by_comparing() {
  std::vector<std::uint32_t> order(count_);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return times_[a] < times_[b]; });
  for (std::size_t i = 0; i < count_; ++i) places_[order[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace fathom::trace
