// SPDX-License-Identifier: Apache-2.0
/// What must be known of all increments before one can be judged: each series' usual interval, and which days hold which time of a server.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/increment_scan.h"

namespace fathom {

/// How often lengths occur, rounded as in store/survey.h; the median is the usual interval.
class LengthCounts {
 public:
  void add(std::int64_t length, std::uint64_t count = 1);
  void add(const LengthCounts& other);
  std::int64_t median() const;
  const std::vector<std::pair<std::int64_t, std::uint64_t>>& classes() const { return classes_; }

 private:
  std::vector<std::pair<std::int64_t, std::uint64_t>> classes_;  // few: not sorted, the latest first
};

struct TimeRange {
  std::int64_t from = INT64_MAX, to = INT64_MIN;
  void add(std::int64_t a, std::int64_t b) {
    if (a < from) from = a;
    if (b > to) to = b;
  }
  bool overlaps(std::int64_t a, std::int64_t b) const { return from < b && a < to; }
};

struct IncrementFacts {
  std::map<SeriesName, LengthCounts> lengths;
  /// The time that the increments of a day cover, by server; they may begin days before.
  std::map<std::int32_t, std::map<std::string, TimeRange>> days;
  std::uint64_t increments = 0;

  void add(const IncrementFacts& other);
  /// For other processes.
  std::string packed() const;
  static Result<IncrementFacts> unpacked(std::string_view text);
};

/// Reads the times of all increments of the days given, on several threads.
Result<IncrementFacts> gather_facts(const Snapshot& snapshot, const std::vector<std::int32_t>& days, unsigned threads,
                                    const std::function<void(std::size_t done)>& progress);

}  // namespace fathom
