// SPDX-License-Identifier: Apache-2.0
// The logs of `small` against themselves: what deliver() gives is what the text holds, the same seed gives the same bytes,
// and the truth agrees with a slow recomputation from the text by the rules of the criteria.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/text.h"
#include "synth/synth.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::map<std::string, std::string> all_files(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files[fs::relative(entry.path(), directory).string()] = contents(entry.path());
  return files;
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::string_view rest = csv;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, '\n');
    std::vector<std::string> row;
    while (!line.empty()) {
      if (line.front() == '"') {
        line.remove_prefix(1);
        row.emplace_back(take_until(line, '"'));
        take_until(line, ',');
      } else {
        row.emplace_back(take_until(line, ','));
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

struct ParsedSample {
  std::string server, filesystem;
  std::int64_t t;
  Counters values;
  auto operator<=>(const ParsedSample&) const = default;
};

struct Parsed {
  std::vector<ParsedSample> samples;
  std::vector<std::pair<std::string, std::int64_t>> resets;
  std::uint64_t failures = 0, lines = 0;
};

/// The mmpmon text by key, line by line; deliberately not the product's reader.
Parsed parse(const std::map<std::string, std::string>& files) {
  Parsed parsed;
  for (const auto& [name, text] : files) {
    if (!name.starts_with("mmpmon-")) continue;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++parsed.lines;
      std::istringstream words(line);
      std::string kind, key, value;
      words >> kind;
      std::map<std::string, std::string> values;
      while (words >> key >> value) values[key] = value;
      const std::int64_t t = std::stoll(values.at("_t_")) * 1'000'000 + std::stoll(values.at("_tu_"));
      if (values.at("_rc_") != "0") {
        ++parsed.failures;
      } else if (kind == "_reset_") {
        parsed.resets.emplace_back(values.at("_nn_"), t);
      } else {
        EXPECT_EQ(kind, "_fs_io_s_");
        const auto number = [&](const char* k) { return static_cast<std::uint64_t>(std::stoull(values.at(k))); };
        parsed.samples.push_back({values.at("_nn_"),
                                  values.at("_fs_"),
                                  t,
                                  {number("_br_"), number("_bw_"), number("_rdc_"), number("_wc_"), number("_oc_"), number("_cc_"),
                                   number("_dir_"), number("_iu_")}});
      }
    }
  }
  return parsed;
}

SynthOptions with(std::uint64_t seed, std::optional<double> days = {}, std::optional<std::uint64_t> jobs = {}) {
  SynthOptions options;
  options.seed = seed;
  options.days = days;
  options.jobs = jobs;
  return options;
}

const SynthPreset& preset(std::string_view name) { return *preset_named(name); }

std::map<std::string, std::string> logs_of(std::string_view name, const SynthOptions& options) {
  const MadeFolder folder;
  const auto written = preset(name).write_logs(options, folder.path());
  EXPECT_TRUE(written) << written.error().message;
  return all_files(folder.path());
}

struct Recomputed {
  Counters sum{};
  std::map<std::string, std::uint64_t> counts;
  std::map<std::pair<std::string, std::string>, std::tuple<std::uint64_t, std::uint64_t, Counters>> series;
};

/// Increments by the rules, from sorted text, with nothing but additions.
Recomputed recompute(Parsed parsed) {
  Recomputed found;
  std::sort(parsed.samples.begin(), parsed.samples.end());
  const auto end = std::unique(parsed.samples.begin(), parsed.samples.end());
  found.counts["duplicates"] = static_cast<std::uint64_t>(parsed.samples.end() - end);
  parsed.samples.erase(end, parsed.samples.end());
  found.counts["resets"] = parsed.resets.size();
  std::map<std::string, std::vector<std::int64_t>> resets;
  for (const auto& [server, t] : parsed.resets) resets[server].push_back(t);
  for (std::size_t i = 0; i < parsed.samples.size(); ++i) {
    const ParsedSample& now = parsed.samples[i];
    const bool first = i == 0 || parsed.samples[i - 1].server != now.server || parsed.samples[i - 1].filesystem != now.filesystem;
    auto& [samples, increments, sum] = found.series[{now.server, now.filesystem}];
    ++samples;
    const std::int64_t from = first ? INT64_MIN : parsed.samples[i - 1].t;
    EXPECT_NE(from, now.t) << "two different samples of one series at one time";
    std::int64_t reset = INT64_MIN;
    for (const std::int64_t t : resets[now.server])
      if (t > from && t <= now.t) reset = std::max(reset, t);
    if (first && reset == INT64_MIN) continue;
    Counters amounts = now.values;
    bool wrapped = false;
    if (reset == INT64_MIN) {
      const Counters& before = parsed.samples[i - 1].values;
      bool inferred = false;
      for (std::size_t c = 0; c < counter_count; ++c) {
        if (now.values[c] >= before[c]) continue;
        const std::uint64_t step = (now.values[c] - before[c]) & 0xffffffffu;
        (c >= 2 && before[c] >= 0x80000000u && step < 0x80000000u ? wrapped : inferred) = true;
      }
      if (inferred) {
        ++found.counts["resets_inferred"];
      } else {
        for (std::size_t c = 0; c < counter_count; ++c)
          amounts[c] = c < 2 ? now.values[c] - before[c] : (now.values[c] - before[c]) & 0xffffffffu;
        if (wrapped) ++found.counts["wraps"];
      }
    }
    ++increments;
    ++found.counts["increments"];
    if (now.t - std::max(from, reset) > 300'000'000) ++found.counts["gaps"];
    for (const Counter part : metadata_parts) amounts[index(Counter::metadata_ops)] += amounts[index(part)];
    for (std::size_t c = 0; c < counter_count; ++c) sum[c] += amounts[c], found.sum[c] += amounts[c];
  }
  return found;
}

std::string separated(const std::vector<std::string>& servers) {
  std::string text;
  for (const std::string& server : servers) text += (text.empty() ? "" : ";") + server;
  return text;
}

class SmallMachine : public testing::TestWithParam<std::uint64_t> {};

using Files = std::map<std::string, std::string>;

std::map<std::string, std::uint64_t> counts_of(const Files& files) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& row : rows_of(files.at("truth/counts.csv")))
    if (row[0] != "what") counts[row[0]] = std::stoull(row[1]);
  return counts;
}

