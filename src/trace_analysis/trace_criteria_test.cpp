// SPDX-License-Identifier: Apache-2.0
#include "trace_analysis/trace_criteria.h"

#include <gtest/gtest.h>

#include "trace_analysis/made_events_test.h"

namespace fathom::trace {
namespace {

nlohmann::ordered_json criteria_of(const MadeRun& run, TraceCriteriaOptions options, std::optional<FixedSizes> fixed = {}) {
  TraceMeasurement measurement(run.trace, std::move(options));
  Walk walk(run.trace, measurement.analyses());
  for (const Event& event : run.events()) walk.take(event);
  walk.finish();
  measurement.measure();
  return criteria_json(measurement, answers(measurement, fixed, 2));
}

// The worked example of docs/criteria.md as calls: 100 s, two units, c = 0. A writes 500 bytes in one call from 0 to 50 s, B 200 bytes from
// 20 to 40 s. S_w = 700; B_w max 20 B/s, mean 7 B/s; I_w = 0.5; rho_w = 1 - tanh(1); P_w = 0.4; reading: rho_r = 1, P_r = 0.
MadeRun worked_example() {
  MadeRun run(2);
  const auto f = run.file("/data/a");
  run.call(0, "pwrite", f, 0, 50e6, {0, 500});
  run.call(1, "pwrite", f, 20e6, 40e6, {500, 200});
  run.trace.end = MadeRun::epoch + 100'000'000'000;
  return run;
}

TEST(TraceCriteria, TheWorkedExample) {
  const auto json = criteria_of(worked_example(), {.thresholds = {0}});
  EXPECT_EQ(json["1.1"]["values"]["write_bytes"], 700);
  EXPECT_EQ(json["1.1"]["values"]["read_bytes"], 0);
  EXPECT_NEAR(json["1.3"]["values"]["write_bw_max"], 20, 1e-9);
  EXPECT_NEAR(json["1.3"]["values"]["write_bw_mean"], 7, 1e-9);
  EXPECT_NEAR(json["1.6"]["values"]["write_intensity"], 0.5, 1e-12);
  EXPECT_NEAR(json["2.9"]["values"]["write_burstiness"], 1 - std::tanh(1), 1e-12);
  EXPECT_EQ(json["2.9"]["values"]["read_burstiness"], 1);
  EXPECT_NEAR(json["3.1"]["values"]["write_parallel_intensity"], 0.4, 1e-12);
  EXPECT_EQ(json["3.1"]["values"]["read_parallel_intensity"], 0);
  EXPECT_EQ(json["2.6"]["values"]["shared_files"], 1);
  EXPECT_EQ(json["2.6"]["values"]["files"][0]["A_f"], 1);
  // Both processes in 20 of 50 slots with the file in use: (30 x 1 + 20 x 2) / 50 / 2 = 0.7, and 1 at most.
  EXPECT_NEAR(json["3.4"]["values"]["mean"], 0.7, 1e-12);
  EXPECT_EQ(json["3.4"]["values"]["max"], 1);
}

TEST(TraceCriteria, EveryCriterionHasValuesOrAReason) {
  const auto json = criteria_of(worked_example(), {});
  for (const Criterion* criterion : all_criteria()) {
    const std::string id(criterion->id);
    ASSERT_TRUE(json.contains(id)) << id;
    if (json[id]["values"].is_null()) {
      EXPECT_FALSE(json[id]["reason"].get<std::string>().empty()) << id;
    } else {
      EXPECT_FALSE(json[id]["values"].empty()) << id;
    }
  }
  // Only what nobody can measure from one trace is missing.
  for (const char* id : {"2.3", "4.1", "4.3", "4.4", "4.5"}) EXPECT_TRUE(json[id]["values"].is_null()) << id;
  for (const char* id : {"1.5", "2.1", "2.2", "2.6", "2.7", "2.10", "3.4", "4.2"}) EXPECT_FALSE(json[id]["values"].is_null()) << id;
  EXPECT_EQ(json["4.2"]["values"]["interfaces_called"], "posix");
}

// Sizes 100, 100, 5000: exact. The slot's average (1733 bytes) would call all of them small; two of three are.
TEST(TraceCriteria, RequestSizesAreExact) {
  MadeRun run(1);
  const auto f = run.file("/data/a");
  run.call(0, "open", f, 0, 1, {}, SIZE_MAX, open_creates);
  for (int i = 0; i < 3; ++i) run.call(0, "pwrite", f, 10 * i + 10, 10 * i + 15, {i * 5000, i == 2 ? 5000u : 100u});
  run.call(0, "close", f, 100, 101);
  run.trace.end = MadeRun::epoch + 2'000'000'000;
  const auto json = criteria_of(run, {.small = {4096, 1 << 20}}, FixedSizes{3, 1});
  EXPECT_NEAR(json["2.2"]["values"]["write_small_fraction"], 2.0 / 3, 1e-12);
  EXPECT_EQ(json["2.2"]["values"]["write_small_fraction_at_1048576"], 1);
  EXPECT_EQ(json["2.1"]["values"]["write_median_request"], 100);
  EXPECT_EQ(json["2.1"]["values"]["write_max_request"], 5000);
  EXPECT_EQ(json["2.1"]["values"]["write_sizes"][0]["requests"], 2);
  EXPECT_EQ(json["1.5"]["values"]["created"], 1);
  EXPECT_EQ(json["1.5"]["values"]["opens"], 1);
  EXPECT_EQ(json["1.5"]["values"]["largest_file_bytes"], 15000);
  EXPECT_EQ(json["2.3"]["values"]["fixed_fraction"], 0.75);
  EXPECT_EQ(json["2.7"]["values"]["write_simple_strided"], 1);  // 0, 5000, 10000
  EXPECT_TRUE(json["2.7"]["values"]["read_simple_strided"].is_null());
  EXPECT_EQ(json["3.1"]["values"]["write_parallel_intensity"], nullptr);  // of one unit there is none
}

// A run in which nothing is read or written: zeros where nothing is a number, nulls where it is not.
TEST(TraceCriteria, NothingHappened) {
  MadeRun run(2);
  run.trace.end = MadeRun::epoch + 5'000'000'000;
  const auto json = criteria_of(run, {});
  EXPECT_EQ(json["1.1"]["values"]["total_bytes"], 0);
  EXPECT_EQ(json["2.9"]["values"]["total_burstiness"], 1);
  EXPECT_TRUE(json["2.1"]["values"]["read_mean_request"].is_null());
  EXPECT_EQ(json["2.1"]["reason"], "nothing was moved");
  EXPECT_FALSE(json["1.1"].contains("reason"));
}

TEST(TraceCriteria, WhatOneProcessCannotTellHasAReason) {
  MadeRun run(1);
  run.trace.end = MadeRun::epoch + 5'000'000'000;
  const auto json = criteria_of(run, {});
  EXPECT_TRUE(json["3.1"]["values"]["total_parallel_intensity"].is_null());
  EXPECT_EQ(json["3.1"]["reason"], "one unit: nothing to compare");
  EXPECT_TRUE(json["3.4"]["values"]["max"].is_null());
  EXPECT_EQ(json["3.4"]["reason"], "no file was used by more than one process");
}

}  // namespace
}  // namespace fathom::trace
