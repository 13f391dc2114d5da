// SPDX-License-Identifier: Apache-2.0
/// Who had which share of a file system when: weighted processor sharing from event to event, without time steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sharing/capacity.h"

namespace fathom::sharing {

/// One that wants something from the shared capacity. Work is in the unit of the capacity times seconds: bytes where it is in bytes per
/// second.
struct Competitor {
  double start = 0;           // seconds on any clock
  double work = 0;            // zero is done at once
  std::uint64_t weight = 1;   // its share is its weight over that of all who are active
  std::uint64_t writers = 1;  // what it adds to the number that the capacity depends on
};

/// A time in which nobody starts or ends. Only times in which somebody is active are segments.
struct Segment {
  double begin = 0, end = 0;  // seconds since the course's origin
  double capacity = 0;        // at so many writers
  std::uint64_t weight = 0;   // of all who are active
  std::uint64_t writers = 0;
  std::size_t active = 0;

  double length() const { return end - begin; }
  double share(std::uint64_t of_weight) const { return static_cast<double>(of_weight) / static_cast<double>(weight); }
  double rate(std::uint64_t of_weight) const { return capacity * share(of_weight); }
};

/// The time of one competitor. It is active in every segment from the first up to the last, that one excluded.
struct Turn {
  double begin = 0, end = 0;  // seconds since the course's origin
  double length = 0;          // end - begin, with the digits that a short turn late in a course would lose
  std::size_t first_segment = 0, last_segment = 0;
};

/// Times count from the first start, so that a Unix time as start costs no digits.
struct Course {
  double origin = 0;
  std::vector<Turn> turns;  // in the order of the competitors
  std::vector<Segment> segments;

  std::span<const Segment> segments_of(std::size_t competitor) const {
    const Turn& turn = turns[competitor];
    return std::span(segments).subspan(turn.first_segment, turn.last_segment - turn.first_segment);
  }
  double length() const { return segments.empty() ? 0 : segments.back().end; }  // from the first start to the last end
  double busy() const;                                                          // of that, with somebody active
};

/// When each ends, if all get their share from their start on: Eqs. 1 and 2 of LWM2 for any number, amount and start. n log n.
Course share_out(std::span<const Competitor> competitors, const Capacity& capacity);

/// When somebody was active.
struct Observation {
  double start = 0, end = 0;  // seconds on one clock
  std::uint64_t weight = 1;
  std::uint64_t writers = 1;
};

/// The same segments from starts and ends that were seen.
Course observed_course(std::span<const Observation> observations, const Capacity& capacity);

/// What each did in such a course: the sum of length x rate over its segments. Eqs. 3 and 4 of LWM2 with a capacity of 1, where work is the
/// stand-alone run time.
std::vector<double> work_done(const Course& course, std::span<const Observation> observations);

}  // namespace fathom::sharing