void expect_truth_as_recomputed(const Files& files) {
  const Parsed parsed = parse(files);
  const Recomputed found = recompute(parsed);
  for (const auto& row : rows_of(files.at("truth/totals.csv"))) {
    if (row[0] == "counter") continue;
    const auto counter = static_cast<std::size_t>(std::find(counter_names.begin(), counter_names.end(), row[0]) - counter_names.begin());
    EXPECT_EQ(std::stoull(row[2]), found.sum[counter]) << row[0];
    EXPECT_GT(std::stoull(row[1]), 0u) << row[0];
  }
  const auto counts = counts_of(files);
  for (const char* what : {"increments", "resets", "resets_inferred", "wraps", "gaps", "duplicates"})
    EXPECT_EQ(counts.at(what), found.counts.contains(what) ? found.counts.at(what) : 0) << what;
  EXPECT_EQ(counts.at("left_out"), parsed.failures);
  EXPECT_EQ(counts.at("lines"), parsed.lines);
  EXPECT_EQ(counts.at("jobs") + 1, rows_of(files.at("jobs.csv")).size());
  for (const auto& row : rows_of(files.at("truth/series.csv"))) {
    if (row[0] == "server") continue;
    const auto& [samples, increments, sum] = found.series.at({row[0], row[1]});
    EXPECT_EQ(std::stoull(row[4]), samples);
    EXPECT_EQ(std::stoull(row[5]), increments);
    for (std::size_t c = 0; c < counter_count; ++c) EXPECT_EQ(std::stoull(row[6 + c]), sum[c]) << row[0] << row[1] << counter_names[c];
  }
}

