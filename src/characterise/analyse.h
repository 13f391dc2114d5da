// SPDX-License-Identifier: Apache-2.0
/// From a store's increments to what was measured of each job: link, sweep, on several threads, a day at a time.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "characterise/machine.h"
#include "criteria/measured.h"
#include "timeline/sweep.h"

namespace fathom {

/// Which days one process reads, and of which servers.
struct DayTask {
  std::uint32_t day = 0;             // index into Machine::days
  std::vector<std::string> servers;  // only these; empty: all
  bool in_ledger = true;             // its increments count in the ledger; false for days that another process counts
};

struct AnalysisOptions {
  LinkStrategy link = LinkStrategy::weighted;
  SweepOptions sweep;
  unsigned threads = 1;
  std::function<void(double share)> progress = [](double) {};
};

struct Analysis {
  std::vector<std::uint32_t> jobs;  // in order; same length as `measured`
  std::vector<Measured> measured;
  Ledger ledger;
  /// What each server moved, of the series that count; by server.
  std::vector<std::array<double, stretch_flows>> server_totals;  // in the order of Stretch::amounts
  std::vector<CounterMask> server_has;                           // what was counted there
  /// False for a server of metadata alone.
  bool moves_data(std::size_t server) const {
    return server >= server_has.size() || server_has[server] == 0 || (server_has[server] & data_counters) != 0;
  }
};

/// Days that the jobs need, each with their servers; with `all`, every day whole.
std::vector<DayTask> plan_days(const Machine& machine, const std::vector<std::uint32_t>& jobs, bool all);

/// For one of several processes: of its own days what all processes' jobs need (`of_all`), and of other days what its own jobs need.
/// `own` says for each day whether it is its own. Together they count in the ledger what one process would.
std::vector<DayTask> plan_days(const Machine& machine, const std::vector<std::uint32_t>& jobs, const std::vector<std::uint8_t>& own,
                               const std::vector<DayTask>& of_all);

/// Links and sweeps.
Result<Analysis> analyse(const Snapshot& snapshot, const Machine& machine, const std::vector<std::uint32_t>& jobs,
                         const std::vector<DayTask>& tasks, const AnalysisOptions& options);

/// A part of a job, with its place.
struct PartOfUnit {
  std::uint32_t unit;  // of the job
  const LinkedPart* part;
};

/// The lanes of one job, held together with the stretches they point to.
struct AssembledJob {
  std::vector<LinkedPart> parts;
  std::vector<PartOfUnit> order;             // all parts, by unit, series and time: the same whoever read which day first
  std::vector<std::vector<Stretch>> sorted;  // where parts came out of order
  JobTimeline timeline;
};

/// Brings the parts of a job into lanes, by unit and series.
AssembledJob assemble(const Machine& machine, std::uint32_t job, std::vector<LinkedPart> parts);

/// Sweeps a job and adds what linking told: band, coverage, flags.
Measured measure(const Machine& machine, std::uint32_t job, const AssembledJob& assembled, Sweeper& sweeper, LinkStrategy link);

/// What one job has of the increments, to look at it closely.
struct LinkedJob {
  std::vector<LinkedPart> parts;
  std::uint32_t other_jobs = 0;  // that shared increments with it; in a window: that ran meanwhile
};
Result<LinkedJob> link_job(const Snapshot& snapshot, const Machine& machine, std::uint32_t job, LinkStrategy link);

}  // namespace fathom
