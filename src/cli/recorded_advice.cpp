// SPDX-License-Identifier: Apache-2.0
#include "cli/recorded_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/talk.h"
#include "base/units.h"
#include "store_advice/recorded_runs.h"

namespace fathom {
namespace {

/// What would have been said when the run started.
struct AskedRun {
  const RecordedRun* run = nullptr;
  bool asked = false, delay = false;
  double score = NAN, limit = NAN;
  std::string reason;
};

Result<void> ask(const Snapshot& snapshot, const LoadCounters& counters, const advise::Trained& trained,
                 const advise::AdvisorSettings& settings, const std::vector<RecordedRun>& all, AskedRun& asked) {
  TRY(std::optional<advise::Advisor> advisor, advisor_at_start(snapshot, counters, trained, settings, all, *asked.run));
  if (!advisor) return {};
  const advise::Advice advice = advisor->recommend(asked.run->application, unix_seconds(asked.run->start), 0);
  asked.asked = true;
  asked.delay = advice.verdict == advise::Verdict::delay;
  asked.reason = advice.reason;
  if (advice.partitions.empty() || advice.partitions.front().servers == 0) return {};
  asked.score = advice.partitions.front().score;
  asked.limit = advice.partitions.front().limit.score;
  return {};
}

std::string_view advice_word(bool delay) { return delay ? "delay" : "run"; }

Cell known_or_empty(double value) { return std::isfinite(value) ? cell(value) : Cell{}; }

Table each_run(const std::vector<AskedRun>& runs) {
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
  for (const AskedRun& each : runs) {
    if (!each.asked) continue;
    const RecordedRun& run = *each.run;
    table.rows.push_back({cell(run.job), cell(run.application->user), cell(run.application->name),
                          cell(std::uint64_t{run.application->nodes}), cell(run.start), cell(advice_word(each.delay)),
                          known_or_empty(each.score), known_or_empty(each.limit), cell(std::uint64_t{run.bursts()}), cell(run.io_seconds()),
                          cell(run.slowdown()), cell(each.reason)});
  }
  return table;
}

Table by_advice(const std::vector<AskedRun>& runs) {
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
    for (const AskedRun& each : runs)
      if (each.asked && each.delay == delay) {
        slowdowns.push_back(each.run->slowdown());
        sum += slowdowns.back();
        io += each.run->io_seconds();
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
  TRY(const RecordedRuns recorded, recorded_runs(snapshot, known));
  const std::vector<RecordedRun>& all = recorded.runs;
  TRY(const LoadCounters counters, load_counters(snapshot, {}));
  std::vector<AskedRun> asked;
  for (const RecordedRun& run : all)
    if (!run.shown.empty() && (since == no_time || run.start >= since) && (until == no_time || run.start < until))
      asked.emplace_back().run = &run;
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
      "{} of {} show their pattern; accepted impact {:g}; weights: {}; slowdown: bursts' lengths against the "
      "shortest tenth of the same application's\n",
      counted(asked.size(), "run"), counted(known.size(), "known application"), advice.impact, advise::origin_of(trained, advice.weights));
  return write_table(given.table == "runs" ? each_run(asked) : by_advice(asked), output);
}

}  // namespace fathom
