// SPDX-License-Identifier: Apache-2.0
#include "collect/metric.h"

#include <gtest/gtest.h>

#include "collect/http_get.h"
#include "collect/metric_map.h"

namespace fathom {
namespace {

TEST(Metric, LinesOfAPage) {
  const auto metric = parse_metric_line(R"(disk_bytes_total{device="sda",path="a\"b\\c\nd",} 1.5e+03 1395066363123)");
  ASSERT_TRUE(metric);
  EXPECT_EQ(metric->name, "disk_bytes_total");
  ASSERT_EQ(metric->labels.size(), 2u);
  EXPECT_EQ(*metric->label("device"), "sda");
  EXPECT_EQ(*metric->label("path"), "a\"b\\c\nd");
  EXPECT_EQ(metric->label("none"), nullptr);
  EXPECT_EQ(metric->value, "1.5e+03");
  EXPECT_EQ(metric->t, time_from_micros(1395066363123000));
  EXPECT_TRUE(parse_metric_line("up 1"));
  for (const char* line :
       {"", "1up 1", "up", "up{a} 1", "up{a=\"b} 1", "up{a=\"b\" 1", "up one", "up 1 2 3", "up 1 x", "up{a=\"b\"c=\"d\"} 1"})
    EXPECT_FALSE(parse_metric_line(line)) << line;
}

TEST(Metric, PagesHaveCommentsAndBadLines) {
  std::vector<std::string> names;
  std::vector<std::uint64_t> bad;
  parse_metrics_page(
      "# HELP up Whether.\n# TYPE up gauge\nup 1\n\nnonsense\nx_total{a=\"b\"} 7\n", [&](Metric&& metric) { names.push_back(metric.name); },
      [&](std::uint64_t line, std::string_view) { bad.push_back(line); });
  EXPECT_EQ(names, (std::vector<std::string>{"up", "x_total"}));
  EXPECT_EQ(bad, (std::vector<std::uint64_t>{5}));
}

TEST(Metric, AnswersOfQueries) {
  std::vector<Metric> found;
  const auto take = [&](const Metric& metric) { found.push_back(metric); };
  ASSERT_TRUE(
      parse_metrics_json(R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"x","instance":"oss1:9100"},
      "values":[[1435781430.781,"1"],[1435781445.781,"2"]]}]}})",
                         take));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].name, "x");
  EXPECT_EQ(*found[1].label("instance"), "oss1:9100");
  EXPECT_EQ(found[1].t, time_from_micros(1435781445781000));  // to the millisecond, although no double is exactly that
  EXPECT_EQ(found[1].value, "2");
  ASSERT_TRUE(parse_metrics_json(R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[5,"7"]}]}})", take));
  EXPECT_EQ(found.back().t, time_from_seconds(5));
  for (const char* bad : {"", "[]", "{}", R"({"status":"error","error":"parse error"})", R"({"status":"success","data":{}})",
                          R"({"status":"success","data":{"result":[{"metric":{},"values":[[1]]}]}})",
                          R"({"status":"success","data":{"result":[{"metric":{"a":1},"values":[]}]}})"})
    EXPECT_FALSE(parse_metrics_json(bad, take)) << bad;
}

// What is copied for each value must be small: 16 MiB of labels times 500,000 values are 8 TiB.
TEST(Metric, LabelsOfAnAnswerAreBounded) {
  const auto taken = [](const std::string& labels) {
    int values = 0;
    const bool good =
        parse_metrics_json(R"({"status":"success","data":{"result":[{"metric":{)" + labels + R"(},"values":[[1,"1"],[2,"2"]]}]}})",
                           [&](const Metric&) { ++values; })
            .has_value();
    EXPECT_EQ(values, good ? 2 : 0);
    return good;
  };
  const auto many = [](int count) {
    std::string labels;
    for (int i = 0; i < count; ++i) labels += (i == 0 ? "\"l" : ",\"l") + std::to_string(i) + "\":\"x\"";
    return labels;
  };
  EXPECT_TRUE(taken(many(128)));
  EXPECT_FALSE(taken(many(129)));
  EXPECT_TRUE(taken("\"path\":\"" + std::string(16000, 'x') + "\""));
  EXPECT_FALSE(taken("\"path\":\"" + std::string(17000, 'x') + "\""));
  EXPECT_FALSE(taken("\"" + std::string(17000, 'x') + "\":\"path\""));
  EXPECT_FALSE(taken("\"__name__\":\"" + std::string(17000, 'x') + "\""));
}

