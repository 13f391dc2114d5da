// SPDX-License-Identifier: Apache-2.0
#include "trace/time_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace fathom::trace {
namespace {

constexpr unsigned most_digit_bits = 11;  // their counts stay in the nearest cache

}  // namespace

const std::uint32_t* TimeOrder::places() {
  if (places_.size() < count_) {
    other_keys_.resize(keys_.size());
    places_.resize(keys_.size());
  }
  count_ <= number_mask ? sort_by_digits() : sort_by_comparing();
  return places_.data();
}

/// From the lowest digit to the highest. Comparing would branch on what is as good as random.
void TimeOrder::sort_by_digits() {
  const unsigned bits = std::max(1u, static_cast<unsigned>(std::bit_width(end_)));
  const unsigned digits = (bits + most_digit_bits - 1) / most_digit_bits, digit_bits = (bits + digits - 1) / digits;
  const std::size_t count = count_, mask = (std::size_t{1} << digit_bits) - 1;
  std::uint64_t *keys = keys_.data(), *sorted = other_keys_.data();
  std::array<std::uint32_t, std::size_t{1} << most_digit_bits> next;  // where the next one with a digit goes
  for (unsigned d = 0; d < digits; ++d) {
    const unsigned shift = number_bits + d * digit_bits;
    std::fill_n(next.begin(), mask + 1, 0u);
    for (std::size_t i = 0; i < count; ++i) ++next[keys[i] >> shift & mask];
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i <= mask; ++i) sum += std::exchange(next[i], sum);
    if (d + 1 < digits) {
      for (std::size_t i = 0; i < count; ++i) sorted[next[keys[i] >> shift & mask]++] = keys[i];
      std::swap(keys, sorted);
    } else {
      std::uint32_t* const places = places_.data();
      for (std::size_t i = 0; i < count; ++i) places[keys[i] & number_mask] = next[keys[i] >> shift & mask]++;
    }
  }
}

/// For very many that start together.
void TimeOrder::sort_by_comparing() {
  std::vector<std::uint32_t> order(count_);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return keys_[a] >> number_bits < keys_[b] >> number_bits; });
  for (std::size_t i = 0; i < count_; ++i) places_[order[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace fathom::trace
