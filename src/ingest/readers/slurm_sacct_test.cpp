// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "ingest/reader.h"
#include "tests/support/source_dir.h"

namespace fathom {
extern const Reader slurm_sacct;
namespace {

using namespace std::chrono_literals;

const std::string real = source_dir() + "/../shared/data/xdmod/";

Gathered gathered(std::string_view text, const ReadOptions& options = {}) {
  auto result = gather(slurm_sacct, text, options);
  EXPECT_TRUE(result) << result.error().message;
  return *std::move(result);
}

std::uint64_t left_out(const Gathered& all, std::string_view reason) {
  const auto found = all.account.left_out.find(reason);
  return found == all.account.left_out.end() ? 0 : found->second;
}

std::string xdmod_line(std::string_view times_and_state, std::string_view end_of_line) {
  return "17_4|19|cl|debug|q|acc|grp|1|ann|2|2020-01-01T00:00:00|2020-01-01T00:00:00|" + std::string(times_and_state) +
         "|2|8|8|1Gn|cpu=8|cpu=8|" + std::string(end_of_line) + "\n";
}

TEST(SlurmSacct, ItsOwnExample) {
  const auto all = gathered(slurm_sacct.example);
  ASSERT_EQ(all.batch.jobs.size(), 2u);
  const Job& first = all.batch.jobs[0];
  EXPECT_EQ(first.id, "165381");
  EXPECT_EQ(first.user, "chaff");
  EXPECT_EQ(first.partition, "crumpet");
  EXPECT_EQ(first.nodes, 4u);
  EXPECT_EQ(first.node_list, "cpn-f13-03-[01-02],cpn-f13-04-[01-02]");
  EXPECT_EQ(first.start, time_from_seconds(1482869521));  // date -u -d 2016-12-27T20:12:01 +%s
  EXPECT_EQ(first.end - first.start, 5 * 24h + 26s);      // 20:12:01 on 27 December to 20:12:27 on 1 January
  EXPECT_EQ(first.time_limit, 5 * 24h);
  EXPECT_EQ(first.state, "TIMEOUT");
  EXPECT_EQ(all.batch.jobs[1].end, no_time);
  EXPECT_EQ(all.batch.jobs[1].name, "a|b");
  EXPECT_FALSE(all.batch.jobs[1].time_limit);
  EXPECT_EQ(left_out(all, "job never ran"), 1u);
  EXPECT_EQ(all.account.rejected, 0u);
  EXPECT_EQ(all.account.lines, 4u);
  EXPECT_EQ(all.account.notices, (std::vector<std::string>{"times carry no zone: taken as UTC (--timezone to change)"}));
}

TEST(SlurmSacct, TimesInTheZoneOfTheUser) {
  ReadOptions options;
  options.timezone = *Zone::named("Europe/Berlin");
  const auto all = gathered("JobID|Start|End\n1|2011-07-15T12:00:00|2011-07-15T13:00:00\n", options);
  EXPECT_EQ(format_iso8601(all.batch.jobs.at(0).start), "2011-07-15T10:00:00Z");
  EXPECT_TRUE(all.account.notices.empty());
  const auto epochs = gathered("JobID|Start|End\n1|1310000000|1310000060\n");
  EXPECT_EQ(epochs.batch.jobs.at(0).start, time_from_seconds(1310000000));
  EXPECT_TRUE(epochs.account.notices.empty());
}

TEST(SlurmSacct, AnyOrderAnyCaseAndStepsAreLeftOut) {
  const auto all = gathered(
      "END|jobname|START|State|JobID|Extra\r\n"
      "2020-01-01T01:00:00|x|2020-01-01T00:00:00|CANCELLED by 423120|7|1\r\n"
      "2020-01-01T01:00:00|batch|2020-01-01T00:00:00|COMPLETED|7.batch|1\r\n"
      "2020-01-01T01:00:00|extern|2020-01-01T00:00:00|COMPLETED|7.extern|1\r\n"
      "END|jobname|START|State|JobID|Extra\r\n"
      "2020-01-01T01:00:00|step|2020-01-01T00:00:00|COMPLETED|7.0|1\r\n");
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.batch.jobs[0].state, "CANCELLED");
  EXPECT_EQ(left_out(all, "job step (.batch, .extern, .0)"), 3u);
  EXPECT_EQ(all.account.rejected, 0u);
}

// `sacct --delimiter="|WORD|"`: a name that brings a line of its own brings no job, as it cannot know the word.
TEST(SlurmSacct, AWordBetweenColumnsKeepsNamesApart) {
  const auto marked = [](std::string text, bool parsable) {
    std::string written;
    for (const char c : text) {
      if (c == '\n' && parsable) written += "|4f1e09ac77d2|";
      written += c == '/' ? "|4f1e09ac77d2|" : std::string(1, c);
    }
    return written;
  };
  const std::string forged = "8|ann|2020-01-01T00:00:00|2020-01-01T01:00:00|forged";
  const std::string text = "JobIDRaw/User/Start/End/JobName\n7/bob/2020-01-01T00:00:00/2020-01-01T01:00:00/a|b\n" + forged +
                           "\n9/bob/2020-01-01T02:00:00/2020-01-01T03:00:00/c\n";
  for (const bool parsable : {false, true}) {
    const std::string written = marked(text, parsable);
    EXPECT_TRUE(slurm_sacct.recognises(written, ""));
    const auto all = gathered(written);
    ASSERT_EQ(all.batch.jobs.size(), 2u) << written;
    EXPECT_EQ(all.batch.jobs[0].id, "7");
    EXPECT_EQ(all.batch.jobs[0].user, "bob");
    EXPECT_EQ(all.batch.jobs[0].name, "a|b");
    EXPECT_EQ(all.batch.jobs[1].name, "c");
    EXPECT_EQ(all.account.rejected, 1u);
  }
  // Without a word it is a job like any other.
  std::string plain = text;
  std::replace(plain.begin(), plain.end(), '/', '|');
  EXPECT_EQ(gathered(plain).batch.jobs.size(), 3u);
}

// What may stand between two names of a header and is no word: too short, not the same everywhere, a column of its own.
TEST(SlurmSacct, OtherColumnsAreNoWord) {
  for (const char* header : {"JobID|Start|End|AllocNodes", "JobID|AllocNodes|Start|End", "JobID|short|Start|short|End|short|User"}) {
    std::string line = header;
    const auto put = [&](std::string_view name, std::string_view value) {
      const std::size_t at = line.find(name);
      if (at != std::string::npos) line.replace(at, name.size(), value);
    };
    put("JobID", "7");
    put("Start", "1310000000");
    put("End", "1310000060");
    put("AllocNodes", "4");
    const auto all = gathered(std::string(header) + "\n" + line + "\n");
    ASSERT_EQ(all.batch.jobs.size(), 1u) << header;
    EXPECT_EQ(all.batch.jobs[0].end - all.batch.jobs[0].start, 60s);
  }
}

TEST(SlurmSacct, ColumnsOfXdmodWithoutAHeader) {
  const std::string line = xdmod_line("2020-01-01T00:00:00|2020-01-01T01:00:00|01:00:00|0:0|COMPLETED", "90|n[1-2]|my|name");
  EXPECT_TRUE(slurm_sacct.recognises(line, "x"));
  const auto all = gathered(line);
  ASSERT_EQ(all.batch.jobs.size(), 1u);
  EXPECT_EQ(all.batch.jobs[0].id, "19");  // JobIDRaw, not 17_4
  EXPECT_EQ(all.batch.jobs[0].name, "my|name");
  EXPECT_EQ(all.batch.jobs[0].time_limit, 90min);
}

TEST(SlurmSacct, TheTrailingSeparatorOfParsable) {
  const std::string times = "2020-01-01T00:00:00|2020-01-01T01:00:00|01:00:00|0:0|COMPLETED";
  const auto old = gathered(xdmod_line(times, "90|n[1-2]|name|") + xdmod_line(times, "90|n[1-2]|a|b|"));
  ASSERT_EQ(old.batch.jobs.size(), 2u);
  EXPECT_EQ(old.batch.jobs[0].name, "name");
  EXPECT_EQ(old.batch.jobs[1].name, "a|b");
  const auto empty_name = gathered(xdmod_line(times, "90|n[1-2]|"));
  ASSERT_EQ(empty_name.batch.jobs.size(), 1u);
  EXPECT_EQ(empty_name.batch.jobs[0].name, "");
  const auto headed = gathered("JobID|Start|End|NNodes|\n5|2020-01-01T00:00:00|2020-01-01T00:00:01|1.50K|\n");
  ASSERT_EQ(headed.batch.jobs.size(), 1u);
  EXPECT_EQ(headed.batch.jobs[0].nodes, 1536u);
}

TEST(SlurmSacct, WhoNeverRanWhoStillRunsWhoWasSuspended) {
  const std::string end = "UNLIMITED|n[1-3]|x";
  const auto all = gathered(xdmod_line("Unknown|2020-01-01T01:00:00|00:00:00|0:0|FAILED", end) +
                            xdmod_line("2020-01-01T00:00:00|Unknown|00:10:00|0:0|RUNNING", end) +
                            xdmod_line("2020-01-01T00:00:00|2020-01-01T00:10:00|00:10:00|0:0|RUNNING", end) +  // sacct --truncate
                            xdmod_line("2020-01-01T00:00:00|2020-01-01T01:00:00|00:40:00|0:0|COMPLETED", end) +
                            xdmod_line("2020-01-01T00:00:00|2020-01-01T01:00:00|01:00:00|0:0|COMPLETED", end));
  ASSERT_EQ(all.batch.jobs.size(), 4u);
  EXPECT_EQ(all.batch.jobs[0].end, no_time);
  EXPECT_EQ(all.batch.jobs[1].end, no_time);
  EXPECT_EQ(all.batch.jobs[2].end - all.batch.jobs[2].start, 1h);
  EXPECT_EQ(left_out(all, "job never ran"), 1u);
  ASSERT_EQ(all.account.notices.size(), 2u);
  EXPECT_TRUE(all.account.notices[1].starts_with("1 jobs were suspended")) << all.account.notices[1];
}

TEST(SlurmSacct, BadLinesAreRejectedWithTheirNumber) {
  const auto all = gathered(
      "JobID|Start|End|State\n"
      "1|2020-01-01T01:00:00|2020-01-01T00:00:00|COMPLETED\n"
      "2|yesterday|2020-01-01T00:00:00|COMPLETED\n"
      "3|2020-01-01T01:00:00|later|COMPLETED\n"
      "4|2020-01-01T01:00:00\n"
      "5|2020-01-01T01:00:00|2020-01-01T02:00:00|COMPLETED|more\n"
      "|2020-01-01T01:00:00|2020-01-01T02:00:00|COMPLETED\n");
  EXPECT_EQ(all.batch.jobs.size(), 0u);
  EXPECT_EQ(all.account.rejected, 6u);
  EXPECT_EQ(all.account.first_rejects.at(0).line, 2u);
  EXPECT_EQ(all.account.first_rejects.at(0).why, "the job ends before it starts");
}

TEST(SlurmSacct, AHeaderWithoutTimesIsAnError) {
  const auto result = gather(slurm_sacct, "JobID|User|State\n1|ann|COMPLETED\n");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("no column Start"), std::string::npos) << result.error().message;
}

