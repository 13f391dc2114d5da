// SPDX-License-Identifier: Apache-2.0
/// One call of a traced run, on the run's common clock, with its place among all calls.
#pragma once

#include <cstdint>

#include "trace_format/call.h"

namespace fathom::trace {

inline constexpr std::uint32_t no_file = UINT32_MAX;
inline constexpr std::uint64_t no_row = UINT64_MAX;

struct Event {
  std::int64_t start = 0;  // nanoseconds since the Unix epoch
  std::int64_t end = 0;
  std::int64_t offset = no_offset;
  std::uint64_t bytes = no_bytes;  // asked for
  std::int64_t result = 0;         // -errno if it failed
  std::uint64_t row = 0;           // its number in time order, from 0
  std::uint64_t parent = no_row;   // row of the call that encloses it
  std::uint32_t unit = 0;          // place in Trace::units
  std::uint32_t process = 0;       // place in Trace::processes
  std::uint32_t thread = 0;        // number in its process, from 0
  std::uint32_t file = no_file;    // place in Trace::files
  std::uint32_t handle = 0;        // which opening of the file, unique in the process; 0: by name
  std::uint16_t call = 0;          // place in Trace::calls
  std::uint8_t depth = 0;
  std::uint8_t detail = 0;  // CallDetail

  bool failed() const { return result < 0; }
  /// Bytes really moved by a read or write.
  std::uint64_t moved() const { return result > 0 ? static_cast<std::uint64_t>(result) : 0; }
  std::int64_t duration() const { return end - start; }
};

}  // namespace fathom::trace
