// SPDX-License-Identifier: Apache-2.0
#include "mine/rolling_quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom {

RollingQuantile::RollingQuantile(std::span<const double> values, std::span<const std::uint8_t> use) : place_(values.size(), 0) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && (use.empty() || use[i] != 0)) order.push_back(static_cast<std::uint32_t>(i));
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  sorted_.reserve(order.size());
  for (const std::uint32_t i : order) {
    sorted_.push_back(values[i]);
    place_[i] = static_cast<std::uint32_t>(sorted_.size());
  }
  tree_.assign(sorted_.size() + 1, 0);
  while (top_ * 2 <= sorted_.size()) top_ *= 2;
}

void RollingQuantile::change(std::size_t slot, std::int32_t by) {
  if (place_[slot] == 0) return;
  for (std::size_t at = place_[slot]; at < tree_.size(); at += at & (~at + 1)) tree_[at] += by;
  count_ += static_cast<std::size_t>(static_cast<std::int64_t>(by));
}

void RollingQuantile::move_to(std::size_t centre, std::size_t half) {
  const std::size_t size = place_.size();
  const std::size_t length = std::min(size, 2 * half + 1);
  const std::size_t from = std::min(centre > half ? centre - half : 0, size - length);
  while (to_ < from + length) change(to_++, 1);
  while (from_ < from) change(from_++, -1);
}

double RollingQuantile::ranked(std::size_t rank) const {
  std::size_t at = 0;
  auto left = static_cast<std::int32_t>(rank);
  for (std::size_t leap = top_; leap > 0; leap /= 2) {
    if (at + leap < tree_.size() && tree_[at + leap] <= left) {
      at += leap;
      left -= tree_[at];
    }
  }
  return sorted_[at];
}

double RollingQuantile::quantile(double q) const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  const double rank = q * static_cast<double>(count_ - 1);
  const auto below = static_cast<std::size_t>(rank);
  const double low = ranked(below);
  const double share = rank - static_cast<double>(below);
  return share > 0 && below + 1 < count_ ? low + share * (ranked(below + 1) - low) : low;
}

}  // namespace fathom
