// SPDX-License-Identifier: Apache-2.0
#include "store_advice/asking.h"

#include <fmt/format.h>

#include <limits>

#include "store/job_rows.h"
#include "store_advice/store_load.h"

namespace fathom {
namespace {

/// Jobs that run at that time, as the log tells it then.
Result<std::vector<Job>> running_jobs(const Snapshot& snapshot, Time at) {
  TRY(Database database, Database::open({.threads = 1}));
  return read_jobs(database, snapshot.rows_of(jobs_table),
                   fmt::format("start_time <= make_timestamp({0}) AND (end_time IS NULL OR end_time > make_timestamp({0}))", micros(at)));
}

Result<void> tell_of_running_jobs(advise::Advisor& advisor, const Snapshot& snapshot, Time at, const FindApplication& find) {
  TRY(const std::vector<Job> jobs, running_jobs(snapshot, at));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].nodes > std::numeric_limits<std::uint32_t>::max()) continue;
    TRY(const std::optional<advise::KnownApplication> known,
        find(snapshot, jobs[i].user, jobs[i].name, static_cast<std::uint32_t>(jobs[i].nodes)));
    if (!known) continue;
    const std::optional<double> limit = jobs[i].time_limit ? std::optional(seconds(*jobs[i].time_limit)) : std::nullopt;
    advisor.job_started(i, *known, unix_seconds(jobs[i].start), limit);
  }
  return {};
}

}  // namespace

Result<StoreAdvice> ask_for_advice(const Snapshot& snapshot, const AdviceQuestion& question, const advise::Trained& trained,
                                   const advise::AdvisorSettings& settings, const FindApplication& find) {
  TRY(const std::optional<advise::KnownApplication> known, find(snapshot, question.user, question.name, question.nodes));
  TRY(const StoreLoad load, store_load(snapshot, question.at, {}, trained.load));
  TRY(advise::Advisor advisor, advise::Advisor::make(trained, load.partitions, load.servers.size(), settings, load.slot_seconds));
  for (const auto& slot : load.slots) advisor.add_slot(slot);
  TRY_VOID(tell_of_running_jobs(advisor, snapshot, load.at, find));
  const double delayed =
      question.delayed_since == no_time || question.delayed_since > load.at ? 0 : seconds(load.at - question.delayed_since);
  return StoreAdvice{load.at, known.has_value(), advisor.recommend(known ? &*known : nullptr, unix_seconds(load.at), delayed)};
}

}  // namespace fathom
