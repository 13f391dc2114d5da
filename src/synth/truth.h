// SPDX-License-Identifier: Apache-2.0
/// What really happened on a synthetic machine, and how much of it a perfect reader of its logs can still know.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/counters.h"
#include "model/job.h"

namespace fathom {

struct FaultRow {
  std::string_view kind;
  std::uint32_t server = 0;
  std::string filesystem;  // empty: all
  std::int64_t t = 0;      // by the server's own clock, as in the logs, microseconds
  std::int64_t t_end = 0;
  bool visible = true;
  std::string note;
};

struct SeriesTruth {
  std::uint32_t server = 0;
  std::uint8_t filesystem = 0;
  std::int64_t first = 0, last = 0;
  std::uint64_t samples = 0, increments = 0;
  Counters recoverable{};
};

struct JobTruth {
  Job job;
  bool complete = true;  // began and ended within the logged time
  Counters amounts{};    // within the logged time
};

struct Truth {
  Counters happened{};
  std::vector<SeriesTruth> series;
  std::vector<FaultRow> faults;
  std::vector<JobTruth> jobs;
  std::uint64_t resets = 0, resets_inferred = 0, wraps = 0, gaps = 0, duplicates = 0, left_out = 0, lines = 0;

  Counters recoverable() const;
  /// totals.csv, series.csv, faults.csv, counts.csv and jobs.csv in `directory`, which is made.
  Result<void> write(const std::string& directory, const std::vector<std::string>& servers,
                     const std::vector<std::string>& filesystems) const;
};

/// The batch system's own list, as the reader jobs_csv takes it.
Result<void> write_jobs(const std::string& path, const std::vector<JobTruth>& jobs);

}  // namespace fathom
