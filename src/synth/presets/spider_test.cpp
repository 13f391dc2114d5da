// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/input.h"
#include "base/text.h"
#include "ingest/reader.h"
#include "synth/spider_job_log.h"
#include "synth/synth.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

constexpr double short_days = 0.02;  // 173 readings, with one failover and one outage

SynthOptions options(std::uint64_t seed) {
  SynthOptions options;
  options.seed = seed;
  options.days = short_days;
  return options;
}

const SynthPreset& preset() { return *preset_named("spider"); }

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> fields;
  do {
    const std::size_t at = line.find(separator);
    fields.emplace_back(line.substr(0, at));
    line = at == std::string_view::npos ? std::string_view{} : line.substr(at + 1);
    if (at == std::string_view::npos) break;
  } while (true);
  return fields;
}

/// Rows of a small csv or sacct file without quoted fields; header first.
std::vector<std::vector<std::string>> rows_of(const std::string& path, char separator = ',') {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(text_of(path));
  for (std::string line; std::getline(text, line);) rows.push_back(split(line, separator));
  return rows;
}

/// (server, file system, t) -> read and written bytes
using Readings = std::map<std::tuple<std::string, std::string, std::int64_t>, std::pair<std::uint64_t, std::uint64_t>>;

Readings readings_in(const MadeFolder& folder) {
  Readings readings;
  for (const char* name : {"counters-atlas1-2015-03-01.csv", "counters-atlas2-2015-03-01.csv"}) {
    auto rows = rows_of(folder.path(name));
    EXPECT_EQ(rows.at(0), split("t,server,filesystem,read_bytes,write_bytes", ','));
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto& row = rows[i];
      const bool fresh =
          readings.emplace(std::tuple(row.at(1), row.at(2), std::stoll(row.at(0))), std::pair(*parse_u64(row.at(3)), *parse_u64(row.at(4))))
              .second;
      EXPECT_TRUE(fresh);
    }
  }
  return readings;
}

Gathered delivered(const SynthOptions& options) {
  Gathered gathered;
  Harvest harvest(gathered.series, SIZE_MAX, [&](Batch& batch) { gathered.batch = std::move(batch); });
  EXPECT_TRUE(preset().deliver(options, harvest));
  harvest.flush();
  gathered.account = harvest.account();
  return gathered;
}

std::string told(const Job& job) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", job.id, job.user, job.name, job.nodes, job.node_list, micros(job.submit),
                     micros(job.start), micros(job.end), job.time_limit ? job.time_limit->count() : -1, job.state, job.partition);
}

/// The job of a line of sacct.txt, read here with as little cleverness as possible.
Job parsed(const std::vector<std::string>& fields) {
  const auto moment = [](const std::string& text) { return text == "Unknown" ? no_time : parse_iso8601(text)->in(Zone{}); };
  const auto span = [](std::string text) {
    std::int64_t days = 0;
    if (const auto dash = text.find('-'); dash != std::string::npos) {
      days = std::stoll(text.substr(0, dash));
      text = text.substr(dash + 1);
    }
    return Duration{std::chrono::seconds{days * 86400 + std::stoll(text.substr(0, 2)) * 3600 + std::stoll(text.substr(3, 2)) * 60 +
                                         std::stoll(text.substr(6, 2))}};
  };
  Job job;
  job.id = fields.at(1);
  job.user = fields.at(2);
  job.name = fields.at(3);
  job.partition = fields.at(4);
  job.state = fields.at(5).substr(0, fields.at(5).find(' '));
  job.nodes = *parse_u64(fields.at(6));
  job.submit = moment(fields.at(7));
  job.start = moment(fields.at(8));
  job.end = moment(fields.at(9));
  job.time_limit = span(fields.at(10));
  job.node_list = fields.at(11);
  return job;
}

