// SPDX-License-Identifier: Apache-2.0
// Simulations and decisions through the API, with made-up jobs: no store is needed.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "dashboard/api.h"
#include "dashboard/simulation_run.h"
#include "simulate/comparison.h"
#include "simulation_page/comparison_data.h"

namespace fathom::dashboard {
namespace {

using namespace std::chrono_literals;

class Asked : public testing::Test {
 protected:
  void open(const SimulationLimits& limits = {}) {
    DashboardSettings settings;
    settings.version = "1.2.3";
    settings.simulations = limits;
    settings.what_if_page = [](std::string_view json) { return "<html>" + std::string(json); };
    auto opened = Dashboard::open(settings);
    ASSERT_TRUE(opened);
    dashboard_ = std::move(*opened);
    api_ = std::make_unique<Api>(*dashboard_);
  }
  http::Response ask(std::string method, const std::string& path, std::string body = {}) {
    http::Request request;
    request.method = std::move(method);
    request.target = "/api/v1" + path;
    request.body = std::move(body);
    return api_->answer(request);
  }
  static Json json(const http::Response& response) { return Json::parse(*response.body); }
  Json finished(const std::string& id) {
    for (int i = 0; i < 60000; ++i) {
      const Json found = json(ask("GET", "/simulations/" + id));
      if (found["state"] != "waiting" && found["state"] != "running") return found;
      std::this_thread::sleep_for(1ms);
    }
    return {};
  }
  std::unique_ptr<Dashboard> dashboard_;
  std::unique_ptr<Api> api_;
};

const std::string small =
    R"({"title":"slow links","scenario":"template","changes":{"external_link.bandwidth":"1 Gbit/s"},"sweep":[],"store":null})";

TEST_F(Asked, AComparisonIsThatOfTheScenario) {
  open();
  const http::Response added = ask("POST", "/simulations", small);
  ASSERT_EQ(added.status, 200u) << *added.body;
  const std::string id = json(added)["id"];
  const Json found = finished(id);
  ASSERT_EQ(found["state"], "done") << found.dump();
  const std::string text = dashboard_->simulations().find(id)->scenario;
  const auto scenario = simulate::Scenario::parse(text, "");
  const auto work = simulate::described_work(*scenario);
  const auto wanted = simulate::compare(scenario->architecture, scenario->original, *work);
  EXPECT_EQ(found["result"]["comparison"], simulation_page::comparison_data({}, *scenario, *work, *wanted)["comparison"]);
  EXPECT_EQ(found["result"]["title"], "slow links");
  EXPECT_EQ(found["result"]["version"], "1.2.3");

  const http::Response page = ask("GET", "/simulations/" + id + "/page");
  EXPECT_TRUE(page.body->starts_with("<html>{\"format\":1"));
  EXPECT_TRUE(std::any_of(page.headers.begin(), page.headers.end(), [](const auto& each) {
    return each.first == "Content-Disposition" && each.second == "attachment; filename=\"slow_links.html\"";
  }));
  const http::Response file = ask("GET", "/simulations/" + id + "/scenario.toml");
  EXPECT_TRUE(simulate::Scenario::parse(*file.body, ""));
  EXPECT_TRUE(file.body->starts_with("# slow links\n# fathom simulate slow_links.toml\n"));
}

TEST_F(Asked, ASweepHasAllItsCombinations) {
  open();
  const http::Response added = ask(
      "POST", "/simulations",
      R"({"scenario":"template","changes":{"cost.external_bandwidth":"10","cost.burst_buffer":"1"},"sweep":[{"key":"external_bandwidth","values":["1Gbit/s","10Gbit/s"]},{"key":"burst_buffer.size","values":["0","1 GiB"]}]})");
  ASSERT_EQ(added.status, 200u) << *added.body;
  const Json found = finished(json(added)["id"]);
  ASSERT_EQ(found["state"], "done") << found.dump();
  EXPECT_EQ(found["result"]["sweep"]["points"].size(), 4u);
  EXPECT_EQ(found["result"]["sweep"]["points"][3]["values"], (Json{"10Gbit/s", "1 GiB"}));
  EXPECT_TRUE(found["result"]["sweep"]["points"][3]["cost"].is_number());
}

TEST_F(Asked, LimitsAreKeptWithWords) {
  open({.most_requests = 100'000, .most_combinations = 3});
  const auto refused = [&](const std::string& body, unsigned status, const std::string& word) {
    const http::Response answer = ask("POST", "/simulations", body);
    EXPECT_EQ(answer.status, status) << body;
    EXPECT_NE(answer.body->find(word), std::string::npos) << *answer.body;
  };
  refused(R"({"scenario":"jugene"})", 422, "requests");
  refused(R"({"scenario":"template","sweep":[{"key":"targets","values":["1","2","3","4"]}]})", 422, "combinations");
  refused(R"({"scenario":"template","sweep":[{"key":"targets","values":["none"]}]})", 400, "no value of targets");
  refused(R"({"scenario":"template","store":"elsewhere"})", 404, "no store elsewhere");
  refused("", 400, "no JSON");
  EXPECT_EQ(ask("POST", "/simulations", small).status, 200u);
  open({.allowed = false});
  refused(small, 422, "allows no simulations");
  EXPECT_EQ(json(ask("GET", "/"))["simulations"]["allowed"], false);
}

TEST_F(Asked, CancellingALongOneTakesNoTime) {
  open();
  const http::Response added =
      ask("POST", "/simulations",
          R"({"scenario":"jugene","changes":{"io_nodes.count":"20000"},"sweep":[{"key":"in_flight","values":["1","2","3"]}]})");
  ASSERT_EQ(added.status, 200u) << *added.body;
  const std::string id = json(added)["id"];
  while (json(ask("GET", "/simulations/" + id))["state"] == "waiting") std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(json(ask("DELETE", "/simulations/" + id))["state"], "cancelled");
  const auto begin = std::chrono::steady_clock::now();
  const Json next = finished(json(ask("POST", "/simulations", small))["id"]);
  EXPECT_EQ(next["state"], "done");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
  EXPECT_EQ(ask("GET", "/simulations/" + id + "/page").status, 404u);
  EXPECT_EQ(ask("DELETE", "/simulations/" + id).status, 200u);
  EXPECT_EQ(ask("DELETE", "/simulations/" + id).status, 404u);
}

TEST_F(Asked, ScenariosHaveEveryParameter) {
  open();
  const Json list = json(ask("GET", "/scenarios"))["scenarios"];
  ASSERT_EQ(list.size(), 6u);
  for (const Json& scenario : list) {
    EXPECT_GT(scenario["parameters"].size(), 25u);
    for (const Json& each : scenario["parameters"]) EXPECT_FALSE(each["meaning"].get<std::string>().empty()) << each.dump();
    // What a scenario says of itself is taken back as a change.
    Json changes = Json::object();
    for (const Json& each : scenario["parameters"])
      if (each["value"] != "" && !each["key"].get<std::string>().starts_with("io_nodes."))
        changes[each["key"].get<std::string>()] = each["value"];
    const auto asked = simulate::parse_what_if(Json{{"scenario", scenario["name"]}, {"changes", changes}}.dump());
    ASSERT_TRUE(asked);
    EXPECT_TRUE(simulate::scenario_text(*asked)) << simulate::scenario_text(*asked).error().message;
  }
}

TEST_F(Asked, AnyBodyIsAnsweredInWords) {
  open({.most_requests = 1000});
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string body = small;
    for (auto n = random() % 10; n > 0; --n) body[random() % body.size()] = static_cast<char>(random());
    const http::Response answer = ask("POST", "/simulations", body);
    EXPECT_TRUE(answer.status == 400 || answer.status == 422 || answer.status == 404) << answer.status << body;
    EXPECT_TRUE(json(answer)["error"]["message"].is_string());
  }
}

TEST(RequestsOf, CountsEveryRun) {
  const auto scenario =
      simulate::Scenario::parse("[[io_nodes]]\ncount = 2\n[[increment]]\nwrite_bytes = \"8 MiB\"\nwrite_operations = 2\n", "");
  const auto work = simulate::described_work(*scenario);
  simulate::Architecture smaller;
  smaller.ciod_buffer = 1 * simulate::MiB;
  EXPECT_EQ(requests_of(*work, {simulate::Architecture{}}), 4u);
  EXPECT_EQ(requests_of(*work, {simulate::Architecture{}, smaller, smaller}), 4u + 16u + 16u);
}

}  // namespace
}  // namespace fathom::dashboard
