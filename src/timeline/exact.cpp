// SPDX-License-Identifier: Apache-2.0
#include "timeline/exact.h"

#include <algorithm>

#include "base/wide.h"

namespace fathom {
namespace {

/// Whole number and the rest of a sum of fractions.
struct ExactSum {
  Int128 whole = 0;
  long double rest = 0;
  int terms = 0;

  void add(Int128 numerator, std::int64_t denominator, int sign) {
    whole += sign * (numerator / denominator);
    const auto remainder = static_cast<std::int64_t>(numerator % denominator);
    if (remainder == 0) return;
    rest += sign * (static_cast<long double>(remainder) / static_cast<long double>(denominator));
    ++terms;
  }

  bool above_zero() const {
    // Each rest is exact to 2^-64; two different sums of such fractions are further apart than that for sampling intervals below a day.
    const long double unsure = 1.1e-19L * static_cast<long double>(terms + 1);
    const long double sum = static_cast<long double>(whole) + rest;
    if (whole >= -terms && whole <= terms) return sum > unsure;
    return whole > 0;
  }
};

}  // namespace

bool exceeds_exactly(std::span<const Lane> lanes, std::size_t flow, std::int64_t from, std::int64_t to, std::uint64_t threshold) {
  ExactSum sum;
  for (const Lane& lane : lanes) {
    for (const auto part : lane.parts) {
      auto s = std::lower_bound(part.begin(), part.end(), from, [](const Stretch& stretch, std::int64_t t) { return stretch.to <= t; });
      for (; s != part.end() && s->from < to; ++s)
        sum.add(static_cast<Int128>(s->amounts[flow]) * (std::min(s->to, to) - std::max(s->from, from)), s->spread, 1);
    }
  }
  sum.add(static_cast<Int128>(threshold) * (to - from), 1'000'000, -1);
  return sum.above_zero();
}

}  // namespace fathom