TEST(Spider, DeliversWhatItsLogsSay) {
  const MadeFolder folder;
  ASSERT_TRUE(preset().write_logs(options(3), folder.path()));
  const Gathered direct = delivered(options(3));

  Readings from_samples;
  for (const Sample& sample : direct.batch.samples) {
    const SeriesName name = direct.series.name(sample.series);
    EXPECT_EQ(sample.has, byte_counters);
    EXPECT_EQ(sample.traits, cumulative);
    from_samples[{name.server, name.filesystem, micros(sample.t) / 1'000'000}] = {sample.values[0], sample.values[1]};
  }
  EXPECT_EQ(from_samples.size(), direct.batch.samples.size());
  EXPECT_TRUE(from_samples == readings_in(folder));

  std::vector<std::string> in_log, given;
  auto lines = rows_of(folder.path("sacct.txt"), '|');
  EXPECT_EQ(lines.at(0), split("JobID|JobIDRaw|User|JobName|Partition|State|NNodes|Submit|Start|End|Timelimit|NodeList", '|'));
  std::uint64_t never = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].at(11) == "None assigned") {
      ++never;
    } else {
      in_log.push_back(told(parsed(lines[i])));
    }
  }
  for (const Job& job : direct.batch.jobs) given.push_back(told(job));
  EXPECT_GT(given.size(), 30u);
  EXPECT_EQ(in_log, given);
  EXPECT_EQ(direct.account.left_out.contains("job never ran") ? direct.account.left_out.at("job never ran") : 0, never);
}

/// The same, by the readers that users have, where they are built in.
TEST(Spider, ReadersTakeItsLogs) {
  const Reader* counters = reader_named("counters_csv");
  const Reader* sacct = reader_named("slurm_sacct");
  if (counters == nullptr || sacct == nullptr) GTEST_SKIP() << "the readers counters_csv and slurm_sacct are not there";
  const MadeFolder folder;
  ASSERT_TRUE(preset().write_logs(options(4), folder.path()));
  const Gathered direct = delivered(options(4));
  std::map<std::tuple<SeriesName, Time>, Counters> expected, found;
  for (const Sample& sample : direct.batch.samples) expected[{direct.series.name(sample.series), sample.t}] = sample.values;
  for (const char* name : {"counters-atlas1-2015-03-01.csv", "counters-atlas2-2015-03-01.csv"}) {
    auto input = LineInput::open(folder.path(name));
    ASSERT_TRUE(input);
    EXPECT_EQ(*reader_for(*input), counters);
    const auto gathered = gather(*counters, std::move(*input));
    ASSERT_TRUE(gathered);
    EXPECT_EQ(gathered->account.rejected, 0u);
    for (const Sample& sample : gathered->batch.samples) found[{gathered->series.name(sample.series), sample.t}] = sample.values;
  }
  EXPECT_TRUE(expected == found);

  auto input = LineInput::open(folder.path("sacct.txt"));
  ASSERT_TRUE(input);
  EXPECT_EQ(*reader_for(*input), sacct);
  const auto gathered = gather(*sacct, std::move(*input));
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->account.rejected, 0u);
  std::vector<std::string> jobs, given;
  for (const Job& job : gathered->batch.jobs) jobs.push_back(told(job));
  for (const Job& job : direct.batch.jobs) given.push_back(told(job));
  EXPECT_EQ(jobs, given);
}

/// Every state, arrays, odd names, long node lists: a week has them all.
TEST(Spider, ReaderTakesAWeekOfJobs) {
  const Reader* sacct = reader_named("slurm_sacct");
  if (sacct == nullptr) GTEST_SKIP() << "the reader slurm_sacct is not there";
  struct JobLog : titan::Watcher {
    std::string text{titan::sacct_header};
    std::vector<std::string> jobs;
    std::uint64_t never_ran = 0, arrays = 0;
    void job(const titan::JobRecord& record) override {
      text += titan::sacct_line(record);
      arrays += record.submission.array != 0;
      if (record.ran)
        jobs.push_back(told(titan::as_job(record)));
      else
        ++never_ran;
    }
  } log;
  SynthOptions week = options(1);
  week.days = 7;
  titan::simulate(week, log, false);
  const auto gathered = gather(*sacct, log.text);
  ASSERT_TRUE(gathered);
  EXPECT_EQ(gathered->account.rejected, 0u);
  EXPECT_GT(log.never_ran, 0u);
  EXPECT_GT(log.arrays, 0u);
  EXPECT_NE(log.text.find("größe & form"), std::string::npos);
  std::vector<std::string> jobs;
  for (const Job& job : gathered->batch.jobs) jobs.push_back(told(job));
  EXPECT_EQ(jobs, log.jobs);
}

