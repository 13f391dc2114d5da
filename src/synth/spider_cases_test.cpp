// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "synth/spider_simulation.h"

namespace fathom::titan {
namespace {

constexpr double month = 28;
constexpr SpiderVariant with_cases{.cases = true};

SynthOptions options(std::uint64_t seed, double days) {
  SynthOptions options;
  options.seed = seed;
  options.days = days;
  return options;
}

struct SeenBurst {
  Millis begin, end;
  std::uint64_t bytes;
  std::size_t osts;
  std::uint8_t partition;
  Direction direction;
};

struct SeenRun {
  std::uint64_t id = 0, host = 0;
  std::string name;
  std::uint32_t iterations = 0;
  Millis start = 0, end = 0;
  std::string state;
  bool io_off = false;
  std::uint64_t bytes = 0;
};

/// The cases' runs, all jobs' times, and the cases' bursts by job and pattern.
struct Notes : Watcher {
  std::vector<SeenRun> runs;
  std::map<std::uint64_t, std::pair<Millis, Millis>> times;
  std::map<std::uint64_t, std::string> names;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::vector<SeenBurst>> bursts;
  std::uint64_t other_bursts = 0;

  void job(const JobRecord& record) override {
    if (!record.ran) return;
    const Submission& job = record.submission;
    const Millis end = record.ended() ? record.end : std::numeric_limits<Millis>::max();
    times[job.id] = {record.start, end};
    names[job.id] = record.application->name;
    if (record.application->user != "casetest") return;
    runs.push_back({job.id, job.host, record.application->name, job.iterations, record.start, end, std::string(record.state), job.io_off,
                    record.bytes[0] + record.bytes[1]});
  }
  void burst(const BurstRecord& record) override {
    const Burst& burst = *record.burst;
    if (record.application->user != "casetest") {
      ++other_bursts;
      EXPECT_EQ(record.pattern, 0);
      return;
    }
    if (burst.done())
      bursts[{record.job_id, record.pattern}].push_back({burst.begin, burst.end, burst.moved, burst.osts.size(),
                                                         static_cast<std::uint8_t>(burst.osts.front() / partition_osts), burst.direction});
  }

  std::vector<SeenRun> runs_of(std::string_view name) const {
    std::vector<SeenRun> some;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(some), [&](const SeenRun& run) { return run.name == name; });
    return some;
  }
};

/// Four weeks of seed 1, which all tests but the last look at.
const Notes& four_weeks() {
  static const Notes notes = [] {
    Notes seen;
    simulate(options(1, month), seen, false, with_cases);
    return seen;
  }();
  return notes;
}

const Application& case_of(std::string_view name) {
  static const std::vector<Application> apps = applications(1, with_cases);
  return *std::find_if(apps.begin(), apps.end(), [&](const Application& app) { return app.name == name; });
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Seconds from burst to burst, less what contention made the earlier one longer than on a quiet machine.
std::vector<double> own_gaps(const std::vector<SeenBurst>& bursts, const Pattern& pattern) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < bursts.size(); ++i)
    gaps.push_back(static_cast<double>(bursts[i].begin - bursts[i - 1].end + pattern.quiet_burst()) / static_cast<double>(second));
  return gaps;
}

TEST(SpiderCases, RunAsOftenAsPlanned) {
  // Planned runs of four weeks are four times those of a week; one or two may end before the log begins or begin after it ends.
  for (const Application& app : case_applications(applications(1))) {
    SCOPED_TRACE(app.name);
    const auto runs = four_weeks().runs_of(app.name);
    const auto count = static_cast<double>(runs.size());
    if (app.kind == Kind::piggy_back) {
      EXPECT_GE(runs.size(), 10u);
      continue;
    }
    EXPECT_LE(count, app.runs_per_week * 4);
    EXPECT_GE(count, app.runs_per_week * 4 - (app.runs_per_week < 1 ? 0 : 2));
    for (const SeenRun& run : runs) EXPECT_TRUE(run.state == "COMPLETED" || run.state == "RUNNING") << run.state;
  }
  EXPECT_EQ(four_weeks().runs_of("few_runs").size(), 3u);
  EXPECT_EQ(four_weeks().runs_of("few_runs_b").size(), 3u);
}

TEST(SpiderCases, RunsAreUpTo40TimesAsLongAsTheShortest) {
  // Log-uniform over [5, 200]: half of the runs are shorter than 5 x sqrt(40) = 32 iterations; of 70 runs that is
  // between a third and two thirds (2.8 standard deviations of a binomial distribution).
  std::vector<double> lengths;
  for (const char* name : {"length_1_to_40", "length_1_to_40_b"})
    for (const SeenRun& run : four_weeks().runs_of(name)) lengths.push_back(run.iterations);
  EXPECT_GE(*std::min_element(lengths.begin(), lengths.end()), 5);
  EXPECT_LE(*std::max_element(lengths.begin(), lengths.end()), 200);
  EXPECT_LT(*std::min_element(lengths.begin(), lengths.end()), 10);
  EXPECT_GT(*std::max_element(lengths.begin(), lengths.end()), 150);
  const auto below = static_cast<double>(std::count_if(lengths.begin(), lengths.end(), [](double length) { return length < 32; }));
  EXPECT_NEAR(below / static_cast<double>(lengths.size()), 0.5, 0.167);
}

