// SPDX-License-Identifier: Apache-2.0
#include "cli/recorded_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "advise/advisor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/talk.h"
#include "mine/burst_book.h"
#include "mine/mining.h"
#include "store_advice/known_applications.h"
#include "store_advice/store_load.h"

namespace fathom {
namespace {

constexpr double undisturbed = 0.1;  // of an application's bursts: the shortest tenth were in nobody's way

/// A run of a known application; those that show its pattern can tell how long their I/O took.
struct RecordedRun {
  const advise::KnownApplication* application = nullptr;
  std::string job;
  Time start{}, end{};
  std::size_t bursts = 0;
  double io_seconds = 0, alone_seconds = 0;

  bool asked = false, delay = false;
  double score = NAN, limit = NAN;
  std::string reason;

  double slowdown() const { return io_seconds / alone_seconds; }
};

/// Adds what the runs' bursts took, and what they would have alone.
void add_io(const mine::Pattern& pattern, const mine::BurstLog& log, const std::vector<std::size_t>& number,
            std::vector<RecordedRun>& runs) {
  std::vector<double> lengths;
  const auto each_burst = [&](auto take) {
    for (const mine::Sighting& sighting : pattern.sightings)
      if (sighting.shown)
        for (const std::uint32_t burst : sighting.bursts)
          take(runs[number[sighting.run]], seconds(log.bursts[burst].end - log.bursts[burst].start));
  };
  each_burst([&](RecordedRun&, double length) { lengths.push_back(length); });
  if (lengths.empty()) return;
  const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(undisturbed * static_cast<double>(lengths.size()));
  std::nth_element(lengths.begin(), at, lengths.end());
  const double alone = *at;
  each_burst([&](RecordedRun& run, double length) {
    ++run.bursts;
    run.io_seconds += std::max(length, alone);
    run.alone_seconds += alone;
  });
}

/// All runs of known applications, in order of their starts.
Result<std::vector<RecordedRun>> recorded_runs(const Snapshot& snapshot, const KnownApplications& known) {
  TRY(Database database, Database::open({.threads = 1}));
  TRY(const std::vector<mine::Block> blocks, mine::read_blocks(snapshot, database));
  const std::vector<mine::BurstLog> logs = mine::logs_of(blocks);
  const std::vector<mine::TimedLog> timed(logs.begin(), logs.end());
  Time until = no_time;
  for (const mine::BurstLog& log : logs)
    if (!log.seen.empty()) until = std::max(until, log.seen.back().to);
  std::size_t left_out = 0;
  TRY(const std::vector<mine::Application> applications, mine::applications_of(snapshot, database, no_time, no_time, left_out));
  std::vector<RecordedRun> runs;
  for (const mine::Application& application : applications) {
    const auto at = known.find({application.name.user, application.name.name, application.name.nodes});
    if (at == known.end()) continue;
    std::vector<std::size_t> number;  // of the runs that were not left out, which sightings count
    for (const mine::Run& run : application.runs) {
      if (mine::possible(run)) number.push_back(runs.size());
      RecordedRun& added = runs.emplace_back();
      added.application = &at->second;
      added.job = run.job;
      added.start = run.start;
      added.end = run.end;
    }
    const mine::Finding finding = mine::examine(application, timed, until, {});
    for (const mine::Pattern& pattern : finding.patterns)
      for (const mine::BurstLog& log : logs)
        if (log.filesystem == pattern.filesystem && log.direction == pattern.direction) add_io(pattern, log, number, runs);
  }
  std::sort(runs.begin(), runs.end(),
            [](const RecordedRun& a, const RecordedRun& b) { return std::tie(a.start, a.job) < std::tie(b.start, b.job); });
  return runs;
}

/// As it would have been asked for when the run started: counters up to then, and the jobs that ran.
Result<void> ask(const Snapshot& snapshot, const LoadCounters& counters, const advise::Trained& trained,
                 const advise::AdvisorSettings& settings, const std::vector<RecordedRun>& all, RecordedRun& run) {
  const auto load = store_load(snapshot, counters, run.start, trained.load);
  if (!load && load.error().kind == ErrorKind::not_found) return {};  // before the counters begin, or after they end
  if (!load) return load.error();
  TRY(advise::Advisor advisor, advise::Advisor::make(trained, load->partitions, load->servers.size(), settings, load->slot_seconds));
  for (const auto& slot : load->slots) advisor.add_slot(slot);
  for (std::size_t i = 0; i < all.size() && all[i].start < run.start; ++i)
    if (all[i].end > run.start) advisor.job_started(i, *all[i].application, unix_seconds(all[i].start), std::nullopt);
  const advise::Advice advice = advisor.recommend(run.application, unix_seconds(run.start), 0);
  run.asked = true;
  run.delay = advice.verdict == advise::Verdict::delay;
  run.reason = advice.reason;
  if (advice.partitions.empty() || advice.partitions.front().servers == 0) return {};
  run.score = advice.partitions.front().score;
  run.limit = advice.partitions.front().limit.score;
  return {};
}

std::string_view advice_word(bool delay) { return delay ? "delay" : "run"; }

Cell known_or_empty(double value) { return std::isfinite(value) ? cell(value) : Cell{}; }

Table each_run(const std::vector<RecordedRun>& runs) {
  Table table{{{"job_id"},
               {"user"},
               {"name"},
               {"nodes", Quantity::count},
               {"start", Quantity::time},
               {"advice"},
               {"score", Quantity::real},
               {"limit", Quantity::real},
               {"bursts", Quantity::count},
               {"io_seconds", Quantity::real},
               {"slowdown", Quantity::real},
               {"reason"}},
              {}};
  for (const RecordedRun& run : runs)
    if (run.asked)
      table.rows.push_back({cell(run.job), cell(run.application->user), cell(run.application->name),
                            cell(std::uint64_t{run.application->nodes}), cell(run.start), cell(advice_word(run.delay)),
                            known_or_empty(run.score), known_or_empty(run.limit), cell(std::uint64_t{run.bursts}), cell(run.io_seconds),
                            cell(run.slowdown()), cell(run.reason)});
  return table;
}

Table by_advice(const std::vector<RecordedRun>& runs) {
  Table table{{{"advice"},
               {"jobs", Quantity::count},
               {"slowdown_mean", Quantity::real},
               {"slowdown_p95", Quantity::real},
               {"slowdown_most", Quantity::real},
               {"io_seconds", Quantity::real}},
              {}};
  for (const bool delay : {false, true}) {
    std::vector<double> slowdowns;
    double io = 0, sum = 0;
    for (const RecordedRun& run : runs)
      if (run.asked && run.delay == delay) {
        slowdowns.push_back(run.slowdown());
        sum += slowdowns.back();
        io += run.io_seconds;
      }
    auto& row = table.rows.emplace_back(std::vector<Cell>{cell(advice_word(delay)), cell(std::uint64_t{slowdowns.size()})});
    if (slowdowns.empty()) {
      row.resize(table.columns.size());
      continue;
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    for (const double value :
         {sum / static_cast<double>(slowdowns.size()),
          slowdowns[static_cast<std::size_t>(0.95 * static_cast<double>(slowdowns.size() - 1) + 0.5)], slowdowns.back(), io})
      row.push_back(cell(value));
  }
  return table;
}

}  // namespace

Result<void> replay_recorded(const std::string& path, const ReplayArguments& given, const AdviceArguments& advice,
                             const OutputOptions& output) {
  Time since = no_time, until = no_time;
  if (!given.since.empty()) {
    TRY(since, parse_time_argument(given.since, "--since"));
  }
  if (!given.until.empty()) {
    TRY(until, parse_time_argument(given.until, "--until"));
  }
  TRY(const advise::Trained trained, advise::weights_of(advice.weights));
  TRY(const Store store, Store::open(path));
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(const KnownApplications known, known_applications(snapshot));
  if (known.empty())
    return Error{ErrorKind::not_found, fmt::format("replaying {}: no application's pattern is known; run fathom mine first", path)};
  TRY(const std::vector<RecordedRun> all, recorded_runs(snapshot, known));
  TRY(const LoadCounters counters, load_counters(snapshot, {}));
  std::vector<RecordedRun> asked;
  for (const RecordedRun& run : all)
    if (run.bursts > 0 && (since == no_time || run.start >= since) && (until == no_time || run.start < until)) asked.push_back(run);
  {
    Progress bar("replaying", Progress::Unit::share);
    std::atomic<std::size_t> done = 0;
    TRY_VOID(in_parallel(asked.size(), cores(), [&](unsigned thread, std::size_t i) -> Result<void> {
      if (auto done_so = ask(snapshot, counters, trained, advice.settings(), all, asked[i]); !done_so) return done_so;
      ++done;
      if (thread == 0) bar.update(done, asked.size());
      return {};
    }));
  }
  tell(
      "{} runs of {} known applications show their pattern; accepted impact {:g}; weights: {}; slowdown: bursts' lengths against the "
      "shortest tenth of the same application's\n",
      asked.size(), known.size(), advice.impact, advise::origin_of(trained, advice.weights));
  return write_table(given.table == "runs" ? each_run(asked) : by_advice(asked), output);
}

}  // namespace fathom
