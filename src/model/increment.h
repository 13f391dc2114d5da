// SPDX-License-Identifier: Apache-2.0
/// What happened on a series between two moments; the store's main table.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "model/counters.h"
#include "model/sample.h"

namespace fathom {

/// Why an increment is not just the difference of two samples; bits.
enum IncrementFlags : std::uint8_t {
  plain = 0,
  after_reset = 1,     // counts from a reset that the log tells; what came before it is lost
  reset_inferred = 2,  // a byte counter fell: the new values are what is known
  wrapped = 4,         // a 32-bit counter passed 2^32 and was corrected
  implied_start = 8,   // first interval of a job's counters: zero at the server's previous visit
  unmounted = 16,      // a file system left the total: no values
  expired = 32,        // an idle job entry was thrown away by the server: no values
  assumed_step = 64,   // first row of a per-interval log: its length is the declared step
};

/// The flags whose increments carry no values: the interval is known not to have been measured.
inline constexpr std::uint8_t unmeasured_flags = unmounted | expired;

/// Amounts of the interval (start, end].
struct Increment {
  Time start{};
  Time end{};
  SeriesId series = 0;
  SourceId source = 0;  // which file gave the sample at `end`
  CounterMask has = 0;  // 0 when not measured
  std::uint8_t flags = plain;
  Counters amounts{};
};

/// An increment longer than this many times its series' usual interval is a gap: its bytes count, its seconds are not covered.
inline constexpr double gap_factor = 2.5;

}  // namespace fathom
