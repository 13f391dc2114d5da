// SPDX-License-Identifier: Apache-2.0
/// From the answers of GPFS nodes to log files or to a harvest: what all machines with such counters share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/harvest.h"
#include "synth/gpfs_node.h"

namespace fathom {

struct GpfsNames {
  const std::vector<std::string>& servers;
  const std::vector<std::string>& filesystems;
  const std::string& cluster;
};

/// Runs a machine and hands its answers to the function, in the order in which they reach the log.
using AnswerSource = std::function<void(const std::function<void(const Answer&)>&)>;

/// mmpmon-2010-05-03.log ... below `directory`, a file a day.
Result<void> write_counter_logs(const GpfsNames& names, Period period, const AnswerSource& run, const std::string& directory);
/// What reading those files would give.
void deliver_counters(const GpfsNames& names, const AnswerSource& run, Harvest& harvest);

}  // namespace fathom
