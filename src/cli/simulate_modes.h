// SPDX-License-Identifier: Apache-2.0
/// What `fathom simulate` can do with a scenario and its work; each has a file of its own.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "simulate/scenario.h"
#include "store_work/store_work.h"

namespace fathom {

class Ranks;

struct SimulateOptions {
  std::string scenario, preset, from, to, completions, trace, bench;
  std::string perfetto, perfetto_window;
  std::vector<std::string> perfetto_nodes;
  StoreWorkOptions store;
  std::vector<std::string> sweep;
  unsigned threads = 0;  // 0: one per core, or one on each of several ranks
  bool nodes = false, summary = false, verify = false;
};

/// Original and changed architecture: jobs, I/O nodes or statistics, or a page; every request to a file if wanted.
Result<void> simulate_comparison(const simulate::Scenario& scenario, const simulate::Work& work, const SimulateOptions& given,
                                 const OutputOptions& output);
/// Every combination against the same original: the scenario's, or the scenario itself.
Result<void> simulate_sweep(const simulate::Scenario& scenario, const simulate::Work& work, const SimulateOptions& given,
                            const OutputOptions& output, Ranks& ranks);
/// Simulated counters against the real ones.
Result<void> simulate_verification(const simulate::Scenario& scenario, const simulate::Work& work, const OutputOptions& output);

/// Of a run that Ctrl-C ended; `done` says what there is.
inline Error stopped_by_user(const std::string& done) { return {ErrorKind::interrupted, "simulating: stopped by Ctrl-C; " + done}; }

}  // namespace fathom
