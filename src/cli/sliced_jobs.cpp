// SPDX-License-Identifier: Apache-2.0
#include "cli/sliced_jobs.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom {
namespace {

/// Darshan's extended tracing tells of reads and writes alone: that no file was opened is not what its zeros mean.
constexpr std::string_view knows_no_opens = "darshan_dxt";

/// One run's slices as they come from the store: processes in order, each with its slices in order.
class RunTimeline {
 public:
  explicit RunTimeline(bool opens_are_known) : opens_are_known_(opens_are_known) {}

  void add(std::string_view process, const Stretch& stretch, std::int64_t opens, std::int64_t length) {
    if (names_.empty() || names_.back() != process) {
      names_.emplace_back(process);
      stretches_.emplace_back();
    }
    stretches_.back().push_back(stretch);
    opens_ += opens;
    length_ = length;
  }

  Measured measure(Sweeper& sweeper, std::int64_t start, std::int64_t end, std::uint32_t units) const {
    JobTimeline job{start, end, std::max(units, static_cast<std::uint32_t>(names_.size())), {}};
    Measured m;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      job.lanes.push_back({static_cast<std::uint32_t>(i), true, flows, {stretches_[i]}});
      for (const Stretch& stretch : stretches_[i]) {
        job.start = std::min(job.start, stretch.from);
        job.end = std::max(job.end, stretch.to);
        for (std::size_t f = 0; f < flow_count; ++f) m.totals[f] += static_cast<double>(stretch.amounts[f]);
      }
    }
    m.totals[index(Counter::opens)] = static_cast<double>(opens_);
    m.start = job.start;
    m.end = job.end;
    m.units = job.units;
    m.has = opens_are_known_ ? static_cast<CounterMask>(flows | mask(Counter::opens)) : flows;
    m.sampling_step = length_;
    if (m.duration() > 0 && m.units > 0) m.coverage = 1;
    m.lower = m.upper = {m.totals[0], m.totals[1]};
    m.swept = sweeper.sweep(job);
    // A call's bytes are in all slices that it ran in, the call itself in one: sizes are known of all together, not slice by slice.
    m.swept.sized_bytes = {m.totals[0], m.totals[1]};
    return m;
  }

 private:
  static constexpr auto flows = data_counters;
  bool opens_are_known_;
  std::vector<std::string> names_;
  std::vector<std::vector<Stretch>> stretches_;
  std::int64_t opens_ = 0, length_ = 0;
};

Result<RunTimeline> read_run(Database& database, const Snapshot& snapshot, const std::string& trace, bool opens_are_known) {
  RunTimeline run(opens_are_known);
  TRY(Rows rows, database.query(fmt::format("SELECT host || ' ' || process AS unit, start_time, end_time, read_bytes, write_bytes, "
                                            "read_calls, write_calls, opens, length FROM {} "
                                            "WHERE trace = {} ORDER BY unit, start_time",
                                            snapshot.rows_of(slices_table), sql_text(trace))));
  while (rows.next()) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Stretch stretch{micros(rows.time(1, r)), micros(rows.time(2, r)), 1, {}};
      if (stretch.to <= stretch.from) stretch.to = stretch.from + 1;
      stretch.spread = stretch.to - stretch.from;
      for (std::size_t f = 0; f < flow_count; ++f) stretch.amounts[f] = rows.number(3 + f, r);
      run.add(rows.text(0, r), stretch, rows.number(7, r), static_cast<std::int64_t>(rows.real(8, r) * 1e6));
    }
  }
  TRY_VOID(rows.status());
  return run;
}

}  // namespace

Result<std::vector<SlicedJob>> sliced_jobs(const Store& store, const std::vector<std::string>& ids, const SweepOptions& options) {
  struct Run {
    std::string trace, job_id, command, user, name, format;
    std::int64_t start = 0, end = 0;
    std::uint32_t units = 0;
  };
  TRY(const Snapshot snapshot, store.snapshot());
  TRY(Database database, Database::open({}));
  std::vector<Run> runs;
  {
    TRY(Rows rows, database.query(fmt::format(
                       "SELECT t.trace, t.job_id, t.command, t.start_time, t.end_time, t.ranks, j.user_name, j.name, s.format FROM {} t "
                       "LEFT JOIN {} j ON j.job_id = t.job_id AND j.start_time = t.job_start_time "
                       "LEFT JOIN {} s ON s.id = TRY_CAST(regexp_extract(t.trace, ' \\(source ([0-9]+)\\)$', 1) AS BIGINT) "
                       "WHERE t.trace IN (SELECT trace FROM {}) ORDER BY t.job_start_time, t.job_id, t.trace",
                       snapshot.rows_of(traces_table), snapshot.rows_of(jobs_table), snapshot.rows_of(sources_table),
                       snapshot.rows_of(slices_table))));
    while (rows.next())
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto text = [&](std::size_t column) { return rows.is_null(column, r) ? std::string() : std::string(rows.text(column, r)); };
        Run run{text(0),
                text(1),
                text(2),
                text(6),
                text(7),
                text(8),
                micros(rows.time(3, r)),
                micros(rows.time(4, r)),
                static_cast<std::uint32_t>(rows.number(5, r))};
        if (ids.empty() || std::find(ids.begin(), ids.end(), run.job_id) != ids.end()) runs.push_back(std::move(run));
      }
    TRY_VOID(rows.status());
  }
  Sweeper sweeper(options);
  std::vector<SlicedJob> jobs;
  for (const Run& run : runs) {
    TRY(const RunTimeline timeline, read_run(database, snapshot, run.trace, run.format != knows_no_opens));
    const std::string program = run.command.substr(0, run.command.find(' '));
    jobs.push_back({run.trace, run.job_id, run.user, run.name.empty() ? program.substr(program.rfind('/') + 1) : run.name,
                    timeline.measure(sweeper, run.start, run.end, run.units)});
  }
  return jobs;
}

}  // namespace fathom