// Whole digits are exact above 2^53 too, where a double has gaps of 1,024; what is no counter is refused.
TEST(Metric, ValuesOfCounters) {
  EXPECT_EQ(counter_value("9007199254740993", 1), 9007199254740993u);
  EXPECT_EQ(counter_value("1.5e+03", 1), 1500u);
  EXPECT_EQ(counter_value("100", 512), 51200u);
  EXPECT_EQ(counter_value("2.5", 1000), 2500u);
  for (const char* bad : {"-1", "NaN", "+Inf", "1e30", "", "18446744073709551615"}) EXPECT_FALSE(counter_value(bad, 1)) << bad;
}

constexpr std::string_view map_text = R"(
[[counter]]
counter = "read_bytes"
metric = "node_disk_read_bytes_total"
match = { device = "sd*" }
server = "{instance}:{device}"
filesystem = "block"

[[counter]]
counter = "write_ops"
metric = "node_disk_writes_completed_total"
server = "{device}"
scale = 2
)";

TEST(MetricMap, NamesComeFromLabels) {
  const auto map = MetricMap::parse(map_text, "map.toml");
  ASSERT_TRUE(map) << map.error().message;
  ASSERT_EQ(map->rules().size(), 2u);
  const auto sda = parse_metric_line(R"(node_disk_read_bytes_total{device="sda"} 5)"),
             dm = parse_metric_line(R"(node_disk_read_bytes_total{device="dm-0"} 5)"),
             bare = parse_metric_line("node_disk_writes_completed_total 5");
  EXPECT_EQ(MetricMap::series(map->rules()[0], *sda, "oss1:9100"), (SeriesName{"oss1:9100:sda", "block", ""}));
  EXPECT_FALSE(MetricMap::series(map->rules()[0], *sda, ""));            // no instance
  EXPECT_FALSE(MetricMap::series(map->rules()[0], *dm, "oss1:9100"));    // does not match
  EXPECT_FALSE(MetricMap::series(map->rules()[1], *sda, "oss1:9100"));   // another metric
  EXPECT_FALSE(MetricMap::series(map->rules()[1], *bare, "oss1:9100"));  // no label device
}

TEST(MetricMap, MistakesAreNamedWithTheirLine) {
  for (const auto& [text, word] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "no [[counter]]"},
           {"[[counter]]\ncounter = \"bytes\"\nmetric = \"x\"\nserver = \"s\"", "read_bytes"},
           {"[[counter]]\ncounter = \"opens\"\nserver = \"s\"", "metric or a query"},
           {"[[counter]]\ncounter = \"opens\"\nmetric = \"x\"", "needs a server"},
           {"[[counter]]\ncounter = \"opens\"\nmetric = 5", "must be a text"},
           {"[[counter]]\nscale = -1", "above 0"},
           {"[[counter]]\nsurprise = 1", "surprise"},
           {"[[counter", "map.toml:1"}}) {
    const auto map = MetricMap::parse(text, "map.toml");
    ASSERT_FALSE(map) << text;
    EXPECT_NE(map.error().message.find(word), std::string::npos) << map.error().message;
  }
}

TEST(HttpAddress, IsTakenApart) {
  const auto address = parse_http_address("http://oss1:9100/metrics?x=1");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "oss1");
  EXPECT_EQ(address->port, "9100");
  EXPECT_EQ(address->target, "/metrics?x=1");
  EXPECT_EQ(parse_http_address("http://[::1]:9100")->host, "::1");
  EXPECT_EQ(parse_http_address("http://oss1")->port, "80");
  EXPECT_EQ(parse_http_address("http://oss1?a")->target, "/?a");
  for (const char* bad :
       {"oss1:9100", "https://oss1", "http://", "http://a:0", "http://a:b", "http://a b/", "http://u:p@a/", "http://a/\r\nX: y"})
    EXPECT_FALSE(parse_http_address(bad)) << bad;
  EXPECT_EQ(percent_encoded("a{b=\"c\"}[60s]"), "a%7Bb%3D%22c%22%7D%5B60s%5D");
}

}  // namespace
}  // namespace fathom
