// SPDX-License-Identifier: Apache-2.0
#include "trace/time_order.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace fathom::trace {
namespace {

constexpr unsigned digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr unsigned number_bits = 20;  // of a time among all; in a key it stands below the time

using Counts = std::array<std::uint32_t, digits>;

std::size_t digit(std::uint64_t time, unsigned shift) { return time >> shift & (digits - 1); }

/// Numbers of each digit to the place where the first of them goes.
void to_places(Counts& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) sum += std::exchange(count, sum);
}

}  // namespace

const std::uint32_t* TimeOrder::places() {
  if (places_.size() < count_) {
    const std::size_t room = times_.size();
    keys_.resize(room);
    other_keys_.resize(room);
    places_.resize(room);
  }
  std::uint64_t greatest = 0;
  for (std::size_t i = 0; i < count_; ++i) greatest |= times_[i];
  if (count_ >> number_bits != 0 || greatest >> (64 - number_bits) != 0) sort_by_comparing();
  else sort_by_digits(greatest);
  return places_.data();
}

/// Comparing would branch on what is as good as random.
void TimeOrder::sort_by_digits(std::uint64_t greatest) {
  const unsigned bits = static_cast<unsigned>(std::bit_width(greatest));
  for (std::size_t i = 0; i < count_; ++i) keys_[i] = times_[i] << number_bits | i;
  unsigned shift = 0;
  for (; shift + digit_bits < bits; shift += digit_bits) {
    Counts places{};
    for (std::size_t i = 0; i < count_; ++i) ++places[digit(keys_[i], number_bits + shift)];
    to_places(places);
    for (std::size_t i = 0; i < count_; ++i) other_keys_[places[digit(keys_[i], number_bits + shift)]++] = keys_[i];
    keys_.swap(other_keys_);
  }
  // The last digit says where each one goes for good.
  Counts places{};
  for (std::size_t i = 0; i < count_; ++i) ++places[digit(keys_[i], number_bits + shift)];
  to_places(places);
  for (std::size_t i = 0; i < count_; ++i) places_[keys_[i] & ((1u << number_bits) - 1)] = places[digit(keys_[i], number_bits + shift)]++;
}

/// For very many that start together.
void TimeOrder::sort_by_comparing() {
  std::vector<std::uint32_t> order(count_);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return times_[a] < times_[b]; });
  for (std::size_t i = 0; i < count_; ++i) places_[order[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace fathom::trace
