// SPDX-License-Identifier: Apache-2.0
#include "simulate/what_if.h"

#include <gtest/gtest.h>

#include <random>

#include "simulate/preset.h"
#include "simulate/scenario.h"
#include "simulate/sweep.h"

namespace fathom::simulate {
namespace {

using Json = nlohmann::ordered_json;

std::string why(std::string_view json) {
  const auto asked = parse_what_if(json);
  return asked ? "" : asked.error().message;
}

Scenario scenario_of(std::string_view json) {
  const auto asked = parse_what_if(json);
  EXPECT_TRUE(asked);
  const auto text = scenario_text(*asked);
  EXPECT_TRUE(text) << text.error().message;
  const auto scenario = Scenario::parse(*text, "");
  EXPECT_TRUE(scenario) << scenario.error().message;
  return *scenario;
}

TEST(WhatIf, AskedAndWrittenAreTheSame) {
  const std::string text =
      R"({"title":"a","scenario":"jugene","changes":{"ciod.buffer":"8 MiB"},"sweep":[{"key":"burst_buffer","values":["0","1GiB"]}],"store":"s","from":10.5,"to":null})";
  const auto asked = parse_what_if(text);
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(as_json(*asked).dump(), text);
  EXPECT_EQ(sweep_words(*asked), std::vector<std::string>{"burst_buffer=0,1GiB"});
}

TEST(WhatIf, WhatIsNotDeclaredIsRefused) {
  EXPECT_NE(why("{").find("no JSON"), std::string::npos);
  EXPECT_NE(why("[]").find("an object"), std::string::npos);
  EXPECT_NE(why("{}").find("scenario is missing"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","sweeps":[]})").find("no field 'sweeps'"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":7})").find("must be a text"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","changes":[]})").find("an object of texts"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","changes":{"a":1}})").find("must be a text"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","sweep":[{"key":"a"}]})").find("key and values"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","sweep":[{"key":"a","values":[]}]})").find("1 to 1,000"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","sweep":[{"key":"a","values":["1,2"]}]})").find("no single value"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","from":1})").find("go with a store"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","store":"s","from":"x"})").find("Unix time"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","store":"s","from":2,"to":1})").find("before"), std::string::npos);
  EXPECT_NE(why(R"({"scenario":"jugene","title":")" + std::string(300, 'x') + "\"}").find("200 is the limit"), std::string::npos);
  EXPECT_NE(why("{\"scenario\":\"jugene\",\"title\":\"a\\u0007\"}").find("control characters"), std::string::npos);
}

TEST(WhatIf, APresetIsComparedWithItsOwnOriginalOrWithItself) {
  for (const Preset* preset : all_presets()) {
    const auto plain = Scenario::parse(preset->text(), "");
    ASSERT_TRUE(plain);
    const Scenario found = scenario_of(Json{{"scenario", preset->name}}.dump());
    EXPECT_EQ(found.architecture, plain->architecture) << preset->name;
    EXPECT_EQ(*found.original, plain->original.value_or(plain->architecture)) << preset->name;
    EXPECT_EQ(found.compute_nodes(), plain->compute_nodes()) << preset->name;
    EXPECT_EQ(found.increments.size(), plain->increments.size()) << preset->name;
    EXPECT_EQ(found.jobs.size(), plain->jobs.size()) << preset->name;
  }
}

TEST(WhatIf, ChangesAreMade) {
  const Scenario found = scenario_of(
      R"({"scenario":"jugene","changes":{"external_link.bandwidth":"1 Gbit/s","burst_buffer":"64GiB","burst_buffer.drain":"idle","io_nodes.count":"7","io_nodes.compute_nodes":"3",
          "cost.currency":"E\"U","cost.burst_buffer":"0.25","cost.external_bandwidth":"12","cost.endurance_bytes":"600 TB","generator.missing_operations":"fill_buffers"}})");
  EXPECT_EQ(found.architecture.external_bandwidth, 1 * Gbit);
  EXPECT_EQ(found.architecture.burst_buffer, 64 * GiB);
  EXPECT_EQ(found.architecture.drain, static_cast<std::uint64_t>(Drain::idle));
  EXPECT_EQ(found.original->external_bandwidth, 10 * Gbit);
  EXPECT_EQ(found.compute_nodes(), std::vector<std::uint32_t>(7, 3));
  EXPECT_EQ(found.prices.currency, "E\"U");
  EXPECT_EQ(found.prices.burst_buffer, 0.25);
  EXPECT_EQ(found.prices.external_bandwidth, 12);
  EXPECT_EQ(found.prices.endurance_bytes, 600e12);
  EXPECT_TRUE(found.missing_operations_fill_buffers);
}

TEST(WhatIf, ChangesThatMakeNoSenseAreRefused) {
  for (const std::string_view change :
       {R"("external_link.bandwith":"1 Gbit/s")", R"("external_link.bandwidth":"fast")", R"("burst_buffer":"1")", R"("io_nodes.count":"0")",
        R"("io_nodes.count":"9999999")", R"("io_nodes.colour":"1")", R"("cost.burst_buffer":"dear")", R"("cost.warranty_years":"5")",
        R"("cost.colour":"1")", R"("generator.missing_operations":"guess")", R"("ciod.buffer":"-4 MiB")",
        R"("targets":"999999999999999999999")"}) {
    const auto asked = parse_what_if(R"({"scenario":"jugene","changes":{)" + std::string(change) + "}}");
    ASSERT_TRUE(asked) << change;
    const auto text = scenario_text(*asked);
    ASSERT_FALSE(text) << change;
    EXPECT_EQ(text.error().kind, ErrorKind::usage) << change;
  }
  EXPECT_FALSE(scenario_text(*parse_what_if(R"({"scenario":"jugenee"})")));
}

/// Words of requests and others, put together without sense.
Json anything(std::mt19937& random, int depth) {
  static const std::vector<std::string> words{"title", "scenario", "changes", "sweep",       "store",        "from",  "to",
                                              "key",   "values",   "jugene",  "template",    "burst_buffer", "1 GiB", "",
                                              ",",     "=",        "\x01",    "ciod.buffer", "cost.currency"};
  const auto word = [&] { return words[random() % words.size()]; };
  switch (random() % (depth > 3 ? 5 : 8)) {
    case 0: return word();
    case 1: return static_cast<double>(random()) / 7;
    case 2: return nullptr;
    case 3: return random() % 2 == 0;
    case 4: return -1;
    case 5: {
      Json list = Json::array();
      for (auto i = random() % 4; i > 0; --i) list.push_back(anything(random, depth + 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (auto i = random() % 6; i > 0; --i) object[word()] = anything(random, depth + 1);
      return object;
    }
  }
}

TEST(WhatIf, AnyJsonIsARequestOrARefusal) {
  std::mt19937 random(4711);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    Json json = anything(random, 0);
    if (json.is_object() && i % 2 == 0) json["scenario"] = "jugene";
    std::string text = json.dump();
    if (i % 7 == 0 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
    const auto asked = parse_what_if(text);
    if (!asked) {
      EXPECT_EQ(asked.error().kind, ErrorKind::usage);
      EXPECT_FALSE(asked.error().message.empty());
      continue;
    }
    ++taken;
    const auto again = parse_what_if(as_json(*asked).dump());
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(as_json(*again), as_json(*asked));
    if (i % 16 == 0) (void)scenario_text(*asked);
  }
  EXPECT_GT(taken, 50);
}

}  // namespace
}  // namespace fathom::simulate
