// SPDX-License-Identifier: Apache-2.0
#include "collect/poller.h"

#include <gtest/gtest.h>

#include <functional>

namespace fathom {
namespace {

using namespace std::chrono_literals;

/// Time passes only by waiting and by what a poll takes.
class MadeClock final : public Clock {
 public:
  Time now() override { return now_; }
  bool wait_until(Time t) override {
    waits.push_back(t);
    now_ = std::max(now_, t);
    return now_ < end;
  }
  void pass(Duration d) { now_ += d; }
  Time now_ = time_from_seconds(1003);
  Time end = time_from_seconds(2000);
  std::vector<Time> waits;
};

class MadeSource final : public LiveSource {
 public:
  explicit MadeSource(std::function<Result<void>(Harvest&)> poll) : poll_(std::move(poll)) {}
  Result<void> poll(Harvest& harvest) override { return poll_(harvest); }

 private:
  std::function<Result<void>(Harvest&)> poll_;
};

Sample reading(Harvest& harvest, Time t, std::uint64_t bytes) {
  Sample sample;
  sample.t = t;
  sample.series = harvest.series("s", "f");
  sample.has = mask(Counter::read_bytes);
  sample.values[0] = bytes;
  return sample;
}

struct Bench {
  MadeClock clock;
  Latest latest;
  Waiting waiting{1000};
  SourceHealth health;
  std::vector<std::string> said;

