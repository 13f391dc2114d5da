// SPDX-License-Identifier: Apache-2.0
/// A store as the analysis sees it: jobs with their time and servers, series with the jobs that their increments can belong to.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "characterise/facts.h"
#include "model/job.h"
#include "timeline/link.h"

namespace fathom {

struct MachineSeries {
  SeriesName name;
  std::uint32_t server = 0;
  std::int64_t usual_interval = 0;  // microseconds
};

struct Machine {
  std::vector<Job> jobs;  // by start, then id
  std::vector<JobSpan> spans;
  std::vector<std::string> servers;  // sorted
  std::vector<MachineSeries> series;
  std::vector<SeriesRule> rules;  // same order as series
  std::deque<Schedule> schedules;
  /// The servers of each job (indexes), sorted; what its units are.
  std::vector<std::vector<std::uint32_t>> units;
  /// True for jobs whose increments are found by their tag.
  std::vector<std::uint8_t> tagged;
  std::vector<std::int32_t> days;
  std::vector<std::vector<TimeRange>> ranges;  // by day (as in `days`) and server
  std::vector<std::int64_t> latest, earliest;  // end of all up to a day, begin of all from it on: where to look
  std::uint64_t simultaneous = 0;              // servers on which jobs ran at the same time
  /// By server: times through which its job-tagged counters were read so often that a job would have been seen (find_visits).
  std::vector<std::vector<TimeRange>> visited;

  std::uint32_t server_id(std::string_view name) const;  // UINT32_MAX if unknown
  /// Days (indexes) whose increments can overlap the job on its servers, or hold its moment if it has no length.
  std::vector<std::uint32_t> days_of(std::uint32_t job) const;

  std::unordered_map<std::string, std::uint32_t> server_ids;
};

struct MachineOptions {
  LinkStrategy link = LinkStrategy::weighted;
  std::string filesystem;                   // only this one; empty: the sum over all
  std::vector<std::string> shared_servers;  // servers whose counters must not be linked without tags
  bool unlinked_is_nobodys = false;         // such counters are nobody's; otherwise they are a mistake
};

/// Brings jobs and facts together. Fails where linking would be wrong: shared servers without job tags.
Result<Machine> build_machine(std::vector<Job> jobs, const IncrementFacts& facts, const MachineOptions& options);

}  // namespace fathom
