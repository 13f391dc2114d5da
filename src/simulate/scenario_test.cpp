// SPDX-License-Identifier: Apache-2.0
#include "simulate/scenario.h"

#include <gtest/gtest.h>

#include "simulate/component.h"
#include "simulate/engine.h"
#include "simulate/preset.h"
#include "simulate/quantity.h"

namespace fathom::simulate {
namespace {

Scenario parsed(std::string_view text) {
  auto scenario = Scenario::parse(text, "s.toml");
  EXPECT_TRUE(scenario) << scenario.error().message;
  return scenario ? *scenario : Scenario{};
}

/// What is wrong with it.
std::string problem(std::string_view text) {
  const auto scenario = Scenario::parse(text, "s.toml");
  return scenario ? "" : scenario.error().message;
}

#define EXPECT_PROBLEM(text, words) EXPECT_NE(problem(text).find(words), std::string::npos) << problem(text)

TEST(Quantity, AsPeopleWriteIt) {
  EXPECT_EQ(parse_quantity("4 MiB", Dimension::bytes), 4u << 20);
  EXPECT_EQ(parse_quantity(" 1.5KiB ", Dimension::bytes), 1536u);
  EXPECT_EQ(parse_quantity("10 Gbit/s", Dimension::bytes_per_second), 1'250'000'000u);
  EXPECT_EQ(parse_quantity("2.3 Gbit/s", Dimension::bytes_per_second), 287'500'000u);
  EXPECT_EQ(parse_quantity("66 GiB/s", Dimension::bytes_per_second), 70'866'960'384u);
  EXPECT_EQ(parse_quantity("2 min", Dimension::time), 120'000'000'000'000u);
  for (const char* text : {"", "4", "MiB", "-4 MiB", "4 MiB/s", "1e3 MiB", "1.2.3 MiB", ". MiB", "1. MiB", "0.3 B",
                           "99999999999999999999 B", "20000000 TiB", "4 mib"})
    EXPECT_EQ(parse_quantity(text, Dimension::bytes), std::nullopt) << text;
  EXPECT_EQ(parse_quantity("0.001 kbit/s", Dimension::bytes_per_second), std::nullopt);  // an eighth of a byte
}

TEST(Quantity, ReadsBackWhatItWrites) {
  for (const std::uint64_t value : {1ull, 1000ull, 4ull << 20, 850ull << 20, 1'250'000'000ull, 66ull << 30}) {
    std::string text = "[disk_link]\nbandwidth = " + quantity_text(value, Unit::bytes_per_second);
    EXPECT_EQ(parsed(text).architecture.disk_bandwidth, value) << text;
  }
}

TEST(Presets, AreScenariosAndHaveTheirArchitecture) {
  const Scenario jugene = parsed(find_preset("jugene")->text());
  EXPECT_EQ(jugene.architecture, Architecture{});
  EXPECT_EQ(jugene.compute_nodes().size(), 600u);
  EXPECT_FALSE(jugene.original);
  const Scenario buffered = parsed(find_preset("jugene-burst-buffer")->text());
  EXPECT_EQ(buffered.architecture.burst_buffer, 64 * GiB);
  EXPECT_EQ(buffered.architecture.external_bandwidth, 125'000'000u);
  EXPECT_EQ(buffered.original, Architecture{});
  EXPECT_EQ(find_preset("nothing"), nullptr);
}

TEST(Presets, TheTemplateHasEveryParameterAndItsDefaults) {
  const std::string text = find_preset("template")->text();
  const Scenario scenario = parsed(text);
  EXPECT_EQ(scenario.architecture, Architecture{});
  for (const Component* component : all_components()) {
    EXPECT_NE(text.find(component->name), std::string::npos) << component->name;
    for (const Parameter& parameter : component->parameters)
      EXPECT_NE(text.find("\n" + std::string(parameter.name) + " = "), std::string::npos) << parameter.name;
  }
  EXPECT_EQ(scenario.increments.size(), 12u);  // 4 I/O nodes x 3 intervals
  const auto work = described_work(scenario);
  ASSERT_TRUE(work);
  const auto outcome = run(scenario.architecture, *work);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->requests, 12u * 4096u);
}

TEST(ScenarioFile, TheTreeInAWord) {
  const Scenario in_a_word = parsed("tree = \"binary\"");
  EXPECT_EQ(in_a_word.architecture, parsed("[tree]\nshape = \"binary\"").architecture);
  EXPECT_NE(in_a_word.architecture, Architecture{});
  EXPECT_EQ(parsed("tree = \"root\"").architecture, Architecture{});
  EXPECT_PROBLEM("original = \"jugene\"\ntree = \"ring\"", "tree must be \"root\" or \"binary\" (s.toml:2)");
  EXPECT_PROBLEM("ciod = \"4 MiB\"", "ciod must be a table, written [ciod]");
}

TEST(ScenarioFile, WithoutJobsOneHasAll) {
  const auto work = described_work(parsed("[[increment]]\nwrite_bytes = 1\n[[increment]]\nstart = 0.5\nlength = 10\nread_bytes = 1"));
  ASSERT_TRUE(work);
  ASSERT_EQ(work->jobs.size(), 1u);
  EXPECT_EQ(work->jobs[0].end, 120 * picoseconds_per_second);
  EXPECT_EQ(work->nodes[0].compute_nodes, 128u);
  ASSERT_EQ(work->nodes[0].steps.size(), 4u);
  EXPECT_EQ(work->nodes[0].steps[2].at, picoseconds_per_second / 2);
}

TEST(ScenarioFile, Cost) {
  const Prices none = parsed("").prices;
  EXPECT_FALSE(none.external_bandwidth || none.burst_buffer || none.endurance_bytes || none.drive_writes_per_day || none.warranty_years);
  EXPECT_FALSE(parsed(find_preset("template")->text()).prices.external_bandwidth) << "there are no usual prices";
  const Prices given =
      parsed("[cost]\ncurrency = \"EUR\"\nexternal_bandwidth = 12.5\nburst_buffer = 0\nendurance_bytes = \"600 TB\"").prices;
  EXPECT_EQ(given.currency, "EUR");
  EXPECT_EQ(given.external_bandwidth, 12.5);
  EXPECT_EQ(given.burst_buffer, 0);
  EXPECT_EQ(given.endurance_bytes, 6e14);
  const Prices data_sheet = parsed("[cost]\ndrive_writes_per_day = 3\nwarranty_years = 5").prices;
  EXPECT_EQ(data_sheet.drive_writes_per_day, 3);
  EXPECT_EQ(data_sheet.warranty_years, 5);
}

TEST(ScenarioFile, WhatIsWrongWithCosts) {
  EXPECT_PROBLEM("[cost]\nburst_buffer = -1", "burst_buffer of [cost] must be a number that is 0 or more (s.toml:2)");
  EXPECT_PROBLEM("[cost]\nexternal_bandwidth = nan", "external_bandwidth of [cost] must be a number");
  EXPECT_PROBLEM("[cost]\nexternal_bandwidth = \"12 EUR\"", "external_bandwidth of [cost] must be a number");
  EXPECT_PROBLEM("[cost]\nburst_bufer = 1", "unknown key 'burst_bufer', did you mean 'burst_buffer'? (s.toml:2)");
  EXPECT_PROBLEM("[cost]\nendurance_bytes = 0", "endurance_bytes of [cost] must be from 1 to");
  EXPECT_PROBLEM("[cost]\ncurrency = 5", "currency of [cost] must be a text");
  EXPECT_PROBLEM("[cost]\nwarranty_years = 5", "needs both drive_writes_per_day and warranty_years, or none (s.toml:1)");
  EXPECT_PROBLEM("[cost]\nendurance_bytes = 5\nwarranty_years = 5\ndrive_writes_per_day = 1", "says twice how much can be written");
}

TEST(ScenarioFile, WhatIsWrongAndWhere) {
  EXPECT_PROBLEM("[tree]\nbandwith = 3", "unknown key 'bandwith', did you mean 'bandwidth'? (s.toml:2)");
  EXPECT_PROBLEM("[external_lnk]\n", "unknown key 'external_lnk', did you mean 'external_link'? (s.toml:1)");
  EXPECT_PROBLEM("[disks]\ndelay = 1", "unknown key 'delay', there are no keys here (s.toml:2)");
  EXPECT_PROBLEM("[tree\n", "s.toml:1");
  EXPECT_PROBLEM("\n[external_link]\nbandwidth = -5", "bandwidth of [external_link] must be from 1 to");
  EXPECT_PROBLEM("[external_link]\nbandwidth = 0", "not 0 (s.toml:2)");
  EXPECT_PROBLEM("[external_link]\nbandwidth = 1e9", "must be bytes per second, or a text like");
  EXPECT_PROBLEM("[external_link]\nbandwidth = \"10 Gbit\"", "not '10 Gbit' (s.toml:2)");
  EXPECT_PROBLEM("[ciod]\nbuffer = 0", "buffer of [ciod] must be from 1 to");
  EXPECT_PROBLEM("[burst_buffer]\nsize = \"1 MiB\"", "at least the CIOD buffer (4194304 bytes), not 1048576");
  EXPECT_PROBLEM("[tree]\nroot_links = 3", "root_links of [tree] must be from 1 to 2, not 3");
  EXPECT_PROBLEM("[tree]\nshape = \"ring\"", "shape of [tree] must be \"root\" or \"binary\"");
  EXPECT_PROBLEM("tree = 2", "tree must be a table, written [tree]");
  EXPECT_PROBLEM("[[io_nodes]]\ncompute_nodes = 0", "compute_nodes must be from 1 to 65536, not 0");
  EXPECT_PROBLEM("[[io_nodes]]\ncount = 100000\n[[io_nodes]]\n", "no more than 100000 I/O nodes (s.toml:3)");
  EXPECT_PROBLEM("[io_nodes]\ncount = 1", "io_nodes must be written [[io_nodes]]");
  EXPECT_PROBLEM("[[increment]]\nnodes = 1", "nodes must be from 0 to 0, not 1");
  EXPECT_PROBLEM("[[io_nodes]]\ncount = 9\n[[increment]]\nnodes = [5, 2]", "nodes must be from 5 to 8, not 2");
  EXPECT_PROBLEM("[[increment]]\nstart = -1", "start must be seconds");
  EXPECT_PROBLEM("[[increment]]\nstart = nan", "start must be seconds");
  EXPECT_PROBLEM("[[increment]]\nstart = \"60 d\"", "from 0 to 53 days");
  EXPECT_PROBLEM("[[increment]]\nrepeat = 1000000\n", "the last interval ends more than 53 days after the start");
  EXPECT_PROBLEM("[ciod]\nbuffer = 1\n[[increment]]\nread_bytes = 9223372036854775807", "this increment has more than");
  EXPECT_PROBLEM("[[job]]\nend = 3", "a [[job]] needs an id");
  EXPECT_PROBLEM("[[job]]\nid = \"a\"\nstart = 4\nend = 3", "job 'a' ends before it starts (s.toml:4)");
  EXPECT_PROBLEM("[[job]]\nid = \"a\"\nend = 3\n[[job]]\nid = \"a\"\nend = 3", "there are two jobs 'a' (s.toml:5)");
  EXPECT_PROBLEM("original = \"jugen\"", "original is neither a preset nor a file: 'jugen'");
  EXPECT_PROBLEM("[generator]\nmissing_operations = \"guess\"", "must be \"error\" or \"fill_buffers\"");
  const auto nothing = described_work(parsed(""));
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find("nothing to simulate"), std::string::npos);
}

}  // namespace
}  // namespace fathom::simulate