TEST_P(SmallMachine, TruthAgreesWithTheTextByTheRules) {
  const auto files = logs_of("small", with(GetParam()));
  expect_truth_as_recomputed(files);
  const auto counts = counts_of(files);
  EXPECT_EQ(counts.at("servers"), 8u);
  EXPECT_EQ(counts.at("filesystems"), 2u);
  for (const char* what : {"increments", "resets", "resets_inferred", "wraps", "gaps", "duplicates", "left_out", "jobs"})
    EXPECT_GT(counts.at(what), 0u) << what;
}

TEST_P(SmallMachine, HoldsEveryKindOfFault) {
  const auto files = logs_of("small", with(GetParam()));
  std::map<std::pair<std::string, std::string>, int> seen;
  for (const auto& row : rows_of(files.at("truth/faults.csv"))) ++seen[{row[0], row[5]}];
  for (const auto& [kind, visible] : {std::pair{"reset", "yes"},
                                      {"restart", "yes"},
                                      {"restart", "no"},
                                      {"unmount", "yes"},
                                      {"wrap", "yes"},
                                      {"gap", "yes"},
                                      {"dead_node", "yes"},
                                      {"lost_sample", "no"},
                                      {"duplicate", "yes"},
                                      {"late", "yes"},
                                      {"nothing_mounted", "yes"}})
    EXPECT_GT((seen[{kind, visible}]), 0) << kind << ' ' << visible;
}

TEST_P(SmallMachine, JobsAndTotalsAreConserved) {
  const auto files = logs_of("small", with(GetParam()));
  Counters happened{}, of_jobs{};
  for (const auto& row : rows_of(files.at("truth/totals.csv")))
    for (std::size_t c = 0; c < counter_count; ++c)
      if (row[0] == counter_names[c]) happened[c] = std::stoull(row[1]);
  for (const auto& row : rows_of(files.at("truth/jobs.csv")))
    for (std::size_t c = 0; c < 4; ++c)
      if (row[0] != "job_id") of_jobs[c] += std::stoull(row[7 + c]);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(of_jobs[c], happened[c]) << counter_names[c];  // idle nodes do nothing
}

INSTANTIATE_TEST_SUITE_P(Seeds, SmallMachine, testing::Values(1, 2, 3, 4, 5, 6, 42));

TEST(SmallPreset, DeliversWhatItsLogsHold) {
  const auto files = logs_of("small", with(7));
  const Parsed parsed = parse(files);
  SeriesTable series;
  Batch batch;
  Harvest harvest(series, SIZE_MAX, [&](Batch& full) { batch = std::move(full); });
  ASSERT_TRUE(preset("small").deliver(with(7), harvest));
  harvest.flush();
  ASSERT_EQ(batch.samples.size(), parsed.samples.size());
  for (std::size_t i = 0; i < batch.samples.size(); ++i) {
    const Sample& sample = batch.samples[i];
    ASSERT_EQ((ParsedSample{std::string(series.server(sample.series)), std::string(series.filesystem(sample.series)), micros(sample.t),
                            sample.values}),
              parsed.samples[i]);
    ASSERT_EQ(sample.has, mmpmon_counters);
    ASSERT_EQ(sample.traits, narrow_ops);
  }
  ASSERT_EQ(batch.marks.size(), parsed.resets.size());
  for (std::size_t i = 0; i < batch.marks.size(); ++i)
    EXPECT_EQ(batch.marks[i],
              (Mark{parsed.resets[i].first, "", MarkKind::reset, time_from_micros(parsed.resets[i].second), batch.marks[i].source}));
  const auto jobs = rows_of(files.at("jobs.csv"));
  ASSERT_EQ(batch.jobs.size() + 1, jobs.size());
  for (std::size_t i = 0; i < batch.jobs.size(); ++i) {
    const Job& job = batch.jobs[i];
    EXPECT_EQ(jobs[i + 1], (std::vector<std::string>{job.id, job.user, job.name, std::to_string(job.nodes), job.node_list,
                                                     separated(job.servers), format_unix_seconds(job.submit),
                                                     format_unix_seconds(job.start), job.end == no_time ? "" : format_unix_seconds(job.end),
                                                     std::to_string(job.time_limit->count() / 1'000'000), job.state, job.partition}));
  }
}

