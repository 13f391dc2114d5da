// SPDX-License-Identifier: Apache-2.0
#include "timeline/exact.h"

#include <algorithm>
#include <vector>

#include "base/wide.h"

namespace fathom {
namespace {

/// A whole number of any size, not negative; lowest limb first, the highest is not 0.
class Natural {
 public:
  explicit Natural(std::uint64_t value = 0) {
    if (value > 0) limbs_.push_back(value);
  }
  void multiply(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : limbs_) {
      const Uint128 product = static_cast<Uint128>(limb) * factor + carry;
      limb = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry > 0) limbs_.push_back(carry);
  }
  /// Adds other * factor.
  void add(const Natural& other, std::uint64_t factor) {
    if (factor == 0) return;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < other.limbs_.size() || carry > 0; ++i) {
      if (i == limbs_.size()) limbs_.push_back(0);
      const Uint128 sum = static_cast<Uint128>(i < other.limbs_.size() ? other.limbs_[i] : 0) * factor + limbs_[i] + carry;
      limbs_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
  }
  bool operator>(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() > other.limbs_.size();
    return std::lexicographical_compare(other.limbs_.rbegin(), other.limbs_.rend(), limbs_.rbegin(), limbs_.rend());
  }

 private:
  std::vector<std::uint64_t> limbs_;
};

/// A sum of fractions: whole numbers at once, the rests kept until they must be known.
class ExactSum {
 public:
  void add(Int128 numerator, std::int64_t denominator, int sign) {
    whole_ += sign * (numerator / denominator);
    const auto rest = static_cast<std::uint64_t>(numerator % denominator);
    if (rest == 0) return;
    about_ += sign * (static_cast<long double>(rest) / static_cast<long double>(denominator));
    rests_.push_back({rest, static_cast<std::uint64_t>(denominator), sign});
  }

  bool above_zero() const {
    const auto terms = static_cast<Int128>(rests_.size());
    if (terms == 0 || whole_ > terms || whole_ < -terms) return whole_ > 0;
    // Each rest is known to 2^-64 here. What is closer to 0 than their errors is brought to a common denominator.
    const long double sum = static_cast<long double>(whole_) + about_, unsure = 1.1e-19L * static_cast<long double>(terms * (terms + 1));
    return sum > unsure || (sum > -unsure && above_zero_exactly());
  }

 private:
  struct Rest {
    std::uint64_t numerator, denominator;
    int sign;
  };

  bool above_zero_exactly() const {
    Natural gained, lost, common(1);
    for (const Rest& rest : rests_) {
      gained.multiply(rest.denominator);
      lost.multiply(rest.denominator);
      (rest.sign > 0 ? gained : lost).add(common, rest.numerator);
      common.multiply(rest.denominator);
    }
    (whole_ > 0 ? gained : lost).add(common, static_cast<std::uint64_t>(whole_ > 0 ? whole_ : -whole_));
    return gained > lost;
  }

  Int128 whole_ = 0;
  long double about_ = 0;
  std::vector<Rest> rests_;
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