TEST(Spider, TruthIsWhatTheTextAddsUpTo) {
  const MadeFolder folder;
  ASSERT_TRUE(preset().write_logs(options(5), folder.path()));
  // The rules of ingestion on the text itself: no increment for the first reading; where a byte counter fell, the new values.
  struct Series {
    std::uint64_t samples = 0, read = 0, written = 0;
  };
  std::map<std::pair<std::string, std::string>, Series> sums;
  std::uint64_t resets = 0, gaps = 0, read = 0, written = 0, increments = 0;
  const std::pair<std::uint64_t, std::uint64_t>* previous = nullptr;
  std::int64_t previous_t = 0;
  const Readings readings = readings_in(folder);
  for (const auto& [key, values] : readings) {
    const auto& [server, filesystem, t] = key;
    Series& series = sums[{server, filesystem}];
    if (series.samples++ > 0) {
      const bool fell = values.first < previous->first || values.second < previous->second;
      series.read += values.first - (fell ? 0 : previous->first);
      series.written += values.second - (fell ? 0 : previous->second);
      resets += fell;
      gaps += t - previous_t > 25;
      ++increments;
    }
    previous = &values;
    previous_t = t;
  }
  std::size_t rows = 0;
  for (const auto& row : rows_of(folder.path("truth/series.csv"))) {
    if (rows++ == 0) continue;
    const Series& series = sums.at({row.at(0), row.at(1)});
    EXPECT_EQ(row.at(2), fmt::format("{}", series.samples));
    EXPECT_EQ(row.at(3), fmt::format("{}", series.samples - 1));
    EXPECT_EQ(row.at(4), fmt::format("{}", series.read)) << row.at(0);
    EXPECT_EQ(row.at(5), fmt::format("{}", series.written)) << row.at(0);
    read += series.read;
    written += series.written;
  }
  EXPECT_EQ(rows, 1009u);

  const auto totals = rows_of(folder.path("truth/totals.csv"));
  EXPECT_EQ(totals.at(1).at(0), "read_bytes");
  EXPECT_EQ(totals.at(1).at(2), fmt::format("{}", read));
  EXPECT_EQ(totals.at(2).at(2), fmt::format("{}", written));
  EXPECT_GE(std::stoull(totals.at(1).at(1)) + std::stoull(totals.at(2).at(1)), read + written);

  std::map<std::string, std::string> counts;
  for (const auto& row : rows_of(folder.path("truth/counts.csv"))) counts[row.at(0)] = row.at(1);
  EXPECT_EQ(counts["increments"], fmt::format("{}", increments));
  EXPECT_EQ(counts["resets_inferred"], fmt::format("{}", resets));
  EXPECT_EQ(counts["gaps"], fmt::format("{}", gaps));
  EXPECT_EQ(resets, 7u);
  EXPECT_EQ(gaps, 1008u);
  EXPECT_EQ(counts["servers"], "1008");
  EXPECT_EQ(counts["jobs"], fmt::format("{}", rows_of(folder.path("truth/jobs.csv")).size() - 1));
  std::size_t lines = 0;
  for (const char* name : {"counters-atlas1-2015-03-01.csv", "counters-atlas2-2015-03-01.csv", "sacct.txt"}) {
    const std::string text = text_of(folder.path(name));
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  EXPECT_EQ(counts["lines"], fmt::format("{}", lines));
}

TEST(Spider, WritesTheSameForTheSameSeed) {
  const MadeFolder one, again, other;
  ASSERT_TRUE(preset().write_logs(options(6), one.path()));
  ASSERT_TRUE(preset().write_logs(options(6), again.path()));
  ASSERT_TRUE(preset().write_logs(options(7), other.path()));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(one.path())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const auto name = std::filesystem::relative(entry.path(), one.path()).string();
    EXPECT_TRUE(text_of(one.path(name)) == text_of(again.path(name))) << name;
  }
  EXPECT_EQ(files, 3u + 7u);
  EXPECT_FALSE(text_of(one.path("sacct.txt")) == text_of(other.path("sacct.txt")));
}

