// SPDX-License-Identifier: Apache-2.0
#include "population/report_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "population/study_test.h"

namespace fathom {
namespace {

using Json = nlohmann::ordered_json;

ReportOptions options() {
  return {.title = "Jobs", .store_name = "store", .version = "1", .generated = 1'300'000'000, .peak = 50, .selection = {}};
}

std::vector<std::string> names(const Json& object) {
  std::vector<std::string> found;
  for (const auto& [name, value] : object.items()) found.push_back(name);
  return found;
}

std::vector<HandMade> random_jobs(std::size_t jobs) {
  Random random(5);
  std::vector<HandMade> made;
  for (std::size_t i = 0; i < jobs; ++i)
    made.push_back({.id = std::to_string(1'000'000 + i),
                    .read_bytes = random.lognormal(1e9, 4),
                    .write_bytes = random.lognormal(1e9, 4),
                    .read_ops = 1 + random.lognormal(1e4, 3),
                    .write_ops = 1 + random.lognormal(1e4, 3),
                    .read_bw = random.lognormal(10, 1),
                    .write_bw = random.lognormal(1e6, 3),
                    .read_iops = random.lognormal(1e3, 2),
                    .write_iops = random.lognormal(100, 2),
                    .read_active = random.uniform(),
                    .write_active = random.uniform(),
                    .active = random.uniform(),
                    .opens = random.lognormal(1e3, 2),
                    .closes = random.lognormal(1e3, 2)});
  return made;
}

TEST(ReportData, HasTheFieldsOfTheContractInItsOrder) {
  const Json json = report_data(hand_made_study(random_jobs(50)), options(), Json::array());
  EXPECT_EQ(names(json), (std::vector<std::string>{"format", "title", "generated", "version", "store", "notes", "population", "jobs"}));
  EXPECT_EQ(names(json["store"]), (std::vector<std::string>{"name", "start", "end", "servers", "jobs", "sampling_step"}));
  const Json& population = json["population"];
  EXPECT_EQ(names(population), (std::vector<std::string>{"jobs", "left_out", "link", "min_runtime", "pairs", "singles", "threshold_panels",
                                                         "volume_vs_bandwidth", "table2", "small", "request_sizes", "opens_closes",
                                                         "servers", "selected", "linking"}));
  const Json& pair = population["pairs"][0];
  EXPECT_EQ(names(pair),
            (std::vector<std::string>{"id", "key", "title", "threshold", "x", "y", "hexagons", "hex_radius", "diagonal", "selected"}));
  EXPECT_EQ(names(pair["x"]), (std::vector<std::string>{"label", "unit", "scale", "n", "zeros", "min", "max", "mean", "median", "p80",
                                                        "top20_share", "histogram", "cdf"}));
  EXPECT_EQ(names(population["singles"][0]), (std::vector<std::string>{"id", "key", "title", "threshold", "axis"}));
  EXPECT_EQ(names(population["threshold_panels"][0]), (std::vector<std::string>{"id", "key", "title", "panels"}));
  EXPECT_EQ(population["threshold_panels"][0]["panels"].size(), 2u);
  EXPECT_EQ(names(population["linking"]),
            (std::vector<std::string>{"to_jobs", "unattributed", "discarded", "repeated", "total", "conserved"}));
  EXPECT_EQ(population["volume_vs_bandwidth"].size(), 2u);
}

TEST(ReportData, CountsEveryJobInEveryPlot) {
  const Json json = report_data(hand_made_study(random_jobs(500)), options(), Json::array());
  const auto count = [](const Json& bins) {
    std::uint64_t sum = 0;
    for (const auto& bin : bins) sum += bin.is_array() ? bin[2].get<std::uint64_t>() : bin["count"].get<std::uint64_t>();
    return sum;
  };
  for (const Json& pair : json["population"]["pairs"]) {
    EXPECT_EQ(count(pair["hexagons"]), 500u) << pair["key"];
    EXPECT_EQ(count(pair["x"]["histogram"]), 500u) << pair["key"];
    EXPECT_EQ(pair["x"]["cdf"].back()[1], 1) << pair["key"];
  }
  // Those faster than 50 bytes per second when reading; the list is cut at 200, and says so.
  EXPECT_LE(json["population"]["volume_vs_bandwidth"][1]["above_peak"].size(), 200u);
  EXPECT_NE(json["notes"].dump().find("above the peak"), std::string::npos);
}

TEST(ReportData, HasNoNumberThatIsNone) {
  // One job without maxima and with nothing written: undefined values are null.
  const Study study = hand_made_study({{.id = "1", .read_bytes = 5, .read_ops = 1, .units = 1, .has_inner = false}});
  const Json json = report_data(study, options(), Json::array());
  const std::string text = json.dump();  // NaN is written as null: then what is read back differs
  EXPECT_EQ(Json::parse(text), json);
  const Json& fastest = json["population"]["volume_vs_bandwidth"][0]["y"];
  EXPECT_EQ(fastest["n"], 0);
  EXPECT_TRUE(fastest["p80"].is_null());
  EXPECT_TRUE(json["population"]["table2"][0]["parallel_intensity"][0].is_null());
  EXPECT_TRUE(json["store"]["sampling_step"].is_null());
}

TEST(ReportData, OfNoJobsIsEmptyButWhole) {
  const Json json = report_data(hand_made_study({}), options(), Json::array());
  EXPECT_EQ(json["population"]["jobs"], 0);
  EXPECT_TRUE(json["population"]["pairs"][0]["hexagons"].empty());
  EXPECT_TRUE(json["population"]["selected"].empty());
}

TEST(ReportData, StaysSmallHoweverManyJobsThereAre) {
  // Values without any relation fill more hexagons than real ones do; thresholds and sizes as `fathom report` asks for them.
  const Study study = hand_made_study(random_jobs(20'000), {0, 1 << 10, 1 << 13, 1 << 17, 1 << 19, 1 << 20},
                                      {4096, 8192, 1 << 16, 1 << 17, 1 << 19, 1 << 20, 1 << 22});
  const std::string text = report_data(study, options(), Json::array()).dump();
  RecordProperty("bytes", static_cast<int>(text.size()));
  EXPECT_LT(text.size(), 1'000'000u);
}

TEST(ReportData, TakesJobsAsTheyAre) {
  const Json json = report_data(hand_made_study({}), options(), Json::array({{{"job_id", "7"}}}));
  EXPECT_EQ(json["jobs"][0]["job_id"], "7");
}

}  // namespace
}  // namespace fathom
