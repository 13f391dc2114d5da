// SPDX-License-Identifier: Apache-2.0
/// Jobs of an ingest, brought together with those that the store has: one row per job and start.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/job.h"
#include "store/store.h"

namespace fathom {

class JobBook {
 public:
  void add(Job job);
  /// Those that wait to be staged.
  void append_to(std::vector<Job>& jobs) const {
    for (const auto& [key, job] : jobs_) jobs.push_back(job);
  }
  /// Writes what is new or better known than before; records that say nothing new change nothing.
  Result<void> stage(Transaction& transaction);
  /// Takes the jobs of a source out; returns how many.
  static Result<std::uint64_t> remove_source(Transaction& transaction, SourceId source);
  /// How many jobs of each source another one tells as well or better; complete after stage().
  const std::map<SourceId, std::uint64_t>& overlaps() const { return overlaps_; }

 private:
  using Key = std::pair<std::string, Time>;  // id and start: batch systems use ids again
  std::map<Key, Job> jobs_;
  std::map<SourceId, std::uint64_t> overlaps_;
};

}  // namespace fathom
