// SPDX-License-Identifier: Apache-2.0
/// The replayed machine: queue, nodes, jobs that compute and do I/O in turn, and OSTs on which their bursts get in each other's way.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/policy.h"
#include "replay/workload.h"

namespace fathom::replay {

struct MachineRun {
  std::vector<JobRun> jobs;            // those submitted after the warm-up, in the order of their ends
  titan::Millis makespan = 0;          // when the last of them ended
  double node_share = 0;               // of nodes in use, while jobs were submitted
  double mean_running = 0;             // jobs at a time
  double below_5 = 0, below_100 = 0;   // share of the OSTs' time below 5 and 100 MB/s (AID, Fig. 1)
  std::vector<double> groups_running;  // share of the time that 0, 1, 2, ... pseudo-applications of groups ran
};

/// Runs all of a workload to its end. Batch system, nodes, OSTs and what else goes on are those of the preset `spider`
/// (docs/synthetic-spider.md): 18,688 nodes, first come first served with EASY backfill every 10 s, 68 jobs at most, copies by hand,
/// backups and small requests.
MachineRun run_machine(const Workload& workload, std::uint64_t seed, Policy& policy);

}  // namespace fathom::replay
