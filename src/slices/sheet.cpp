// SPDX-License-Identifier: Apache-2.0
#include "slices/sheet.h"

#include <algorithm>
#include <cassert>

#include "slices/series.h"

namespace fathom::slices {
namespace {

constexpr int fraction_bits = 32;
constexpr Int128 half = Int128{1} << (fraction_bits - 1);

/// amount * part / whole without overflow: amount < 2^94, part <= whole < 2^62.
Int128 share(Int128 amount, std::int64_t part, std::int64_t whole) { return amount / whole * part + amount % whole * part / whole; }

}  // namespace

void Sheet::spread(std::int64_t begin, std::int64_t end, Counter counter, std::uint64_t amount) {
  assert(begin >= 0 && begin <= end && end < latest_moment && amount <= largest_amount);
  const auto c = static_cast<std::size_t>(counter);
  const Int128 all = static_cast<Int128>(amount) << fraction_bits;
  const std::int64_t first = slice_of(begin, length_), last = slice_of(std::max(begin, end - 1), length_);
  if (first == last) {
    parts_[first][c] += all;
    return;
  }
  const std::int64_t duration = end - begin;
  const Int128 head = share(all, (first + 1) * length_ - begin, duration), between = share(all, std::min(length_, duration), duration);
  parts_[first][c] += head;
  // What rounding left over comes last, so that nothing is lost.
  parts_[last][c] += all - head - between * (last - first - 1);
  if (last - first == 1) return;
  changes_[first + 1][c] += between;
  changes_[last][c] -= between;
}

std::optional<std::vector<Slice>> Sheet::slices(std::size_t most) const {
  std::vector<Slice> rows;
  std::size_t visited = 0;  // a little that flows for long leaves most slices empty, and takes as long as much
  Amounts rate{}, sum{};
  Values given{};
  const auto add = [&](std::int64_t number, const Amounts* part) {
    Slice row{.number = number, .values = {}};
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      sum[c] += rate[c] + (part != nullptr ? (*part)[c] : 0);
      row.values[c] = static_cast<std::uint64_t>((sum[c] + half) >> fraction_bits) - given[c];
      given[c] += row.values[c];
    }
    if (std::any_of(row.values.begin(), row.values.end(), [](std::uint64_t value) { return value != 0; })) rows.push_back(row);
  };
  auto part = parts_.begin();
  auto change = changes_.begin();
  bool flows = false;
  std::int64_t next = 0;  // the slice to be written next, while something flows
  while (part != parts_.end() || change != changes_.end() || flows) {
    std::int64_t until = INT64_MAX;
    if (part != parts_.end()) until = part->first;
    if (change != changes_.end()) until = std::min(until, change->first);
    for (; flows && next < until; ++next) {
      if (visited++ >= most) return std::nullopt;
      add(next, nullptr);
    }
    if (visited++ > most) return std::nullopt;
    if (change != changes_.end() && change->first == until) {
      for (std::size_t c = 0; c < rate.size(); ++c) rate[c] += change->second[c];
      flows = std::any_of(rate.begin(), rate.end(), [](Int128 value) { return value != 0; });
      ++change;
    }
    if (part != parts_.end() && part->first == until) {
      add(until, &part->second);
      ++part;
    } else if (flows) {
      add(until, nullptr);
    }
    next = until + 1;
  }
  if (rows.size() > most) return std::nullopt;
  return rows;
}

}  // namespace fathom::slices