TEST(SlurmSacct, RealLogOfXdmod) {
  if (!std::filesystem::exists(real)) GTEST_SKIP() << "no folder ../shared/data";
  auto input = LineInput::open(real + "phillips.log");
  ASSERT_TRUE(input);
  ASSERT_EQ(*reader_for(*input), &slurm_sacct);
  const auto all = gather(slurm_sacct, *std::move(input));
  ASSERT_TRUE(all);
  // Open XDMoD's own totals of this log: 4,046 jobs, 438.8203 wall hours, 1344.8686 node hours; 239 'None assigned'.
  EXPECT_EQ(all->batch.jobs.size(), 4046u);
  EXPECT_EQ(left_out(*all, "job never ran"), 239u);
  EXPECT_EQ(all->account.rejected, 0u);
  double wall_hours = 0, node_hours = 0;
  for (const Job& job : all->batch.jobs) {
    const double hours = seconds(job.end - job.start) / 3600;
    wall_hours += hours;
    node_hours += hours * static_cast<double>(job.nodes);
  }
  EXPECT_NEAR(wall_hours, 438.8203, 5e-5);
  EXPECT_NEAR(node_hours, 1344.8686, 5e-5);
}

TEST(SlurmSacct, RealLinesOfXdmodsShredder) {
  if (!std::filesystem::exists(real)) GTEST_SKIP() << "no folder ../shared/data";
  auto jobs = [](const std::string& file) {
    auto all = gather(slurm_sacct, *LineInput::open(real + "shredder/slurm/input/" + file + ".log"));
    EXPECT_EQ(all->account.rejected, 0u) << file;
    return all->batch.jobs;
  };
  // Numbers from output/accounting-logs.json.
  const auto plain = jobs("accounting-logs");
  ASSERT_EQ(plain.size(), 4u);
  EXPECT_EQ(plain[0].id, "4103947");
  EXPECT_EQ(plain[0].submit, time_from_seconds(1435327020));
  EXPECT_EQ(plain[0].start, time_from_seconds(1435460150));
  EXPECT_EQ(plain[0].end, time_from_seconds(1435719350));
  EXPECT_EQ(plain[0].time_limit, 259200s);
  EXPECT_EQ(plain[0].nodes, 32u);
  EXPECT_EQ(plain[1].state, "CANCELLED");
  EXPECT_EQ(plain[1].end, time_from_seconds(1435756673));
  EXPECT_EQ(plain[3].nodes, 2u);  // NNodes is 0, the list names two
  const auto arrays = jobs("accounting-logs-with-job-arrays");
  ASSERT_EQ(arrays.size(), 6u);
  for (const Job& job : arrays) EXPECT_EQ(job.id, "4103947");
  EXPECT_EQ(jobs("utf8-multibyte-chars").at(0).name,
            "a\xc3\xa0"
            "b");
  // One line runs (its end is not final), one never started.
  const auto open_ended = jobs("non-ended-job-state");
  ASSERT_EQ(open_ended.size(), 1u);
  EXPECT_EQ(open_ended[0].end, no_time);
  EXPECT_EQ(jobs("unknown-job-state").at(0).state, "FOO");
}

}  // namespace
}  // namespace fathom
