// SPDX-License-Identifier: Apache-2.0
/// Who locks what, for how long, and who waits for it: per file (RIOT, section 6.1).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "timeline/request_sizes.h"
#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// A distribution in classes of an eighth of a factor of two, with exact count, sum and extremes.
class Lengths {
 public:
  void add(std::int64_t value);
  std::uint64_t count() const { return count_; }
  std::int64_t sum() const { return sum_; }
  std::int64_t min() const { return count_ == 0 ? 0 : min_; }
  std::int64_t max() const { return max_; }
  double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  /// The inverse of the cumulative distribution, to an eighth of a factor of two (never beyond the extremes).
  double quantile(double share) const;

 private:
  std::vector<std::uint64_t> classes_;
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0, min_ = INT64_MAX, max_ = 0;
};

struct FileLocks {
  std::uint32_t file = no_file;
  std::uint64_t lock_calls = 0, unlock_calls = 0, failed = 0;
  std::int64_t lock_time = 0, unlock_time = 0;  // nanoseconds
  std::uint32_t ranks = 0;                      // that locked it
  std::uint64_t cycles = 0;                     // lock ... unlock
  std::uint64_t left = 0;                       // locks that nobody unlocked: the close, or the end, did
  std::uint64_t exclusive = 0;
  std::uint64_t conflicts = 0;     // requests for bytes that another rank held, or got first
  std::int64_t conflict_wait = 0;  // time in those
  Lengths held, wait;              // nanoseconds: from the end of the lock call to the start of the unlock; in lock calls
  std::uint64_t whole_file = 0;    // locks without an end
  Lengths bytes;                   // of the others
  std::int64_t first_byte = INT64_MAX, last_byte = -1;
};

class LocksAnalysis : public Analysis {
 public:
  void take(const Seen& seen) override;
  void finish() override;
  /// In the order of the trace.
  const std::vector<FileLocks>& files() const { return result_; }

 private:
  struct Lock {
    std::int64_t from, to;  // bytes, to not included
    std::int64_t since;     // nanoseconds: when it was got
    std::uint32_t process, unit;
    bool exclusive;
  };
  struct State {
    FileLocks sums;
    std::vector<Lock> live;  // held, or asked for
    std::vector<std::uint32_t> units;
  };
  void lock(State& file, const Seen& seen, Lock wanted);
  static void unlock(State& file, const Seen& seen, std::int64_t from, std::int64_t to);

  std::unordered_map<std::uint32_t, State> files_;
  std::vector<FileLocks> result_;
};

}  // namespace fathom::trace
