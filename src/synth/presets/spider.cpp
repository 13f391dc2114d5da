// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>

#include "base/time.h"
#include "synth/spider_job_log.h"
#include "synth/spider_simulation.h"
#include "synth/spider_truth.h"
#include "synth/synth.h"
#include "synth/text_file.h"

namespace fathom {
namespace {

using namespace titan;

/// One counter file per day and partition, the job log, and the truth.
class LogWriter : public Watcher {
 public:
  LogWriter(const std::string& directory, std::int64_t samples)
      : directory_(directory), samples_(samples), sacct_(directory + "/sacct.txt"), truth_(directory + "/truth") {
    sacct_.put(sacct_header);
    for (std::size_t ost = 0; ost < ost_count; ++ost) middles_.push_back(fmt::format(",{},{},", server_name(ost), partition_names[ost / partition_osts]));
  }

  // 1425168010,atlas1-OST0000,atlas1,52093411532800,8823018250240
  void reading(Millis t, const StepBytes& values) override {
    const std::int64_t unix_time = unix_seconds(t);
    if (files_.empty() || t / day != open_day_) open_day(t / day);
    char time[20];
    const auto time_length = static_cast<std::size_t>(put_number(time, static_cast<std::uint64_t>(unix_time)) - time);
    for (std::size_t ost = 0; ost < ost_count; ++ost) {
      TextFile& file = files_[ost / partition_osts];
      const std::string& middle = middles_[ost];
      char* at = file.room(128);
      std::memcpy(at, time, time_length);
      at += time_length;
      std::memcpy(at, middle.data(), middle.size());
      at = put_number(at + middle.size(), values[0][ost]);
      *at++ = ',';
      at = put_number(at, values[1][ost]);
      *at++ = '\n';
      file.wrote(at);
    }
    lines_ += ost_count;
  }

  void job(const JobRecord& record) override {
    sacct_.put(sacct_line(record));
    truth_.job(record);
    ++lines_;
  }
  void burst(const BurstRecord& record) override { truth_.burst(record); }
  void finish(const std::vector<Application>& apps, const OstCounters& counters) override { truth_.finish(apps, counters, samples_, lines_ + 1); }
  bool go_on() const override { return trouble_.has_value() && sacct_.good() && truth_.good() && (files_.empty() || (files_[0].good() && files_[1].good())); }

  Result<void> close() {
    close_day();
    if (auto closed = sacct_.close(); !closed) return closed;
    if (auto closed = truth_.close(); !closed) return closed;
    return trouble_;
  }

 private:
  void open_day(Millis which) {
    close_day();
    open_day_ = which;
    const std::string date = format_day(day_of(time_from_seconds(unix_seconds(which * day))));
    for (const std::string_view partition : partition_names) {
      files_.emplace_back(fmt::format("{}/counters-{}-{}.csv", directory_, partition, date));
      files_.back().put("t,server,filesystem,read_bytes,write_bytes\n");
      ++lines_;
    }
  }

  void close_day() {
    for (TextFile& file : files_)
      if (auto closed = file.close(); !closed && trouble_) trouble_ = std::move(closed);
    files_.clear();
  }

  std::string directory_;
  std::int64_t samples_;
  TextFile sacct_;
  SpiderTruth truth_;
  std::vector<std::string> middles_;  // of a row: `,atlas1-OST0000,atlas1,`
  std::vector<TextFile> files_;       // of the day being written, by partition
  Millis open_day_ = 0;
  std::uint64_t lines_ = 0;
  Result<void> trouble_;
};

class Delivery : public Watcher {
 public:
  explicit Delivery(Harvest& harvest) : harvest_(harvest) {
    for (std::size_t ost = 0; ost < ost_count; ++ost) series_.push_back(harvest.series(server_name(ost), partition_names[ost / partition_osts]));
  }

  void reading(Millis t, const StepBytes& values) override {
    Sample sample;
    sample.t = time_from_seconds(unix_seconds(t));
    sample.has = byte_counters;
    for (std::size_t ost = 0; ost < ost_count; ++ost) {
      sample.series = series_[ost];
      sample.values[index(Counter::read_bytes)] = values[0][ost];
      sample.values[index(Counter::write_bytes)] = values[1][ost];
      harvest_.sample(sample);
    }
  }

  void job(const JobRecord& record) override {
    if (record.ran) {
      harvest_.job(as_job(record));
    } else {
      harvest_.leave_out("job never ran");
    }
  }

 private:
  Harvest& harvest_;
  std::vector<SeriesId> series_;
};

Result<void> write_logs(const SynthOptions& options, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory + "/truth", failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}/truth: {}", directory, failed.message())};
  LogWriter writer(directory, sample_count(options.days.value_or(default_days)));
  simulate(options, writer);
  return writer.close();
}

Result<void> deliver(const SynthOptions& options, Harvest& harvest) {
  Delivery delivery(harvest);
  simulate(options, delivery);
  return {};
}

}  // namespace

extern const SynthPreset spider;
constinit const SynthPreset spider{
    .name = "spider",
    .summary = "A Lustre file system that all jobs share: 1,008 OSTs read every 10 s, and a Slurm job log",
    .details =
        "Imitates Spider, the file system of Titan, as Liu, Gunasekaran, Ma and Vazhkudai describe it (\"Server-side Log Data Analytics for I/O Workload "
        "Characterization and Coordination on Large Shared Storage Systems\", SC 2016): two partitions, `atlas1` and `atlas2`, of 504 OSTs each, and the running totals of "
        "bytes read and written of every OST on a 10 s grid, in one `counters-<partition>-<day>.csv` per day and partition. Nothing in them says which job moved what. "
        "`sacct.txt` is the job log of 18,688 nodes with backfill: about 1,200 jobs a day of some thousand applications (user, job name, node count).\n\n"
        "Among them are the pseudo-applications IOR_A to IOR_H of the paper's Table III (17 runs each in the default seven days, 1 to 5 of them with I/O off; other "
        "lengths of log have runs in proportion, one at least), applications like those of its Table II, two dozen more with periods of their own, irregular and "
        "read-heavy ones, and a silent majority. People, nightly backups and purges add traffic that belongs to no job. OSTs stay below 5 MB/s for about 88 % and below "
        "100 MB/s for about 99.6 % of the time, as in the paper's Figure 1. An OSS fails over now and then (its OSTs count from zero again) and the collector is down for some minutes.\n\n"
        "Bursts that meet on an OST share it and lose time to seeks; the interval between bursts is compute time plus I/O time and grows with them. `truth/` has the "
        "applications, jobs and bursts as they were, with their OSTs, and what a perfect reader of the counters can know of the bytes.",
    .write_logs = write_logs,
    .deliver = deliver};

}  // namespace fathom
