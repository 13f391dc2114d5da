// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_logs.h"

#include <cstring>
#include <filesystem>

#include "base/time.h"
#include "synth/spider_job_log.h"
#include "synth/spider_simulation.h"
#include "synth/spider_truth.h"
#include "synth/text_file.h"

namespace fathom::titan {

namespace {

/// One counter file per day and partition, the job log, and the truth.
class LogWriter : public Watcher {
 public:
  LogWriter(const std::string& directory, const SpiderVariant& variant, std::int64_t samples)
      : directory_(directory), samples_(samples), sacct_(directory + "/sacct.txt"), truth_(directory + "/truth", variant) {
    sacct_.put(sacct_header);
    for (std::size_t ost = 0; ost < ost_count; ++ost)
      middles_.push_back(fmt::format(",{},{},", server_name(ost), partition_names[ost / partition_osts]));
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
      at += middle.copy(at, middle.size());
      at = put_number(at, values[0][ost]);
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
  void finish(const std::vector<Application>& apps, const OstCounters& counters) override {
    truth_.finish(apps, counters, samples_, lines_ + 1);
  }
  bool go_on() const override {
    return trouble_.has_value() && sacct_.good() && truth_.good() && (files_.empty() || (files_[0].good() && files_[1].good()));
  }

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
    for (std::size_t ost = 0; ost < ost_count; ++ost)
      series_.push_back(harvest.series(server_name(ost), partition_names[ost / partition_osts]));
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

}  // namespace

Result<void> write_logs(const SpiderVariant& variant, const SynthOptions& options, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory + "/truth", failed);
  if (failed) return Error{ErrorKind::unwritable, fmt::format("making the directory {}/truth: {}", directory, failed.message())};
  LogWriter writer(directory, variant, sample_count(options.days.value_or(default_days)));
  simulate(options, writer, true, variant);
  return writer.close();
}

Result<void> deliver(const SpiderVariant& variant, const SynthOptions& options, Harvest& harvest) {
  Delivery delivery(harvest);
  simulate(options, delivery, true, variant);
  return {};
}

}  // namespace fathom::titan
