// SPDX-License-Identifier: Apache-2.0
#include "synth/harbour_logs.h"

#include <filesystem>
#include <memory>

#include "base/time.h"
#include "synth/harbour_counters.h"
#include "synth/harbour_trace.h"
#include "synth/harbour_truth.h"
#include "synth/spider_job_log.h"
#include "synth/text_file.h"

namespace fathom::quayside {
namespace {

/// Everything that happens on the machine.
struct Day {
  std::vector<PlannedJob> jobs;
  std::int64_t readings;
  Traffic traffic;
  ClientSteps clients;
  RunTruth traced;
  std::unique_ptr<TraceFolder> trace;
  std::uint64_t traced_job = 0;

  explicit Day(const SynthOptions& options)
      : jobs(plan(options)), readings(reading_count(options.days.value_or(default_days))), traffic(jobs.size(), readings - 1) {
    for (std::uint32_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].application->kind == Kind::checkpoint)
        run(j);
      else
        move(jobs[j], j, traffic);
      options.progress(0.5 * static_cast<double>(j + 1) / static_cast<double>(jobs.size()));
    }
    add_background(options.seed, traffic);
  }
  Micros log_end() const { return reading_time(readings - 1); }

 private:
  void run(std::uint32_t number) {
    const PlannedJob& job = jobs[number];
    if (!job.traced) {
      play(job, number, traffic, {});
      return;
    }
    trace = std::make_unique<TraceFolder>(job);
    traced_job = job.id;
    traced = play(job, number, traffic, [&](const ClientCall& call) {
      trace->take(call);
      clients.take(call);
    });
  }
};

// read_bytes                1705491 samples [bytes] 4096 4194304 1788336930816
void put_stats(TextFile& file, const OstReading& reading) {
  if (reading.ost % osts_per_server == 0) file.print("# host=oss{} time={}\n", reading.ost / osts_per_server + 1, reading.t / second);
  file.print("obdfilter.{}.stats=\nsnapshot_time             {}.000000 secs.usecs\n", server_name(reading.ost), reading.t / second);
  file.print("read_bytes                {} samples [bytes] 4096 4194304 {}\n", reading.values[2], reading.values[0]);
  file.print("write_bytes               {} samples [bytes] 4096 4194304 {}\n", reading.values[3], reading.values[1]);
}

//   write_bytes:     { samples:         189, unit: bytes, min:     4096, max:  4194304, sum:       3152019456 }
void put_job_stats(TextFile& file, const OstReading& reading, const std::vector<PlannedJob>& jobs) {
  if (reading.ost % osts_per_server == 0) file.print("# host=oss{} time={}\n", reading.ost / osts_per_server + 1, reading.t / second);
  file.print("obdfilter.{}.job_stats=\njob_stats:\n", server_name(reading.ost));
  for (const JobEntry& entry : reading.jobs) {
    file.print("- job_id:          {}\n  snapshot_time:   {}\n", jobs[entry.job].id, entry.changed / second);
    for (const std::size_t i : {0u, 1u})
      file.print("  {}_bytes:{:<{}}{{ samples: {:>11}, unit: bytes, min:     4096, max:  4194304, sum: {:>16} }}\n",
                 i == 0 ? "read" : "write", "", i == 0 ? 6 : 5, entry.values[2 + i], entry.values[i]);
  }
}

Sample sample_of(const OstReading& reading, const Amounts& values) {
  Sample sample;
  sample.t = time_from_micros(reading.t);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sample.values[i] = values[i];
    sample.has |= static_cast<CounterMask>(1u << i);
  }
  return sample;
}

}  // namespace

Result<void> write_logs(const SynthOptions& options, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory + "/truth", failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}/truth: {}", directory, failed.message())};
  const Day day(options);
  TextFile stats(directory + "/ost-stats.txt"), job_stats(directory + "/job-stats.txt"), sacct(directory + "/sacct.txt");
  read_counters(day.traffic, day.readings, [&](const OstReading& reading) {
    put_stats(stats, reading);
    put_job_stats(job_stats, reading, day.jobs);
    if (reading.ost == 0)
      options.progress(0.5 + 0.5 * static_cast<double>(reading.t - log_start) / static_cast<double>(day.log_end() - log_start));
    return stats.good() && job_stats.good();
  });
  sacct.put(titan::sacct_header);
  for (const PlannedJob& job : day.jobs) sacct.put(sacct_line(job, day.log_end()));
  for (TextFile* file : {&stats, &job_stats, &sacct}) TRY_VOID(file->close());
  if (day.trace) TRY_VOID(day.trace->write(fmt::format("{}/traces/{}", directory, day.traced_job)));
  return write_truth({day.jobs, day.traffic, day.clients, day.traced}, directory + "/truth");
}

Result<void> deliver(const SynthOptions& options, Harvest& harvest) {
  const Day day(options);
  read_counters(day.traffic, day.readings, [&](const OstReading& reading) {
    const std::string server = server_name(reading.ost);
    Sample sample = sample_of(reading, reading.values);
    sample.series = harvest.series(server, filesystem);
    harvest.sample(sample);
    for (const JobEntry& entry : reading.jobs) {
      sample = sample_of(reading, entry.values);
      sample.series = harvest.series(server, filesystem, fmt::format("{}", day.jobs[entry.job].id));
      sample.traits = drop_is_expiry;
      harvest.sample(sample);
    }
    harvest.mark({server, std::string(filesystem), MarkKind::visit, sample.t, 0});
    return true;
  });
  for (const PlannedJob& job : day.jobs) harvest.job(as_job(job, day.log_end()));
  return {};
}

}  // namespace fathom::quayside
