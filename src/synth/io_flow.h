// SPDX-License-Identifier: Apache-2.0
/// A stretch of even I/O of one job on one server and file system, exact at every microsecond.
#pragma once

#include <cstdint>

#include "model/counters.h"

namespace fathom {

/// Requests of one size come evenly between begin and end. All amounts are whole numbers at all times,
/// so that sums of differences are exact however the stretch is cut.
struct Flow {
  std::int64_t begin = 0;  // true time, microseconds since the Unix epoch
  std::int64_t end = 0;
  std::uint32_t job = 0;
  std::uint16_t server = 0;  // the how-manieth of the job's servers
  std::uint8_t filesystem = 0;
  Counter bytes = Counter::read_bytes;  // or write_bytes: the direction
  std::uint64_t requests = 0;
  std::uint64_t request_bytes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
  std::uint64_t dirs = 0;
  std::uint64_t inode_updates = 0;

  /// What was done from `begin` until t.
  Counters until(std::int64_t t) const;
};

inline void add_to(Counters& sum, const Counters& amounts) {
  for (std::size_t i = 0; i < counter_count; ++i) sum[i] += amounts[i];
}

inline void take_from(Counters& sum, const Counters& amounts) {
  for (std::size_t i = 0; i < counter_count; ++i) sum[i] -= amounts[i];
}

}  // namespace fathom
