// SPDX-License-Identifier: Apache-2.0
/// A Blue Gene with GPFS on its I/O nodes: queue, jobs, counters, faults and logs put together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/harvest.h"
#include "synth/fault_plan.h"
#include "synth/job_mix.h"
#include "synth/synth.h"

namespace fathom {

struct BlueGene {
  std::uint32_t racks = 1;
  bool last_rack_by_card = false;
  std::vector<std::string> filesystems;
  std::string cluster;
  double days = 1;
  double jobs_per_day = 0;
  Workload workload;
  FaultRates faults;
};

/// The first second of the logs: 2010-05-03, a Monday, UTC.
inline constexpr std::int64_t first_second = 1272844800;

/// mmpmon-2010-05-03.log ..., jobs.csv and truth/ below `directory`.
Result<void> write_logs(const BlueGene& machine, const SynthOptions& options, const std::string& directory);
Result<void> deliver(const BlueGene& machine, const SynthOptions& options, Harvest& harvest);

}  // namespace fathom
