// SPDX-License-Identifier: Apache-2.0
/// What the servers and jobs of a store did, as work for a simulation.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "simulate/scenario.h"

namespace fathom {

struct StoreWorkOptions {
  std::string store;
  Time from = no_time, to = no_time;  // no_time: all there is
  std::vector<std::string> servers;   // empty: all
  bool tell = true;                   // of what was left out; on several ranks one does
  bool jobs = true;                   // false: only the increments; whose they are does not matter
};

/// Increments that begin in the range, and the jobs that lie in it as a whole. What was left out is told on standard error.
Result<simulate::Work> work_of_store(const simulate::Scenario& scenario, const StoreWorkOptions& options);

}  // namespace fathom
