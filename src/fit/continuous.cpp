// SPDX-License-Identifier: Apache-2.0
#include "fit/continuous.h"

#include <algorithm>

namespace fathom::fit {
namespace {

/// Calls take(place, least rate, highest rate) for every interval that has one before and one behind it.
template <class Take>
void for_each_inner(std::span<const LinkLoad> loads, Take take) {
  for (std::size_t l = 0; l < loads.size(); ++l) {
    const std::vector<LoadInterval>& each = loads[l].intervals;
    for (std::size_t i = 1; i + 1 < each.size(); ++i) {
      if (!each[i].follows || !each[i + 1].follows || !each[i - 1].exact || !each[i].exact || !each[i + 1].exact) continue;
      const auto [least, most] = std::minmax({each[i - 1].rate(), each[i].rate(), each[i + 1].rate()});
      take(Interval{l, i}, least, most);
    }
  }
}

}  // namespace

Continuous find_continuous(std::span<const LinkLoad> loads, double tolerance) {
  Continuous found;
  for_each_inner(loads, [&](Interval, double least, double) { found.sustained = std::max(found.sustained, least); });
  const double low = found.sustained * (1 - tolerance), high = found.sustained * (1 + tolerance);
  for_each_inner(loads, [&](Interval at, double least, double most) {
    if (least > 0 && least >= low && most <= high) found.intervals.push_back(at);
  });
  std::int64_t more_exact = 0;
  for (const LinkLoad& load : loads)
    for (const LoadInterval& each : load.intervals) {
      found.fastest = std::max(found.fastest, each.rate());
      found.faster += each.rate() > high;
      more_exact += each.exact ? 1 : -1;
    }
  found.mostly_exact = more_exact > 0;
  return found;
}

std::vector<Interval> fastest_intervals(std::span<const LinkLoad> loads, std::size_t count) {
  std::vector<Interval> all;
  for (std::size_t l = 0; l < loads.size(); ++l)
    for (std::size_t i = 0; i < loads[l].intervals.size(); ++i)
      if (loads[l].intervals[i].bytes > 0) all.push_back({l, i});
  const auto rate = [&](const Interval& at) { return loads[at.load].intervals[at.interval].rate(); };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [&](const Interval& a, const Interval& b) { return rate(a) > rate(b); });
  all.erase(end, all.end());
  return all;
}

}  // namespace fathom::fit
