// SPDX-License-Identifier: Apache-2.0
/// What must be known of all increments before one can be judged: each series' usual interval, and which days hold which time of a server.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/series_times.h"

namespace fathom {

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

/// The times of all increments of the days given, on several threads.
Result<IncrementFacts> gather_facts(const Snapshot& snapshot, const std::vector<std::int32_t>& days, unsigned threads,
                                    const std::function<void(std::size_t done)>& progress);

}  // namespace fathom
