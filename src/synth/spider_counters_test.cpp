// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_counters.h"

#include <gtest/gtest.h>

#include <memory>

namespace fathom::titan {
namespace {

/// The rules of ingestion, reading by reading: the slow way to what OstCounters::known() says.
struct Follower {
  StepBytes previous{};
  StepBytes sum{};
  std::int64_t last_index = 0;
  std::uint64_t readings = 0, resets = 0, gaps = 0;

  void reading(std::int64_t index, const StepBytes& values) {
    if (readings++ > 0) {
      for (std::size_t ost = 0; ost < ost_count; ++ost) {
        const bool fell = values[0][ost] < previous[0][ost] || values[1][ost] < previous[1][ost];
        if (fell) ++resets;
        if (index - last_index > 2) ++gaps;  // longer than 2.5 intervals
        for (std::size_t d = 0; d < 2; ++d) sum[d][ost] += fell ? values[d][ost] : values[d][ost] - previous[d][ost];
      }
    }
    previous = values;
    last_index = index;
  }
};

void follow(std::uint64_t seed, std::int64_t samples) {
  OstCounters counters(seed, samples);
  auto follower = std::make_unique<Follower>();
  auto bytes = std::make_unique<StepBytes>();
  Random random(seed);
  std::uint64_t happened = 0;
  follower->reading(0, counters.values());
  for (std::int64_t index = 1; index < samples; ++index) {
    for (auto& direction : *bytes)
      for (auto& value : direction) happened += value = random.next() >> 35;
    if (counters.advance(index, *bytes)) follower->reading(index, counters.values());
  }
  std::uint64_t known_bytes = 0, lost = 0;
  for (std::size_t ost = 0; ost < ost_count; ++ost) {
    const auto known = counters.known(ost);
    EXPECT_EQ(known.samples, follower->readings);
    EXPECT_EQ(known.increments, follower->readings - 1);
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_EQ(known.bytes[d], follower->sum[d][ost]) << ost;
      known_bytes += known.bytes[d];
    }
  }
  EXPECT_EQ(counters.resets(), follower->resets);
  EXPECT_EQ(counters.gaps(), follower->gaps);
  EXPECT_EQ(counters.happened(Direction::read) + counters.happened(Direction::write), happened);
  EXPECT_EQ(counters.resets(), osts_per_server * counters.failovers().size());
  EXPECT_EQ(counters.gaps(), ost_count * counters.outages().size());
  lost = happened - known_bytes;
  EXPECT_EQ(lost > 0, !counters.failovers().empty());  // nothing else is lost
}

TEST(SpiderCounters, KnowWhatTheirReadingsTell) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) follow(seed, 173);
  follow(4, 8640);
  follow(5, 20);  // too short for faults
}

TEST(SpiderCounters, FaultsStayApart) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    for (const double days : {0.02, 0.1, 1.0, 7.0, 60.0}) {
      const std::int64_t samples = sample_count(days);
      const OstCounters counters(seed, samples);
      EXPECT_GE(counters.failovers().size(), 1u);
      EXPECT_GE(counters.outages().size(), 1u);
      for (const auto& outage : counters.outages()) {
        EXPECT_GT(outage.from, 1);
        EXPECT_GE(outage.to - outage.from, 3);
        EXPECT_LT(outage.to, samples);  // readings on both sides
        for (const auto& failover : counters.failovers()) EXPECT_TRUE(failover.index < outage.from || failover.index > outage.to + 1);
      }
    }
  }
}

}  // namespace
}  // namespace fathom::titan
