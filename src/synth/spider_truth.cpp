// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_truth.h"

#include <algorithm>

#include "base/csv.h"
#include "model/counters.h"

namespace fathom::titan {

namespace {

/// Unix seconds to the millisecond.
std::string moment(Millis t) {
  const Millis whole = log_start_seconds * second + t;
  return whole % second == 0 ? fmt::format("{}", whole / second) : fmt::format("{}.{:03}", whole / second, whole % second);
}

std::string mean_seconds(Millis sum, std::uint64_t count) {
  return count == 0 ? std::string()
                    : fmt::format("{:.3f}", static_cast<double>(sum) / static_cast<double>(second) / static_cast<double>(count));
}

std::string_view direction_name(Direction direction) { return direction == Direction::read ? "read" : "write"; }

std::string_view usual_direction(const Pattern& pattern) {
  if (pattern.footprint == 0) return "";
  return pattern.reading == 0 ? "write" : pattern.reading == 1 ? "read" : "both";
}

}  // namespace

std::string ost_list(const std::vector<std::uint16_t>& osts) {
  std::string text;
  for (std::size_t i = 0; i < osts.size();) {
    std::size_t last = i;
    while (last + 1 < osts.size() && osts[last + 1] == osts[last] + 1) ++last;
    if (!text.empty()) text += ' ';
    text += fmt::format("{:04x}", osts[i] % partition_osts);
    if (last > i) text += fmt::format("-{:04x}", osts[last] % partition_osts);
    i = last + 1;
  }
  return text;
}

SpiderTruth::SpiderTruth(std::string directory, const SpiderVariant& variant)
    : directory_(std::move(directory)), cases_(variant.cases), jobs_(table("jobs.csv")), bursts_(table("bursts.csv")) {
  jobs_.print("job_id,user,name,nodes,start,end,complete,read_bytes,write_bytes,kind,state,submit,io_off,bursts{}\n",
              cases_ ? ",host_job" : "");
  bursts_.print("job_id,start,end,bytes,direction,osts,filesystem,ost_list{}\n", cases_ ? ",pattern" : "");
}

void SpiderTruth::job(const JobRecord& record) {
  if (!record.ran) {
    ++never_ran_;
    return;
  }
  ++ran_;
  const Application& app = *record.application;
  const Submission& job = record.submission;
  jobs_.print("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", job.id, app.user, csv_field(app.name), app.nodes, moment(record.start),
              record.ended() ? moment(record.end) : "", record.ended() && record.start >= 0 ? "yes" : "no", record.bytes[0],
              record.bytes[1], kind_name(app.kind), record.state, moment(job.submit), job.io_off ? "yes" : "no", record.bursts);
  if (cases_) jobs_.print(",{}", job.host == 0 ? std::string() : fmt::format("{}", job.host));
  jobs_.put("\n");
  Seen& seen = seen_[&app];
  ++seen.runs;
  if (job.io_off) ++seen.runs_io_off;
  latest_burst_.erase(job.id);
}

void SpiderTruth::burst(const BurstRecord& record) {
  const Burst& burst = *record.burst;
  bursts_.print("{},{},{},{},{},{},{},{}", record.job_id, moment(burst.begin), moment(burst.end), burst.moved,
                direction_name(burst.direction), burst.osts.size(), partition_names[record.application->partition], ost_list(burst.osts));
  if (cases_) bursts_.print(",{}", record.pattern);
  bursts_.put("\n");
  SeenPattern& seen = seen_[record.application].patterns[record.pattern];
  std::optional<Millis>& latest = latest_burst_[record.job_id][record.pattern];
  if (latest) {
    ++seen.intervals;
    seen.interval_time += burst.begin - *latest;
  }
  latest = burst.begin;
  if (!burst.done()) return;
  ++seen.bursts;
  seen.bytes += burst.moved;
  seen.burst_time += burst.end - burst.begin;
}

void SpiderTruth::done(TextFile& file) {
  if (auto closed = file.close(); !closed && trouble_) trouble_ = std::move(closed);
}

void SpiderTruth::write_applications(const std::vector<Application>& apps) {
  TextFile file = table("applications.csv");
  file.put(
      "user,name,nodes,kind,period_s,burst_bytes,burst_s,footprint,runs,runs_io_off,filesystem,file_model,quiet_period_s,quiet_burst_s");
  file.put(cases_ ? ",pattern,direction,drift,host\n" : "\n");
  for (const Application& app : apps) {
    const auto found = seen_.find(&app);
    if (found == seen_.end() || found->second.runs == 0) continue;
    write_pattern(apps, app, found->second, 0, file);
    if (app.second) write_pattern(apps, app, found->second, 1, file);
  }
  done(file);
}

void SpiderTruth::write_pattern(const std::vector<Application>& apps, const Application& app, const Seen& runs, std::size_t which,
                                TextFile& file) {
  const Pattern& pattern = app.pattern(which);
  const SeenPattern& seen = runs.patterns[which];
  file.print("{},{},{},{},{},{},{},{},{},{},", app.user, csv_field(app.name), app.nodes, kind_name(app.kind),
             mean_seconds(seen.interval_time, seen.intervals),
             seen.bursts == 0 ? std::string() : fmt::format("{}", seen.bytes / seen.bursts), mean_seconds(seen.burst_time, seen.bursts),
             pattern.footprint == 0 ? std::string() : fmt::format("{}", pattern.footprint), runs.runs, runs.runs_io_off);
  file.print("{},{},{},{}", app.kind == Kind::silent || app.kind == Kind::piggy_back ? "" : partition_names[app.partition],
             file_model_name(app.model), app.iterates() ? mean_seconds(pattern.period, 1) : "",
             app.iterates() ? mean_seconds(pattern.quiet_burst(), 1) : "");
  if (cases_)
    file.print(",{},{},{},{}", app.iterates() ? fmt::format("{}", which) : std::string(), usual_direction(pattern),
               app.iterates() ? fmt::format("{}", pattern.drift) : std::string(), app.host ? apps[*app.host].name : std::string());
  file.put("\n");
}

void SpiderTruth::write_counters(const OstCounters& counters, std::int64_t samples, std::uint64_t lines) {
  TextFile series = table("series.csv");
  series.put("server,filesystem,samples,increments,read_bytes,write_bytes\n");
  std::array<std::uint64_t, 2> recoverable{};
  std::uint64_t increments = 0;
  for (std::size_t ost = 0; ost < ost_count; ++ost) {
    const OstCounters::Known known = counters.known(ost);
    series.print("{},{},{},{},{},{}\n", server_name(ost), partition_names[ost / partition_osts], known.samples, known.increments,
                 known.bytes[0], known.bytes[1]);
    for (std::size_t d = 0; d < 2; ++d) recoverable[d] += known.bytes[d];
    increments += known.increments;
  }
  done(series);

  TextFile totals = table("totals.csv");
  totals.put("counter,happened,recoverable\n");
  for (std::size_t d = 0; d < 2; ++d)
    totals.print("{},{},{}\n", counter_names[d], counters.happened(static_cast<Direction>(d)), recoverable[d]);
  done(totals);

  TextFile faults = table("faults.csv");
  faults.put("kind,server,filesystem,t,t_end,visible,note\n");
  for (const auto& fault : counters.failovers())
    for (std::size_t ost = fault.first_ost; ost < fault.first_ost + osts_per_server; ++ost)
      faults.print("restart,{},{},{},{},yes,failover of the OSS: its OSTs count from zero\n", server_name(ost),
                   partition_names[ost / partition_osts], moment((fault.index - 1) * step + step / 3), moment(fault.index * step));
  for (const auto& fault : counters.outages())
    faults.print("gap,,,{},{},yes,the collector was down: t and t_end are the readings around it\n", moment((fault.from - 1) * step),
                 moment(fault.to * step));
  done(faults);

  TextFile counts = table("counts.csv");
  counts.put("what,count\n");
  const std::pair<std::string_view, std::uint64_t> counted[] = {{"increments", increments},
                                                                {"servers", ost_count},
                                                                {"filesystems", partition_count},
                                                                {"jobs", ran_},
                                                                {"resets", 0},
                                                                {"resets_inferred", counters.resets()},
                                                                {"wraps", 0},
                                                                {"gaps", counters.gaps()},
                                                                {"duplicates", 0},
                                                                {"rejected", 0},
                                                                {"left_out", never_ran_},
                                                                {"lines", lines},
                                                                {"grid_points", static_cast<std::uint64_t>(samples)}};
  for (const auto& [what, count] : counted) counts.print("{},{}\n", what, count);
  done(counts);
}

void SpiderTruth::finish(const std::vector<Application>& apps, const OstCounters& counters, std::int64_t samples, std::uint64_t lines) {
  write_applications(apps);
  write_counters(counters, samples, lines);
}

Result<void> SpiderTruth::close() {
  done(jobs_);
  done(bursts_);
  return trouble_;
}

}  // namespace fathom::titan
