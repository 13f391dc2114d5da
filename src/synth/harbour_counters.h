// SPDX-License-Identifier: Apache-2.0
/// What the OSTs of the preset `harbour` show whenever they are read: their own counters, and a table of jobs.
#pragma once

#include <functional>
#include <vector>

#include "synth/harbour_traffic.h"

namespace fathom::quayside {

/// A job's line in an OST's table: job_stats.
struct JobEntry {
  std::uint32_t job = 0;
  Amounts values{};
  Micros changed = 0;  // the last request; thrown away when that is long ago
};

struct OstReading {
  Micros t = 0;
  std::uint32_t ost = 0;
  const Amounts& values;
  const std::vector<JobEntry>& jobs;  // in the order in which they came
};

/// Reads all OSTs again and again, in order of time.
void read_counters(const Traffic& traffic, std::int64_t readings, const std::function<bool(const OstReading&)>& take);

}  // namespace fathom::quayside