  void run(std::function<Result<void>(Harvest&)> poll, std::uint64_t polls) {
    MadeSource source(std::move(poll));
    health.word = "made";
    PollerOptions options{.schedule = PollSchedule(10s), .polls = polls, .say = [&](const std::string& text) { said.push_back(text); }};
    Poller(1, source, options, clock, latest, waiting, health).run();
  }
  std::vector<std::int64_t> seconds_waited_for() const {
    std::vector<std::int64_t> all;
    for (const Time t : clock.waits) all.push_back(micros(t) / 1'000'000);
    return all;
  }
};

// From 1003 s on: 1010, 1020, 1030, although each poll takes 0.3 s.
TEST(Poller, PollsAtMultiplesOfTheInterval) {
  Bench bench;
  bench.run(
      [&](Harvest& harvest) -> Result<void> {
        harvest.sample(reading(harvest, bench.clock.now(), 5));
        bench.clock.pass(300ms);
        return {};
      },
      3);
  EXPECT_EQ(bench.seconds_waited_for(), (std::vector<std::int64_t>{1010, 1020, 1030}));
  EXPECT_EQ(bench.health.polls, 3u);
  EXPECT_EQ(bench.health.missed, 0u);
  EXPECT_EQ(bench.health.lag_us, 300'000);
  EXPECT_EQ(bench.waiting.samples(), 3u);
}

// The poll at 1010 takes 25 s, until 1035: those of 1020 and 1030 are missed, the next is 1040. No sample stands for what was missed.
TEST(Poller, ASlowPollMissesDeadlines) {
  Bench bench;
  bool first = true;
  bench.run(
      [&](Harvest& harvest) -> Result<void> {
        harvest.sample(reading(harvest, bench.clock.now(), 5));
        if (std::exchange(first, false)) bench.clock.pass(25s);
        return {};
      },
      2);
  EXPECT_EQ(bench.seconds_waited_for(), (std::vector<std::int64_t>{1010, 1040}));
  EXPECT_EQ(bench.health.missed, 2u);
  EXPECT_EQ(bench.waiting.samples(), 2u);
}

// Failures at 1010, 1020 and 1040, with pauses of 10, 20 and 40 s after them; it is back at 1080, and the next poll is the usual 10 s
// later. Missed are 1030, then 1050, 1060 and 1070.
TEST(Poller, AFailingSourceIsTriedAgainAndLeavesAGap) {
  Bench bench;
  int polls = 0;
  bench.run(
      [&](Harvest& harvest) -> Result<void> {
        harvest.sample(reading(harvest, bench.clock.now(), 5));  // a failed poll keeps nothing, not even this
        if (++polls <= 3) return Error{ErrorKind::unreadable, "it is away"};
        return {};
      },
      5);
  EXPECT_EQ(bench.seconds_waited_for(), (std::vector<std::int64_t>{1010, 1020, 1040, 1080, 1090}));
  EXPECT_EQ(bench.health.failures, 3u);
  EXPECT_EQ(bench.health.missed, 1u + 3u);
  EXPECT_EQ(bench.waiting.samples(), 2u);
  ASSERT_EQ(bench.said.size(), 2u);
  EXPECT_NE(bench.said[0].find("it is away"), std::string::npos);
  EXPECT_NE(bench.said[1].find("back after 3"), std::string::npos);
}

// The clock is set back by 20 s after the second poll, which read at 1020.005: the samples at 1010 and 1020 are left out, the one at 1030
// is taken.
TEST(Poller, AClockThatIsSetBackCountsNothingTwice) {
  Bench bench;
  std::uint64_t bytes = 0;
  int polls = 0;
  bench.run(
      [&](Harvest& harvest) -> Result<void> {
        harvest.sample(reading(harvest, bench.clock.now() + (polls < 2 ? 5ms : 0ms), bytes += 100));
        if (++polls == 2) bench.clock.now_ -= 20s;
        return {};
      },
      5);
  EXPECT_EQ(bench.seconds_waited_for(), (std::vector<std::int64_t>{1010, 1020, 1010, 1020, 1030}));
  EXPECT_EQ(bench.health.late, 2u);
  EXPECT_EQ(bench.waiting.samples(), 3u);
  EXPECT_EQ(bench.said.size(), 1u);
}

// An idle job's entry keeps its time: the same reading twice is one sample.
TEST(Poller, TheSameReadingAgainIsNotNews) {
  Bench bench;
  bench.run(
      [&](Harvest& harvest) -> Result<void> {
        harvest.sample(reading(harvest, time_from_seconds(900), 5));
        return {};
      },
      3);
  EXPECT_EQ(bench.waiting.samples(), 1u);
  EXPECT_EQ(bench.health.late, 0u);
}

// Ten samples of one series fit into a room of five: every second one goes, twice, and the last one stays.
TEST(Waiting, IsBoundedAndKeepsTheLast) {
  Waiting waiting(5);
  for (std::int64_t second = 1; second <= 10; ++second) {
    Polled polled;
    Sample sample;
    sample.t = time_from_seconds(second);
    sample.series = polled.series.id("s", "f");
    polled.samples.push_back(sample);
    waiting.add(polled);
  }
  const Batch batch = waiting.begin_write();
  EXPECT_LE(batch.samples.size(), 5u);
  EXPECT_EQ(batch.samples.back().t, time_from_seconds(10));
  EXPECT_EQ(batch.samples.size() + waiting.thinned(), 10u);
}

// What could not be written waits on, before what came meanwhile.
TEST(Waiting, AFailedWriteLosesNothing) {
  Waiting waiting(100);
  auto add = [&](std::int64_t second, const char* server) {
    Polled polled;
    Sample sample;
    sample.t = time_from_seconds(second);
    sample.series = polled.series.id(server, "f");
    polled.samples.push_back(sample);
    waiting.add(polled);
  };
  add(1, "a");
  EXPECT_EQ(waiting.begin_write().samples.size(), 1u);
  add(2, "b");
  EXPECT_EQ(waiting.samples(), 2u);
  waiting.finish_write(false);
  const Batch batch = waiting.begin_write();
  ASSERT_EQ(batch.samples.size(), 2u);
  EXPECT_EQ(batch.samples[0].t, time_from_seconds(1));
  EXPECT_NE(batch.samples[0].series, batch.samples[1].series);
  waiting.finish_write(true);
  EXPECT_EQ(waiting.samples(), 0u);
}

}  // namespace
}  // namespace fathom
