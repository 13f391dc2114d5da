// SPDX-License-Identifier: Apache-2.0
#include "cli/store_advice.h"

#include <limits>

#include <fmt/format.h>

#include "advise/advisor.h"
#include "cli/store_load.h"
#include "store/job_rows.h"

namespace fathom {
namespace {

double in_seconds(Time t) { return static_cast<double>(micros(t)) / 1e6; }

/// Jobs that run at that time, as the log tells it then.
Result<std::vector<Job>> running_jobs(const Snapshot& snapshot, Time at) {
  TRY(Database database, Database::open({.threads = 1}));
  return read_jobs(database, snapshot.rows_of(jobs_table), fmt::format("start_time <= make_timestamp({0}) AND (end_time IS NULL OR end_time > make_timestamp({0}))", micros(at)));
}

Result<void> tell_of_running_jobs(advise::Advisor& advisor, const Snapshot& snapshot, Time at, const FindApplication& find) {
  TRY(const std::vector<Job> jobs, running_jobs(snapshot, at));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].nodes > std::numeric_limits<std::uint32_t>::max()) continue;
    TRY(const std::optional<advise::KnownApplication> known, find(snapshot, jobs[i].user, jobs[i].name, static_cast<std::uint32_t>(jobs[i].nodes)));
    if (!known) continue;
    const std::optional<double> limit = jobs[i].time_limit ? std::optional(seconds(*jobs[i].time_limit)) : std::nullopt;
    advisor.job_started(i, *known, in_seconds(jobs[i].start), limit);
  }
  return {};
}

Table as_rows(const advise::Advice& advice) {
  Table table{{{"advice"}, {"reason"}, {"filesystem"}, {"servers", Quantity::count}, {"score", Quantity::real}, {"limit", Quantity::real}}, {}};
  const std::string verdict = advice.verdict == advise::Verdict::run ? "run" : "delay";
  if (advice.partitions.empty()) table.rows.push_back({cell(verdict), cell(advice.reason), {}, {}, {}, {}});
  for (const advise::PartitionView& each : advice.partitions)
    table.rows.push_back({cell(verdict), cell(advice.reason), cell(each.filesystem), cell(std::uint64_t{each.servers}), each.servers > 0 ? cell(each.score) : Cell{},
                          each.servers > 0 && std::isfinite(each.limit.score) ? cell(each.limit.score) : Cell{}});
  return table;
}

}  // namespace

std::shared_ptr<StoreAdviceArguments> add_store_advice_options(CLI::App& app) {
  auto given = std::make_shared<StoreAdviceArguments>();
  app.add_option("STORE", given->store, "the store with counters, jobs and what was mined of them");
  app.add_option("--user", given->user, "of the job that could start")->type_name("U");
  app.add_option("--name", given->name, "its name")->type_name("N");
  app.add_option("--nodes", given->nodes, "its nodes")->type_name("K");
  app.add_option("--at", given->at, "as things were at this time (ISO 8601 or Unix seconds; default: the end of the counters)")->type_name("T");
  app.add_option("--delayed-since", given->delayed_since, "the first `delay` for this job was given then")->type_name("T");
  return given;
}

Result<void> advise_from_store(const StoreAdviceArguments& given, const AdviceArguments& advice, const FindApplication& find, const OutputOptions& output) {
  if (given.store.empty() || given.user.empty() || given.name.empty() || given.nodes == 0) return Error{ErrorKind::usage, "advising: a job is given by STORE, --user, --name and --nodes; or give --replay"};
  Time at = no_time, since = no_time;
  if (!given.at.empty()) {
    TRY(at, parse_time_argument(given.at, "--at"));
  }
  if (!given.delayed_since.empty()) {
    TRY(since, parse_time_argument(given.delayed_since, "--delayed-since"));
  }
  advise::Trained trained = advise::built_in_training();
  if (!advice.weights.empty()) {
    TRY(trained, advise::load_trained(advice.weights));
  }
  TRY(const Store store, Store::open(given.store));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const std::optional<advise::KnownApplication> known, find(snapshot, given.user, given.name, given.nodes));
  TRY(const StoreLoad load, store_load(snapshot, at, {}, trained.load));
  advise::AdvisorSettings settings;
  settings.impact = advice.impact;
  settings.max_delay_seconds = advice.max_delay;
  TRY(advise::Advisor advisor, advise::Advisor::make(std::move(trained), load.partitions, load.servers.size(), settings, load.slot_seconds));
  for (const auto& slot : load.slots) advisor.add_slot(slot);
  TRY_VOID(tell_of_running_jobs(advisor, snapshot, load.at, find));
  const double delayed = since == no_time || since > load.at ? 0 : seconds(load.at - since);
  const advise::Advice found = advisor.recommend(known ? &*known : nullptr, in_seconds(load.at), delayed);
  if (output.format == "table") return write_text(fmt::format("{}: {}\n", found.verdict == advise::Verdict::run ? "run" : "delay", found.reason), output);
  return write_table(as_rows(found), output);
}

}  // namespace fathom
