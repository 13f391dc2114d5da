// SPDX-License-Identifier: Apache-2.0
/// How a collector is doing, in numbers that any thread may add to and read.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace fathom {

/// Of one source.
struct SourceHealth {
  std::string word;                         // as on the command line
  std::atomic<std::uint64_t> polls = 0;     // that were attempted
  std::atomic<std::uint64_t> failures = 0;  // of those, without counters: gaps
  std::atomic<std::uint64_t> missed = 0;    // polls that the schedule had and that were not attempted
  std::atomic<std::uint64_t> samples = 0;
  std::atomic<std::uint64_t> rejected = 0;        // lines or records that could not be used
  std::atomic<std::uint64_t> late = 0;            // samples earlier than the one before: the clock was set back
  std::atomic<std::int64_t> last_success_us = 0;  // Unix time, microseconds
  std::atomic<std::int64_t> lag_us = 0;           // from the deadline of the last poll to its end
  std::atomic<bool> up = false;
};

/// Of writing to the store.
struct FlushHealth {
  std::atomic<std::uint64_t> flushes = 0;
  std::atomic<std::uint64_t> failures = 0;
  std::atomic<std::uint64_t> samples = 0;  // written
  std::atomic<std::uint64_t> compactions = 0;
  std::atomic<std::int64_t> last_success_us = 0;
  std::atomic<std::int64_t> duration_us = 0;  // of the last one, waiting for other writers included
};

}  // namespace fathom