TEST(SmallPreset, IsTheSameForTheSameSeedOnly) {
  const auto once = logs_of("small", with(5, 0.1)), again = logs_of("small", with(5, 0.1));
  EXPECT_EQ(once, again);
  EXPECT_NE(once, logs_of("small", with(6, 0.1)));
}

/// Late lines: some sample stands behind a later one of its series.
TEST(SmallPreset, IsNotInOrder) {
  const Parsed parsed = parse(logs_of("small", with(1)));
  std::map<std::pair<std::string, std::string>, std::int64_t> latest;
  int late = 0;
  for (const ParsedSample& sample : parsed.samples) {
    std::int64_t& last = latest[{sample.server, sample.filesystem}];
    if (sample.t < last) ++late;
    last = std::max(last, sample.t);
  }
  EXPECT_GT(late, 0);
}

/// D Fig. 4.2 (d): the first I/O node of a partition issues more write commands than the others.
TEST(SmallPreset, FirstNodesWriteMoreOften) {
  std::array<std::uint64_t, 4> writes{};
  for (const auto& row : rows_of(logs_of("small", with(1)).at("truth/series.csv")))
    if (row[0].starts_with("ion")) writes[static_cast<std::size_t>(row[0].back() - '0')] += std::stoull(row[9]);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(2 * writes[0], 3 * writes[i]);
}

TEST(SmallPreset, RunsNoMoreJobsThanAsked) { EXPECT_EQ(rows_of(logs_of("small", with(1, 0.5, 3)).at("jobs.csv")).size(), 4u); }

/// 0.06 days of 600 nodes: three file systems and the rack of node cards.
TEST(JugenePreset, TruthAgreesWithTheTextByTheRules) {
  const auto files = logs_of("jugene", with(3, 0.06));
  expect_truth_as_recomputed(files);
  EXPECT_EQ(counts_of(files).at("servers"), 600u);
  EXPECT_EQ(counts_of(files).at("filesystems"), 3u);
  std::set<std::string> servers;
  for (const auto& row : rows_of(files.at("truth/series.csv"))) servers.insert(row[0]);
  for (const char* name : {"ion-R00-M0-0", "ion-R00-M0-3", "ion-R86-M1-3", "ion-R87-M0-00", "ion-R87-M1-15"})
    EXPECT_TRUE(servers.contains(name)) << name;
}

/// A server belongs to one job at a time.
TEST(JugenePreset, JobsDoNotShareServers) {
  SeriesTable series;
  std::vector<Job> jobs;
  Harvest harvest(series, 100'000, [&](Batch& full) { jobs.insert(jobs.end(), full.jobs.begin(), full.jobs.end()); });
  ASSERT_TRUE(preset("jugene").deliver(with(1, 0.2), harvest));
  harvest.flush();
  std::map<std::string, std::set<std::pair<Time, Time>>> use;
  std::set<std::uint64_t> sizes;
  for (const Job& job : jobs) {
    sizes.insert(job.nodes);
    const std::size_t cards = job.nodes / 32;
    EXPECT_TRUE(job.nodes < 512 ? job.servers.size() == cards : job.servers.size() >= job.nodes / 128);
    for (const std::string& server : job.servers) use[server].insert({job.start, job.end == no_time ? Time::max() : job.end});
  }
  EXPECT_GT(jobs.size(), 200u);
  EXPECT_TRUE(sizes.contains(32) || sizes.contains(64) || sizes.contains(128));
  EXPECT_LE(use.size(), 600u);
  EXPECT_GT(use.size(), 560u);
  for (const auto& [server, times] : use)
    for (auto it = times.begin(); std::next(it) != times.end(); ++it) ASSERT_LE(it->second, std::next(it)->first) << server;
}

}  // namespace
}  // namespace fathom
