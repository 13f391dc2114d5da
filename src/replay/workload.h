// SPDX-License-Identifier: Apache-2.0
/// What is submitted to the replayed machine: the applications of the preset `spider`, and groups of pseudo-applications as in the paper's
/// tests.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "synth/spider_workload.h"

namespace fathom::replay {

/// Figures with a source carry it; docs/advice.md has the table.
struct WorkloadSettings {
  std::uint64_t seed = 1;
  double days = 30;
  /// AID, Table I: 181,969 jobs in five months (150 days).
  double jobs_per_day = 1213;
  /// AID, section VI-C: "groups of pseudo-applications to create varying levels of inter-job I/O contention"; beside the one looked at,
  /// 1 to 7 others ran.
  std::int64_t smallest_group = 2, largest_group = 8;
  /// From one group to the next, evenly drawn; so that 1 to 8 run for most of the time: a group of five runs for some 50 minutes.
  double shortest_gap_minutes = 30, longest_gap_minutes = 90;
  /// All of a group write to the same partition, as the jobs of a project do; else each application to its own.
  bool one_partition = false;
  /// A group is submitted by hand or by a script within so long.
  double group_minutes = 15;
};

struct Workload {
  std::vector<titan::Application> applications;
  std::uint32_t first_of_groups = 0;                 // from here on: the pseudo-applications that are submitted in groups
  std::vector<titan::Submission> jobs;               // by their time of submission; those before 0 warm the machine up
  std::unordered_set<std::uint64_t> last_of_groups;  // jobs that were submitted last of their group
  titan::Millis end = 0;                             // nothing is submitted after it
};

/// The same whatever happens on the machine, so that policies are compared on the same work.
Workload make_workload(const WorkloadSettings& settings);

}  // namespace fathom::replay
