// SPDX-License-Identifier: Apache-2.0
/// Work that consists of requests somebody really made: who made them becomes a compute node.
#pragma once

#include <string>
#include <vector>

#include "simulate/scenario.h"

namespace fathom::simulate {

/// Who makes one request after the other: a thread of a traced process, or a task of a benchmark.
struct Client {
  std::string name;
  std::vector<TimedRequest> requests;  // times since the start of the run; in any order
};

struct TimedRun {
  std::string job;      // the one job that all of it is
  Picoseconds end = 0;  // of the run; its start is 0
  std::vector<Client> clients;
};

/// Clients take the compute nodes of the scenario's I/O nodes in order, the first I/O node first; without [[io_nodes]] there are as many
/// I/O nodes with the usual number of compute nodes as are needed. I/O nodes without a client are left out.
Result<Work> timed_work(const Scenario& scenario, TimedRun run);

}  // namespace fathom::simulate
