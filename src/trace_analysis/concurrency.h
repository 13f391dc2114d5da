// SPDX-License-Identifier: Apache-2.0
/// How many calls are under way at a time, and whether they are served one after the other (RIOT Fig. 9).
#pragma once

#include <array>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "trace_analysis/analysis.h"

namespace fathom::trace {

/// Calls that overlap each other on one file in one direction, from when there was none to when there is none again.
///
/// Serialisation: were the calls served strictly one after the other, in the order in which they ended, call i would have been served from
/// max(its start, the end of the one before) to its end, and would have waited w_i = max(0, end of the one before - start) for others.
/// What a call really lost to others is what it took longer than the quickest call of about its size (the same power of two), at most w_i:
/// e_i.
///     serialisation = sum of e_i / sum of w_i
/// Equal calls in a queue with one server: e_i = w_i, 1. Equal calls served side by side: e_i = 0, 0. Equal calls that begin at once and
/// are served k at a time in b rounds: k (b - 1) / (k (b + 1) - 2). And how many were served at once:
///     served at once = sum of (length - e_i) / time from the group's first start to its last end
/// which is 1, the number of calls, and k in these three cases.
struct Serialisation {
  std::uint64_t groups = 0;     // of calls of more than one rank
  std::uint64_t calls = 0;      // in them
  std::int64_t lost = 0;        // sum of e_i, nanoseconds
  std::int64_t could_wait = 0;  // sum of w_i
  std::int64_t service = 0;     // sum of their lengths without what they lost
  std::int64_t span = 0;        // of the groups
  /// 0 ... 1; not a number if no calls of different ranks overlapped.
  double index() const;
  double served_at_once() const;
};

struct InFlight {
  std::uint64_t calls = 0;
  std::uint32_t most = 0;  // at once
  std::int64_t time = 0;   // sum of their lengths, nanoseconds
  std::int64_t busy = 0;   // while any was under way
  Serialisation serialisation;
  /// While any is under way.
  double mean() const { return busy > 0 ? static_cast<double>(time) / static_cast<double>(busy) : 0; }
};

/// By direction: read, write, both.
using InFlightByDirection = std::array<InFlight, direction_count>;

class ConcurrencyAnalysis : public Analysis {
 public:
  /// Of the calls of one interface.
  explicit ConcurrencyAnalysis(Interface layer) : layer_(layer) {}
  void take(const Seen& seen) override;
  void finish() override;

  struct OfFile {
    std::uint32_t file;
    InFlightByDirection flights;
  };
  const InFlightByDirection& all() const { return all_; }
  /// In the order of the trace.
  const std::vector<OfFile>& files() const { return result_; }

 private:
  struct Ending {
    std::int64_t start, end;
    std::uint64_t bytes;
    std::uint32_t unit;
    bool operator>(const Ending& other) const { return end > other.end; }
  };
  struct Ended {
    std::int64_t length, could_wait;
    int power;  // of two: its size
  };
  struct Group {
    std::vector<Ended> calls;  // a bounded number
    std::int64_t first_start = INT64_MAX;
    std::uint32_t unit = UINT32_MAX;
    bool several = false;  // ranks
  };
  struct Flight {
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> under_way;
    InFlight sums;
    Group group;
    std::int64_t last_end = INT64_MIN, busy_until = INT64_MIN;
  };
  static void take(Flight& flight, const Ending& call);
  static void end_until(Flight& flight, std::int64_t time);
  static void close_group(Flight& flight);

  Interface layer_;
  std::array<Flight, direction_count> whole_;
  std::unordered_map<std::uint64_t, Flight> by_file_;  // by file and direction
  InFlightByDirection all_;
  std::vector<OfFile> result_;
};

}  // namespace fathom::trace