TEST(SpiderCases, TwoPatternsInOneRun) {
  for (const char* name : {"two_patterns", "two_patterns_b"}) {
    SCOPED_TRACE(name);
    const Application& app = case_of(name);
    ASSERT_EQ(app.pattern_count(), 2u);
    std::size_t overlaps = 0;
    for (std::uint8_t which = 0; which < 2; ++which) {
      const Pattern& pattern = app.pattern(which);
      std::vector<double> gaps, bytes;
      for (const SeenRun& run : four_weeks().runs_of(name)) {
        const auto found = four_weeks().bursts.find({run.id, which});
        if (found == four_weeks().bursts.end()) continue;
        const auto own = own_gaps(found->second, pattern);
        gaps.insert(gaps.end(), own.begin(), own.end());
        for (const SeenBurst& burst : found->second) {
          bytes.push_back(static_cast<double>(burst.bytes));
          EXPECT_EQ(burst.osts, pattern.footprint);
          EXPECT_EQ(burst.direction, Direction::write);
        }
      }
      // One waits for the other now and then: that gap is longer and the next one shorter, by 60 s of a quiet checkpoint and 30 s
      // between them, or more where others are in the way. Median and mean are undisturbed.
      const double period = static_cast<double>(pattern.period) / static_cast<double>(second);
      EXPECT_GT(gaps.size(), 200u);
      EXPECT_NEAR(median(gaps), period, 0.03 * period);
      EXPECT_NEAR(std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size()), period, 0.03 * period);
      EXPECT_NEAR(median(bytes), static_cast<double>(pattern.burst_bytes), 0.01 * static_cast<double>(pattern.burst_bytes));
    }
    for (const SeenRun& run : four_weeks().runs_of(name)) {
      const auto analyses = four_weeks().bursts.find({run.id, 1});
      const auto checkpoints = four_weeks().bursts.find({run.id, 0});
      if (analyses == four_weeks().bursts.end() || checkpoints == four_weeks().bursts.end()) continue;
      if (run.start >= 0 && run.state == "COMPLETED") {
        EXPECT_EQ(checkpoints->second.size(), run.iterations);
      }
      EXPECT_GT(analyses->second.size(), 2 * checkpoints->second.size());
      for (const SeenBurst& a : analyses->second)
        for (const SeenBurst& c : checkpoints->second) overlaps += a.begin < c.end && c.begin < a.end;
    }
    EXPECT_EQ(overlaps, 0u);  // one thing at a time
  }
}

TEST(SpiderCases, ThePeriodDriftsByATenth) {
  // P (1 - 0.05) at the first gap, P (1 + 0.05) at the last, P in the mean: a line through (place in the run, gap / P)
  // has the slope 0.1 and the mean 1. Jitter of 2 % in some hundred gaps leaves 0.02 x sqrt(12 / 650) = 0.003 of the slope open.
  for (const char* name : {"drift_10", "drift_10_b"}) {
    SCOPED_TRACE(name);
    const Application& app = case_of(name);
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const SeenRun& run : four_weeks().runs_of(name)) {
      const auto found = four_weeks().bursts.find({run.id, 0});
      if (found == four_weeks().bursts.end() || found->second.size() != run.iterations) continue;
      const auto gaps = own_gaps(found->second, app);
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        const double x = static_cast<double>(i) / static_cast<double>(gaps.size() - 1),
                     y = gaps[i] / (static_cast<double>(app.period) / static_cast<double>(second));
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
      }
    }
    EXPECT_GT(n, 300);
    EXPECT_NEAR((n * sxy - sx * sy) / (n * sxx - sx * sx), 0.1, 0.012);
    EXPECT_NEAR(sy / n, 1, 0.005);
  }
  EXPECT_EQ(case_of("drift_10").interval(1, 11), 342 * second);   // 360 s x 0.95
  EXPECT_EQ(case_of("drift_10").interval(10, 11), 378 * second);  // 360 s x 1.05
}

TEST(SpiderCases, AThirdOfTheRunsHasIoOff) {
  for (const char* name : {"off_half", "off_half_b"}) {
    const auto runs = four_weeks().runs_of(name);
    const auto off = std::count_if(runs.begin(), runs.end(), [](const SeenRun& run) { return run.io_off; });
    EXPECT_NEAR(static_cast<double>(off), 14, 1) << name;  // 35 % of 40; one may lie outside of the log
    for (const SeenRun& run : runs) EXPECT_EQ(run.io_off, run.bytes == 0) << run.id;
  }
}

