// SPDX-License-Identifier: Apache-2.0
/// What an ingest repaired and flagged, counted while increments are made, as `store/survey` counts it in a whole store.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "model/increment.h"

namespace fathom {

/// How many more of each a store has than before.
struct Repairs {
  std::uint64_t resets = 0;  // told by the log; per server and time
  std::uint64_t resets_inferred = 0;
  std::uint64_t wraps = 0;
  std::uint64_t gaps = 0;  // longer than gap_factor times the usual interval of what was added to their series
  std::uint64_t unmounts = 0;
  std::uint64_t expiries = 0;

  bool operator==(const Repairs&) const = default;
};

class RepairBook {
 public:
  /// The series of the increments that follow.
  void begin_series(const SeriesName& name) {
    name_ = &name;
    lengths_ = nullptr;
  }
  void add(const Increment& increment) { count(increment, 1); }
  /// The increment was in the store, or added before, and is no more.
  void take_back(const Increment& increment) { count(increment, -1); }

  /// Of the series of a server only those of the highest rank count, as others hold the same bytes: file systems before
  /// totals before job tags.
  static int rank(const SeriesName& name) { return !name.job.empty() ? 0 : name.filesystem.empty() ? 1 : 2; }
  static constexpr int highest_rank = 2;

  /// Servers whose series are of this rank at least, though perhaps not in this book.
  void raise_rank(const std::string& server, int rank);
  /// Is there a gap that would not count if the store knew series of a higher rank?
  bool depends_on_ranks() const;
  Repairs sums() const;

 private:
  using Lengths = std::map<std::int64_t, std::int64_t>;  // rounded length in microseconds: how many more
  struct Server {
    int rank = 0;
    std::array<std::uint64_t, highest_rank + 1> gaps{};  // of series that were judged already, by rank
  };

  void count(const Increment& increment, int by);
  void count_flags(const Increment& increment, int by);
  void open_series();
  void judge_jobs();
  std::unordered_map<std::string, Server> with_all_gaps() const;

  const SeriesName* name_ = nullptr;
  Lengths* lengths_ = nullptr;  // of the current series
  Lengths::value_type* last_length_ = nullptr;
  Lengths unused_;  // of series that do not count
  std::map<SeriesName, Lengths> all_;
  std::size_t jobs_ = 0;  // of all_, those with a job
  std::unordered_map<std::string, Server> servers_;
  std::map<std::string, std::map<Time, std::int64_t>> resets_;
  std::int64_t resets_inferred_ = 0, wraps_ = 0, unmounts_ = 0, expiries_ = 0;
};

}  // namespace fathom
