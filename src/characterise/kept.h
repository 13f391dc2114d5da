// SPDX-License-Identifier: Apache-2.0
/// Results that the store keeps, so that only jobs whose inputs changed are computed again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "characterise/study.h"

namespace fathom {

/// What all of a job's values were computed from, as a hash: its record, the segments of its days, the jobs beside it on its
/// servers, the usual intervals there.
class InputHashes {
 public:
  InputHashes(const Machine& machine, const Snapshot& snapshot);
  std::string of(std::uint32_t job);

 private:
  std::uint64_t beside(std::uint32_t day, std::uint32_t server);

  const Machine& machine_;
  std::vector<std::uint64_t> days_;                         // hash of the segments
  std::vector<std::uint64_t> servers_;                      // hash of the series there
  std::vector<std::vector<std::uint32_t>> jobs_of_server_;  // by start
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> beside_;
};

/// Values of the jobs that the store knows, for all thresholds and sizes of the study; jobs with other inputs are not among them.
Result<std::vector<KeptJob>> read_kept(const Snapshot& snapshot, Database& database, const Machine& machine, const StudyOptions& options,
                                       const std::vector<std::uint32_t>& jobs);

/// Writes the values that this study computed into the store; others of the same job, link and settings give way. Waits for other writers.
Result<void> keep(const Store& store, const Study& study);

}  // namespace fathom
