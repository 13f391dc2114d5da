// SPDX-License-Identifier: Apache-2.0
#include "store_advice/recorded_runs.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "mine/burst_book.h"
#include "mine/counted.h"
#include "mine/mining.h"

namespace fathom {
namespace {

constexpr double undisturbed = 0.1;  // of a pattern's bursts: the shortest tenth were in nobody's way

/// Adds what the runs' bursts took, and what they would have alone. `number`: of the runs, as sightings number them.
void add_io(const mine::Pattern& pattern, const mine::BurstLog& log, const std::vector<std::size_t>& number,
            std::vector<RecordedRun>& runs) {
  const auto length_of = [&](std::uint32_t burst) { return seconds(log.bursts[burst].end - log.bursts[burst].start); };
  std::vector<double> lengths;
  for (const mine::Sighting& sighting : pattern.sightings)
    if (sighting.shown) std::transform(sighting.bursts.begin(), sighting.bursts.end(), std::back_inserter(lengths), length_of);
  if (lengths.empty()) return;
  const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(undisturbed * static_cast<double>(lengths.size()));
  std::nth_element(lengths.begin(), at, lengths.end());
  const double alone = *at;
  for (const mine::Sighting& sighting : pattern.sightings) {
    if (!sighting.shown || sighting.bursts.empty()) continue;
    RecordedPattern& added = runs[number[sighting.run]].shown.emplace_back();
    added.pattern = as_advice_asks(pattern);
    added.bursts = sighting.bursts.size();
    for (const std::uint32_t burst : sighting.bursts) {
      added.io_seconds += std::max(length_of(burst), alone);
      added.alone_seconds += alone;
    }
  }
}

}  // namespace

std::size_t RecordedRun::bursts() const {
  std::size_t sum = 0;
  for (const RecordedPattern& each : shown) sum += each.bursts;
  return sum;
}

double RecordedRun::io_seconds() const {
  double sum = 0;
  for (const RecordedPattern& each : shown) sum += each.io_seconds;
  return sum;
}

double RecordedRun::slowdown() const {
  double alone = 0;
  for (const RecordedPattern& each : shown) alone += each.alone_seconds;
  return io_seconds() / alone;
}

Result<RecordedRuns> recorded_runs(const Snapshot& snapshot, const KnownApplications& known) {
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const std::vector<mine::Block> blocks, mine::read_blocks(snapshot, database));
  const std::vector<mine::BurstLog> logs = mine::logs_of(blocks);
  const std::vector<mine::TimedLog> timed(logs.begin(), logs.end());
  Time until = no_time;
  for (const mine::BurstLog& log : logs)
    if (!log.seen.empty()) until = std::max(until, log.seen.back().to);
  std::size_t left_out = 0;
  TRY(const std::vector<mine::Application> applications, mine::applications_of(snapshot, database, no_time, no_time, left_out));
  RecordedRuns all;
  for (const mine::Application& application : applications) {
    const auto at = known.find({application.name.user, application.name.name, application.name.nodes});
    if (at == known.end()) {
      ++all.other_applications;
      all.other_runs += application.runs.size();
      continue;
    }
    const Time counted_until = mine::counted_until(application.runs);
    std::vector<std::size_t> number;  // of the runs that were not left out, which sightings count
    for (const mine::Run& run : application.runs) {
      const bool possible = mine::possible(run);
      if (possible) number.push_back(all.runs.size());
      all.runs.push_back({&at->second, run.job, run.start, run.end, possible && run.end <= counted_until, {}});
    }
    const mine::Finding finding = mine::examine(application, timed, until, {});
    for (const mine::Pattern& pattern : finding.patterns)
      for (const mine::BurstLog& log : logs)
        if (log.filesystem == pattern.filesystem && log.direction == pattern.direction) add_io(pattern, log, number, all.runs);
  }
  std::sort(all.runs.begin(), all.runs.end(),
            [](const RecordedRun& a, const RecordedRun& b) { return std::tie(a.start, a.job) < std::tie(b.start, b.job); });
  return all;
}

Result<std::optional<advise::Advisor>> advisor_at_start(const Snapshot& snapshot, const LoadCounters& counters,
                                                        const advise::Trained& trained, const advise::AdvisorSettings& settings,
                                                        const std::vector<RecordedRun>& all, const RecordedRun& run) {
  const auto load = store_load(snapshot, counters, run.start, trained.load);
  if (!load && load.error().kind == ErrorKind::not_found) return std::optional<advise::Advisor>{};
  if (!load) return load.error();
  TRY(advise::Advisor advisor, advise::Advisor::make(trained, load->partitions, load->servers.size(), settings, load->slot_seconds));
  for (const auto& slot : load->slots) advisor.add_slot(slot);
  for (std::size_t i = 0; i < all.size() && all[i].start < run.start; ++i)
    if (all[i].end > run.start) advisor.job_started(i, *all[i].application, unix_seconds(all[i].start), std::nullopt);
  return std::optional(std::move(advisor));
}

}  // namespace fathom
