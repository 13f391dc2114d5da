// SPDX-License-Identifier: Apache-2.0
/// The load of a store's servers at a time: its increments of the last 20 minutes as slots of the load table.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "advise/adjustment.h"
#include "advise/load_table.h"
#include "store/load_counters.h"
#include "store/store.h"

namespace fathom {

struct StoreLoad {
  Time at{};
  double slot_seconds = 0;
  std::vector<std::string> servers, filesystems;  // by server of the table
  std::vector<advise::Partition> partitions;
  std::vector<std::vector<double>> slots;  // bytes per second by server, oldest first; not_measured where unknown
};

/// `at` no_time: the end of the counters. Only what had ended by then counts, as it would have been known.
Result<StoreLoad> store_load(const Snapshot& snapshot, const LoadCounters& counters, Time at, const advise::LoadSettings& settings);
Result<StoreLoad> store_load(const Snapshot& snapshot, Time at, const std::string& filesystem, const advise::LoadSettings& settings);

}  // namespace fathom