TEST(Spider, BurstsAreWithinTheirJobs) {
  const MadeFolder folder;
  ASSERT_TRUE(preset().write_logs(options(8), folder.path()));
  std::map<std::string, std::pair<double, double>> jobs;
  for (const auto& row : rows_of(folder.path("sacct.txt"), '|'))
    if (row.at(11) != "None assigned" && row.at(1) != "JobIDRaw") {
      const Job job = parsed(row);
      jobs[job.id] = {static_cast<double>(micros(job.start)) / 1e6, job.end == no_time ? 1e18 : static_cast<double>(micros(job.end)) / 1e6};
    }
  const auto rows = rows_of(folder.path("truth/bursts.csv"));
  EXPECT_GT(rows.size(), 5u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& row = rows[i];
    ASSERT_TRUE(jobs.contains(row.at(0))) << row.at(0);
    EXPECT_GE(std::stod(row.at(1)), jobs[row.at(0)].first);
    EXPECT_LE(std::stod(row.at(2)), jobs[row.at(0)].second);
    std::size_t osts = 0;
    for (const std::string& range : split(row.at(7), ' ')) {
      const auto first = std::stoul(range.substr(0, 4), nullptr, 16);
      const auto last = range.size() > 4 ? std::stoul(range.substr(5), nullptr, 16) : first;
      EXPECT_LT(last, 504u);
      osts += last - first + 1;
    }
    EXPECT_EQ(row.at(5), fmt::format("{}", osts));
  }
}

TEST(Spider, TruthOfTheCasesNamesPatternsAndHosts) {
  const MadeFolder folder;
  SynthOptions shortly = options(28);  // in which a run of two_patterns goes on in the first hour
  shortly.days = 0.05;
  ASSERT_TRUE(preset_named("spider-cases")->write_logs(shortly, folder.path()));
  const auto applications = rows_of(folder.path("truth/applications.csv"));
  EXPECT_EQ(
      applications.at(0),
      split(
          "user,name,nodes,kind,period_s,burst_bytes,burst_s,footprint,runs,runs_io_off,filesystem,file_model,quiet_period_s,quiet_burst_s,"
          "pattern,direction,drift,host",
          ','));
  std::map<std::string, std::vector<std::vector<std::string>>> cases;
  for (const auto& row : applications)
    if (row.at(0) == "casetest") cases[row.at(1)].push_back(row);
  ASSERT_EQ(cases["two_patterns"].size(), 2u);
  for (std::size_t which = 0; which < 2; ++which) {
    const auto& row = cases["two_patterns"][which];
    EXPECT_EQ(row.at(14), fmt::format("{}", which));
    EXPECT_EQ(row.at(15), "write");
    EXPECT_EQ(row.at(7), which == 0 ? "256" : "64");
    EXPECT_EQ(row.at(12), which == 0 ? "900.000" : "240.000");
    EXPECT_NEAR(std::stod(row.at(5)), (which == 0 ? 1024.0 : 200.0) * (1 << 30), 0.05 * std::stod(row.at(5)));
  }
  std::map<std::string, int> patterns;
  for (const auto& row : rows_of(folder.path("truth/bursts.csv"))) ++patterns[row.at(8)];
  EXPECT_EQ(patterns.erase("pattern"), 1u);  // the header
  EXPECT_GT(patterns["0"], 50);
  EXPECT_GT(patterns["1"], 5);
  EXPECT_EQ(patterns.size(), 2u);
  EXPECT_EQ(rows_of(folder.path("truth/jobs.csv")).at(0).back(), "host_job");
}

TEST(Spider, SaysWhereItCannotWrite) {
  const auto result = preset().write_logs(options(1), "/proc/no-such-place");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("/proc/no-such-place/truth"), std::string::npos);
}

}  // namespace
}  // namespace fathom
