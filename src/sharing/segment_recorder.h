// SPDX-License-Identifier: Apache-2.0
/// Writes down the segments of a course while competitors come and go.
#pragma once

#include <algorithm>

#include "sharing/course.h"

namespace fathom::sharing {

class SegmentRecorder {
 public:
  SegmentRecorder(Course& course, const Capacity& capacity) : course_(course), capacity_(capacity) {}

  long double now() const { return now_; }
  bool anybody() const { return active_ > 0; }
  /// What one unit of weight gets a second.
  long double rate_of_weight() const { return static_cast<long double>(rate_) / static_cast<long double>(weight_); }

  /// Lets time pass. What is too short to have a length as `double` is no segment: it holds ties that rounding took apart.
  void advance(long double to) {
    to = std::max(to, now_);
    const auto begin = static_cast<double>(now_), end = static_cast<double>(to);
    if (anybody() && end > begin) course_.segments.push_back({begin, end, rate_, weight_, writers_, active_});
    now_ = to;
  }

  template <class Claim>
  void come(std::size_t who, const Claim& claim) {
    course_.turns[who].begin = static_cast<double>(now_);
    course_.turns[who].first_segment = course_.segments.size();
    ++active_;
    change(weight_ + claim.weight, writers_ + claim.writers);
  }

  template <class Claim>
  void go(std::size_t who, const Claim& claim) {
    Turn& turn = course_.turns[who];
    turn.end = static_cast<double>(now_);
    turn.length = static_cast<double>(now_ - (static_cast<long double>(claim.start) - course_.origin));
    turn.last_segment = course_.segments.size();
    --active_;
    change(weight_ - claim.weight, writers_ - claim.writers);
  }

 private:
  void change(std::uint64_t weight, std::uint64_t writers) {
    weight_ = weight;
    writers_ = writers;
    rate_ = capacity_.at(writers);
  }

  Course& course_;
  const Capacity& capacity_;
  long double now_ = 0;
  double rate_ = 0;
  std::uint64_t weight_ = 0, writers_ = 0;  // whole numbers: sums stay exact whoever comes and goes
  std::size_t active_ = 0;
};

}  // namespace fathom::sharing
