// SPDX-License-Identifier: Apache-2.0
/// What the servers and jobs of a store did, as work for a simulation.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "simulate/scenario.h"
#include "store/store.h"

namespace fathom {

struct StoreWorkOptions {
  std::string store;
  Time from = no_time, to = no_time;             // no_time: all there is
  std::vector<std::string> servers;              // empty: all
  std::function<void(const std::string&)> tell;  // of what was left out; none: nobody wants to know
  std::function<bool()> stop;                    // asked now and then; none: it is not stopped
  std::uint64_t most_increments = UINT64_MAX;    // more are refused
  bool jobs = true;                              // false: only the increments; whose they are does not matter
};

/// Increments that begin in the range, and the jobs that lie in it as a whole.
Result<simulate::Work> work_of_store(const simulate::Scenario& scenario, const StoreWorkOptions& options);
/// The same of a snapshot; the store's name is for messages.
Result<simulate::Work> work_of_store(const simulate::Scenario& scenario, const Snapshot& snapshot, const StoreWorkOptions& options);

}  // namespace fathom
