// SPDX-License-Identifier: Apache-2.0
#include "mine/page_data.h"

#include <gtest/gtest.h>

#include "mine/made_log_test.h"
#include "mine/page_bins.h"

namespace fathom::mine {
namespace {

using Json = nlohmann::ordered_json;

/// A run a day at noon, of 3200 s, with ten bursts every 300 s from 120 s on; some bursts are left out by hand.
struct Days {
  MadeLog made{30};
  Dossier dossier;

  Days() { dossier.application.name = {"ann", "climate", 128}; }
  void run(std::size_t day_number, bool writes, std::size_t missing = SIZE_MAX) {
    const double noon = (static_cast<double>(day_number) + 1.5) * day;
    add_run(dossier.application, noon, noon + 3200);
    for (std::size_t i = 0; writes && i < 10; ++i)
      if (i != missing) made.burst(noon + 120 + 300 * static_cast<double>(i));
  }
  const Dossier& examine() {
    dossier.logs = {made.log()};
    dossier.finding = examined(dossier.application, made);
    return dossier;
  }
  Json page() { return page_data(examine(), {}); }
};

// Twelve runs: one is silent, in one the fifth burst is missing. 10 x 10 + 9 = 109 bursts; a run of n bursts has n - 1 steps: 10 x 9 + 8 =
// 98, one of them of two periods.
TEST(PageData, RunsBurstsAndSteps) {
  Days days;
  for (std::size_t d = 0; d < 12; ++d) days.run(d, d != 3, d == 5 ? 4 : SIZE_MAX);
  const Json data = days.page();
  EXPECT_EQ(data["title"], "ann/climate/128");
  EXPECT_EQ(data["state"], "validated");
  ASSERT_EQ(data["patterns"].size(), 1u);
  const Json& pattern = data["patterns"][0];
  EXPECT_EQ(pattern["direction"], "write");
  EXPECT_EQ(pattern["shown"], 11);
  EXPECT_EQ(pattern["judged"], 12);
  EXPECT_EQ(pattern["bursts"], 109);
  const Json& steps = pattern["steps"];
  EXPECT_EQ(steps["width"], 0.05);
  EXPECT_EQ(steps["counts"][20], 97);  // 20 x 0.05 = 1
  EXPECT_EQ(steps["counts"][40], 1);
  EXPECT_EQ(steps["over"], 0);
  EXPECT_EQ(pattern["servers"], (Json::array({{{"from", 64}, {"to", 65}, {"count", 109}}})));
  EXPECT_EQ(pattern["volume"]["bursts"], 109);
  EXPECT_EQ(pattern["volume"]["before"], pattern["volume"]["after"]);  // no others
  EXPECT_EQ(data["table"]["shows"], (Json::array({"yyynyyyyyyyy"})));
  EXPECT_EQ(data["table"]["bursts"][0], (Json{10, 10, 10, 0, 10, 9, 10, 10, 10, 10, 10, 10}));
  EXPECT_EQ(data["table"]["start"][0], 129600);  // 1.5 days
  EXPECT_EQ(data["table"]["length"][0], 3200);
  ASSERT_EQ(data["views"].size(), 1u);
  const Json& strips = data["views"][0]["strips"];
  EXPECT_EQ(strips["of"], 12);
  EXPECT_EQ(strips["runs"][3]["shows"], "n");
  EXPECT_EQ(strips["runs"][3]["columns"], (Json{Json::array(), Json::array()}));
  // 3200 s in 720 columns: the first burst, at 120 s, is in column 27, the next, at 420 s, in 94.5.
  EXPECT_EQ(strips["runs"][0]["columns"][1][0], 27);
  EXPECT_EQ(strips["runs"][0]["columns"][1][1], 94);
  EXPECT_EQ(data["views"][0]["scatter"]["of_patterns"], 109);
  EXPECT_EQ(data["views"][0]["scatter"]["others"], 0);
}

// Sightings number the runs that can be: those after an impossible one must not be shifted.
TEST(PageData, ImpossibleRunsKeepTheirPlace) {
  Days days;
  for (std::size_t d = 0; d < 12; ++d) {
    if (d == 2) days.dossier.application.runs.push_back({"never", at(3 * day), at(3 * day - 50)});
    if (d == 4) days.dossier.application.runs.push_back({"endless", at(5 * day), Time{Duration{INT64_MAX}}});
    days.run(d, d != 6);
  }
  const Json data = days.page();
  ASSERT_EQ(data["patterns"].size(), 1u) << data["reason"];
  EXPECT_EQ(data["runs_left_out"], 2);
  EXPECT_EQ(data["table"]["shows"][0], "yyxyyxyynyyyyy");
  EXPECT_TRUE(data["table"]["length"][2].is_null());
  EXPECT_EQ(data["views"][0]["strips"]["of"], 12);
}

TEST(PageData, OthersBurstsAreCountedOnceWhereRunsOverlap) {
  Days days;
  for (std::size_t d = 0; d < 12; ++d) days.run(d, true);
  for (std::size_t d = 0; d < 12; ++d) days.made.burst((static_cast<double>(d) + 1.5) * day + 1000, {3000 * gib, 300, 200});
  auto& runs = days.dossier.application.runs;
  runs.insert(runs.begin() + 1, {"beside", runs[0].start, runs[0].end});
  const Json data = days.page();
  ASSERT_EQ(data["patterns"].size(), 1u) << data["reason"];
  EXPECT_EQ(data["views"][0]["scatter"]["others"], 12);
  EXPECT_EQ(data["views"][0]["scatter"]["of_patterns"], 120);
  const std::string shows = data["table"]["shows"][0];
  EXPECT_EQ(std::count(shows.begin(), shows.end(), 'a'), 1);
}

TEST(PageData, WithoutAPattern) {
  Days days;
  for (std::size_t d = 0; d < 4; ++d) days.run(d, false);
  const Json data = days.page();
  EXPECT_EQ(data["state"], "unknown");
  EXPECT_EQ(data["patterns"], Json::array());
  EXPECT_EQ(data["views"], Json::array());
  EXPECT_EQ(data["table"]["job"].size(), 4u);
}

// What no server says is not known, not zero.
// 1,105,080,823,580 bytes are 1.00507 TiB, which pages write as 1.01 TiB; of four figures, 1.105e12, they would make 1.00499, written as 1.
TEST(PageData, FiguresAreNotRoundedBeforeTheyAreWritten) {
  Days days;
  for (std::size_t d = 0; d < 12; ++d) days.run(d, true);
  days.examine();
  ASSERT_EQ(days.dossier.finding.patterns.size(), 1u);
  days.dossier.finding.patterns[0].burst_bytes = 1'105'080'823'580.4443;
  EXPECT_EQ(page_data(days.dossier, {})["patterns"][0]["burst_bytes"], 1'105'080'823'580.4443);
}

TEST(PageData, ServersThatCouldNotBeTold) {
  Days days;
  for (std::size_t d = 0; d < 12; ++d) days.run(d, true);
  days.examine();
  ASSERT_EQ(days.dossier.finding.patterns.size(), 1u);
  Pattern& pattern = days.dossier.finding.patterns[0];
  pattern.burst_bytes = pattern.throughput = pattern.peak = pattern.footprint = 0;
  for (KnownBurst& burst : days.dossier.logs[0].bursts) burst.servers = 0, burst.own_area = burst.own_height = 0;
  const Json data = page_data(days.dossier, {});
  EXPECT_TRUE(data["patterns"][0]["burst_bytes"].is_null());
  EXPECT_EQ(data["patterns"][0]["servers"], Json::array());
  EXPECT_EQ(data["patterns"][0]["volume"]["untold"], 120);
  EXPECT_TRUE(data["patterns"][0]["volume"]["after"].is_null());
}

// 50,000 runs with four bursts of the pattern and as many others each; the sightings are written down, not searched for. Columns: 60 runs
// have few marks. Points: 4000 of at most 28 characters; rows: 10,000 of at most 40: well below a megabyte.
TEST(PageData, StaysSmall) {
  Dossier dossier;
  dossier.application.name = dossier.finding.name = {"ann", "climate", 128};
  MadeLog made(1);
  Pattern pattern;
  pattern.filesystem = "scratch", pattern.direction = 1, pattern.period = 300, pattern.verdict = Verdict::valid;
  for (std::uint32_t r = 0; r < 50'000; ++r) {
    const double start = 1000.0 * r;
    add_run(dossier.application, start, start + 1000);
    Sighting sighting;
    sighting.run = r, sighting.shown = true;
    for (std::uint32_t i = 0; i < 4; ++i) {
      sighting.bursts.push_back(8 * r + 2 * i);
      made.burst(start + 10 + 240 * i, {123.4567 * gib, 64, 30});
      made.burst(start + 99 + 240 * i, {7.654321 * gib, 3, 30});
    }
    pattern.sightings.push_back(std::move(sighting));
  }
  dossier.logs = {made.log()};
  dossier.finding.runs = 50'000;
  dossier.finding.patterns = std::vector<Pattern>(8, pattern);
  const Json data = page_data(dossier, {});
  EXPECT_LT(data.dump().size(), 1'500'000u);
  EXPECT_EQ(data["patterns"].size(), most_patterns);
  EXPECT_EQ(data["notes"].size(), 1u);
  EXPECT_EQ(data["table"]["job"].size(), most_rows);
  EXPECT_EQ(data["table"]["job"][1], "6");  // every fifth run
  EXPECT_EQ(data["views"].size(), 1u);
  EXPECT_EQ(data["views"][0]["scatter"]["points"].size(), 2 * most_points);
  EXPECT_EQ(data["views"][0]["scatter"]["of_patterns"], 200'000);
  EXPECT_EQ(data["views"][0]["strips"]["runs"].size(), most_strips);
}

// 60 runs with a burst every 10 s for 72,000 s: 7200 bursts each. A column of 100 s takes ten of them, so 720 columns of 60 runs are 43,200
// marks. Twice as wide 21,600; four times 10,800.
TEST(PageData, ColumnsGetWiderWhereThereAreManyMarks) {
  Dossier dossier;
  MadeLog made(1);
  Pattern pattern;
  pattern.filesystem = "scratch", pattern.direction = 1, pattern.period = 10;
  for (std::uint32_t r = 0; r < 60; ++r) {
    add_run(dossier.application, 1e5 * r, 1e5 * r + 72'000);
    Sighting sighting;
    sighting.run = r, sighting.shown = true;
    for (std::uint32_t i = 0; i < 7200; ++i) {
      sighting.bursts.push_back(7200 * r + i);
      made.burst(1e5 * r + 10 * i);
    }
    pattern.sightings.push_back(std::move(sighting));
  }
  dossier.logs = {made.log()};
  dossier.finding.patterns = {pattern};
  const Json data = page_data(dossier, {});
  EXPECT_EQ(data["views"][0]["strips"]["column"], 400);
  EXPECT_EQ(data["views"][0]["strips"]["runs"][59]["columns"][1].size(), 180u);
}

TEST(PageBins, Evenly) {
  EXPECT_EQ(evenly(3, 10), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(evenly(10, 4), (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_TRUE(evenly(0, 4).empty());
}

TEST(PageBins, StepsBeyondTheLastBin) {
  const Json bins = step_bins(std::vector<double>{0, 0.974, 1.02, 5.5, 5.53, 40});
  EXPECT_EQ(bins["counts"].size(), 111u);
  EXPECT_EQ(bins["counts"][0], 1);
  EXPECT_EQ(bins["counts"][19], 1);  // 0.974 is nearer to 0.95 than to 1
  EXPECT_EQ(bins["counts"][20], 1);
  EXPECT_EQ(bins["counts"][110], 1);
  EXPECT_EQ(bins["over"], 2);
}

// All servers show 8 and 32 bytes, those that take part 8 and 8: the bins reach from 8 to 32, their ends hold all.
TEST(PageBins, VolumesBeforeAndAfter) {
  std::vector<KnownBurst> bursts(3);
  bursts[0].area = bursts[0].own_area = bursts[1].own_area = 8, bursts[1].area = 32;
  bursts[0].servers = bursts[1].servers = 2;
  bursts[2].area = 5;  // no server could be told
  const Json data = volume_bins(bursts);
  EXPECT_EQ(data["bins"].size(), 40u);
  EXPECT_EQ(data["bins"][0]["from"], 8);
  EXPECT_EQ(data["bins"][39]["to"], 32);
  EXPECT_EQ(data["bins"][0]["before"], 1);
  EXPECT_EQ(data["bins"][39]["before"], 1);
  EXPECT_EQ(data["bins"][0]["after"], 2);
  EXPECT_EQ(data["untold"], 1);
}

// 1 to 121 servers do not fit 60 bins of one: bins of three, 41 of them.
TEST(PageBins, ManyDifferentNumbersOfServers) {
  std::vector<KnownBurst> bursts(121);
  for (std::uint32_t i = 0; i < 121; ++i) bursts[i].servers = i + 1;
  const Json bins = server_bins(bursts);
  EXPECT_EQ(bins.size(), 41u);
  EXPECT_EQ(bins[0], (Json{{"from", 1}, {"to", 4}, {"count", 3}}));
  EXPECT_EQ(bins[40]["count"], 1);
}

}  // namespace
}  // namespace fathom::mine