TEST(SpiderCases, PiggyBackRunsAreInsideTheirHosts) {
  for (const char* name : {"piggy_long", "piggy_long_b", "piggy_long_c", "piggy_long_d"}) {
    SCOPED_TRACE(name);
    const Application& app = case_of(name);
    EXPECT_EQ(app.kind, Kind::piggy_back);
    const Application host = applications(1).at(*app.host);
    const auto runs = four_weeks().runs_of(name);
    std::size_t inside = 0, with_room = 0;
    for (const SeenRun& run : runs) {
      EXPECT_EQ(run.bytes, 0u);
      ASSERT_EQ(four_weeks().names.at(run.host), host.name);
      const auto [start, end] = four_weeks().times.at(run.host);
      const Millis room = 5 * host.period;  // what the scope check looks at
      inside += run.start > start && run.end <= end;
      with_room += run.start - room > start && (end == std::numeric_limits<Millis>::max() || run.end + room <= end);
    }
    EXPECT_GE(inside * 10, runs.size() * 9);  // hosts may die under them
    EXPECT_GE(with_room * 10, runs.size() * 8);
  }
  EXPECT_NE(case_of("piggy_long").host, case_of("piggy_long_b").host);
}

TEST(SpiderCases, SilentOnesAreLikeTheirModels) {
  const Application &a = case_of("IOR_A"), &silent = case_of("silent_like");
  EXPECT_EQ(silent.nodes, a.nodes);
  EXPECT_EQ(silent.kind, Kind::silent);
  for (const SeenRun& run : four_weeks().runs_of("silent_like")) {
    EXPECT_EQ(run.bytes, 0u);
    if (run.state != "COMPLETED") continue;
    EXPECT_GE(run.end - run.start, 6 * 300 * second);  // 6 to 8 iterations of 300 s
    EXPECT_LE(run.end - run.start, 8 * 300 * second + 20 * second);
  }
}

TEST(SpiderCases, ReadersRead) {
  std::size_t bursts = 0;
  for (const char* name : {"reader", "reader_b"})
    for (const SeenRun& run : four_weeks().runs_of(name))
      for (const SeenBurst& burst : four_weeks().bursts.at({run.id, 0})) {
        ++bursts;
        EXPECT_EQ(burst.direction, Direction::read);
      }
  EXPECT_GT(bursts, 1000u);
}

TEST(SpiderCases, LeaveTheOtherApplicationsAsTheyAre) {
  const auto plain = applications(3), more = applications(3, with_cases);
  ASSERT_EQ(more.size(), plain.size() + case_applications(plain).size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].user + plain[i].name, more[i].user + more[i].name);
    EXPECT_EQ(plain[i].period, more[i].period);
  }
  for (std::size_t i = plain.size(); i < more.size(); ++i) EXPECT_EQ(more[i].user, "casetest");
}

/// What all OSTs of a machine without its periodic applications' bursts have moved.
struct Rest : Watcher {
  StepBytes first{}, last{};
  bool begun = false;
  double regular = 0;
  void reading(Millis, const StepBytes& values) override {
    if (!begun) first = values;
    begun = true;
    last = values;
  }
  void burst(const BurstRecord& record) override { regular += static_cast<double>(record.burst->moved); }
};

TEST(SpiderVariant, HeavyBackgroundIsThreeTimesTheRest) {
  // Small requests, people and irregular applications are each three times as much, but OSTs have a capacity, irregular bursts
  // wait for their end before the next gap, and small requests are capped: 2.0 to 3.2 times in all.
  const auto rest = [](double background) {
    auto seen = std::make_unique<Rest>();
    simulate(options(2, 1), *seen, true, {.background = background});
    double sum = 0;
    for (std::size_t d = 0; d < 2; ++d)
      for (std::size_t ost = 0; ost < ost_count; ++ost)
        if (seen->last[d][ost] > seen->first[d][ost])
          sum += static_cast<double>(seen->last[d][ost] - seen->first[d][ost]);  // else it failed over
    return std::pair(sum - seen->regular, seen->regular);
  };
  const auto [plain, plain_regular] = rest(1);
  const auto [heavy, heavy_regular] = rest(3);
  EXPECT_GT(heavy / plain, 2.0);
  EXPECT_LT(heavy / plain, 3.2);
  EXPECT_NEAR(heavy_regular / plain_regular, 1, 0.15);  // other jobs at other times, but no more of them
}

TEST(SpiderVariant, FewerJobsMayRunAtATime) {
  Notes seen;
  simulate(options(1, 3), seen, false, {.most_running = 40});
  std::vector<std::pair<Millis, int>> changes;
  for (const auto& [id, time] : seen.times) {
    changes.emplace_back(time.first, 1);
    changes.emplace_back(time.second, -1);
  }
  std::sort(changes.begin(), changes.end());
  int running = 0, most = 0;
  for (const auto& [t, change] : changes) most = std::max(most, running += change);
  EXPECT_LE(most, 40);
  EXPECT_GE(most, 36);
}

}  // namespace
}  // namespace fathom::titan
