// SPDX-License-Identifier: Apache-2.0
/// The store's increments, day by day, as runs of one series each. All who read increments in bulk read them here.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/increment_run.h"
#include "store/store.h"

namespace fathom {

/// Numbers for series, as they turn up. One for each thread; numbers are for lookup within it.
class SeriesIndex {
 public:
  SeriesId id(std::string_view server, std::string_view filesystem, std::string_view job);
  const std::vector<SeriesName>& names() const { return names_; }

 private:
  std::vector<SeriesName> names_;
  std::unordered_map<std::string, SeriesId> ids_;
  std::string key_;
};

struct ScanOptions {
  const std::vector<std::string>* servers = nullptr;  // only these; null: all
  const std::string* filesystem = nullptr;            // only this one; null: all
  CounterMask counters = all_counters;                // of the amounts, only these
  Time after = no_time, until = no_time;              // only what ended after the one and not after the other; no_time: any
};

/// SQL for a counter of an increment as it is to be read, as scan_increments() gives it. Where a server counts metadata operations only
/// kind by kind (GPFS), their sum is made: each kind was corrected for wraps and resets by itself, so the sum is right, and nothing is
/// stored twice.
std::string amount_of(std::size_t counter);

/// Days that have increments, in order.
std::vector<std::int32_t> increment_days(const Snapshot& snapshot);

/// Reads one day's increments. Runs come in the order of the segments: by series and time within each.
Result<void> scan_increments(const Snapshot& snapshot, Database& database, std::int32_t day, SeriesIndex& series,
                             const ScanOptions& options, const std::function<void(const IncrementRun&)>& take);

}  // namespace fathom
