// SPDX-License-Identifier: Apache-2.0
/// What the simulated machine has to do: increments on I/O nodes, and the jobs they belong to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "simulate/picoseconds.h"
#include "simulate/requests.h"

namespace fathom::simulate {

/// What counters of an I/O node gained in (start, end]. A node may have several series of them, one for each file system.
struct WorkIncrement {
  std::uint32_t node = 0;
  Picoseconds start = 0, end = 0;
  Amounts amounts;
  std::uint32_t series = 0;
};

struct WorkJob {
  std::string id;
  Picoseconds start = 0, end = 0;
  std::vector<std::uint32_t> nodes;
};

/// The part of a job on one I/O node: jobs count their shares from `first_share` on, in the order of their nodes.
inline constexpr std::uint32_t no_share = UINT32_MAX;

/// What happens on an I/O node, in order.
struct Step {
  enum class What : std::uint8_t { job_start, increment, job_end };
  Picoseconds at = 0;
  What what = What::increment;
  std::uint32_t share = no_share;
  Amounts amounts;  // of an increment, as all that follows
  Picoseconds start = 0, end = 0;
  std::uint32_t series = 0;
};

/// A request that somebody really made: its own time and size, of a given compute node.
struct TimedRequest {
  Picoseconds at = 0;  // since the scenario's start; not before the one before it
  std::uint64_t bytes = 0;
  Kind kind = Kind::read;
};

struct NodeWork {
  std::string name;
  std::uint32_t compute_nodes = 1;
  std::vector<Step> steps;
  /// Empty, or one list for each compute node. A node that has them has no increments.
  std::vector<std::vector<TimedRequest>> timed = {};
  std::uint32_t timed_share = no_share;  // whose they are
};

struct Share {
  std::uint32_t job = 0, node = 0;
};

struct Work {
  std::vector<NodeWork> nodes;
  std::vector<WorkJob> jobs;
  std::vector<Share> shares;
};

/// Puts increments and jobs in order on their nodes. An increment belongs to the job that has most of its interval on that node, and begins
/// no earlier than that job. Two jobs on a node at the same time are an error: nobody can tell whose I/O it was.
Result<void> lay_out(Work& work, std::vector<WorkIncrement> increments);

}  // namespace fathom::simulate
