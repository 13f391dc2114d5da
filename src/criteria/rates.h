// SPDX-License-Identifier: Apache-2.0
/// Amounts per second of a job, for bytes and for operations alike (criteria 1.3 and 1.4).
#pragma once

#include "criteria/criterion.h"

namespace fathom {

/// `first` is the counter of reads, `peak` the maxima of the same thing.
template <Counter first, std::array<double, direction_count> Peaks::*peak>
struct Rate {
  static double max(const Measured& job, const Setting&, Direction x) {
    return rated(job, first, x) ? (job.swept.peaks.*peak)[static_cast<std::size_t>(x)] : undefined;
  }
  static double max_inner(const Measured& job, const Setting&, Direction x) {
    return rated(job, first, x) && holds(job.swept.inner_has, first, x) ? (job.swept.inner.*peak)[static_cast<std::size_t>(x)] : undefined;
  }
  static double mean(const Measured& job, const Setting&, Direction x) {
    return rated(job, first, x) ? amount(job, first, x) / job.duration() : undefined;
  }
};

}  // namespace fathom
