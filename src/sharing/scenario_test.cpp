// SPDX-License-Identifier: Apache-2.0
#include "sharing/scenario.h"

#include <gtest/gtest.h>

#include "sharing/what_if.h"

namespace fathom::sharing {
namespace {

const std::string two = R"(bandwidth = 100
[[application]]
name = "a"
processes = 1
volume = 1000
[[application]]
name = "b.c"
processes = 3
nodes = 1
volume = 600
start = 4
observed = 10
)";

Scenario read(std::string_view text) {
  const auto scenario = Scenario::parse(text, "m.toml");
  EXPECT_TRUE(scenario) << scenario.error().message;
  return scenario ? *scenario : Scenario{};
}

std::string error_of(std::string_view text) {
  const auto scenario = Scenario::parse(text, "m.toml");
  if (!scenario) return scenario.error().message;
  const auto prediction = predict(*scenario);
  EXPECT_FALSE(prediction) << text;
  return prediction ? "" : prediction.error().message;
}

/// One application with these lines added to the file's head and to the application.
std::string error_with(std::string_view head, std::string_view body) {
  return error_of(std::string(head) + "\n[[application]]\nname = \"a\"\n" + std::string(body) + "\n");
}

TEST(Scenario, Bandwidth) {
  const Scenario scenario = read(two);
  const auto found = predict(scenario);
  ASSERT_TRUE(found);
  // As in Course.OneComesLater: 16 s and 8 s.
  EXPECT_DOUBLE_EQ(found->concurrent(0), 16);
  EXPECT_DOUBLE_EQ(found->concurrent(1), 8);
  EXPECT_DOUBLE_EQ(found->standalone[1], 6);
  EXPECT_DOUBLE_EQ(found->slowdown(0), 1.6);
  EXPECT_DOUBLE_EQ(rate(scenario, scenario.applications[1], found->course.segments[1]).value_or(0), 75);
  EXPECT_DOUBLE_EQ(relative_error(8, 10), -0.2);
}

TEST(Scenario, BandwidthOfEachApplication) {
  // a alone: 10 s at 200 a second; b alone: 10 s at 50 a second. Shares 1/4 and 3/4: b ends at 10 * 4/3, a at 20 (Eqs. 1 and 2).
  const Scenario scenario = read(
      "per_application = true\n[[application]]\nname='a'\nprocesses=1\nvolume=2000\nstandalone=10\n"
      "[[application]]\nname='b'\nprocesses=3\nvolume=500\nstandalone=10\n[[application]]\nname='c'\nprocesses=1\nstart=100\nstandalone="
      "1\n");
  const auto found = predict(scenario);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->concurrent(0), 20);
  EXPECT_DOUBLE_EQ(found->concurrent(1), 40.0 / 3);
  EXPECT_DOUBLE_EQ(found->standalone[0], 10);
  EXPECT_DOUBLE_EQ(rate(scenario, scenario.applications[0], found->course.segments[0]).value_or(0), 200.0 / 4);
  EXPECT_DOUBLE_EQ(rate(scenario, scenario.applications[1], found->course.segments[0]).value_or(0), 50 * 0.75);
  EXPECT_FALSE(rate(scenario, scenario.applications[2], found->course.segments[2]));  // no volume, no bytes
}

TEST(Scenario, SharesOfNodesAndCapacityOfWriters) {
  const Scenario scenario = read(
      "bandwidth = [[1, 100.0], [13, 200]]\nshare = 'node'\n"
      "[[application]]\nname='a'\nprocesses=1\nnodes=1\nvolume=1000\n[[application]]\nname='b'\nprocesses=12\nnodes=1\nvolume=1000\n");
  const auto found = predict(scenario);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->concurrent(0), 10);  // 13 writers: 200, half for each node
  EXPECT_DOUBLE_EQ(found->concurrent(1), 10);
  EXPECT_DOUBLE_EQ(found->standalone[0], 10);
  EXPECT_DOUBLE_EQ(found->standalone[1], 1000 / (100 + 100 * 11.0 / 12));
}

TEST(Scenario, BackFromWhatWasObserved) {
  Scenario scenario = read(two);
  const auto forth = predict(scenario);
  ASSERT_TRUE(forth);
  EXPECT_EQ(standalone_from_observed(scenario).error().message,
            "reading the competing applications: application 'a' has no observed: the seconds it took beside the others (m.toml:2)");
  for (std::size_t i = 0; i < 2; ++i) scenario.applications[i].observed = forth->concurrent(i);
  const auto back = standalone_from_observed(scenario);
  ASSERT_TRUE(back);
  EXPECT_DOUBLE_EQ((*back)[0], 10);
  EXPECT_DOUBLE_EQ((*back)[1], 6);
}

TEST(Scenario, MistakesSayWhereTheyAre) {
  const std::string prefix = "reading the competing applications: ";
  const std::string ok = "bandwidth = 1e8", body = "processes = 1\nvolume = 1";
  EXPECT_EQ(error_of(""), prefix +
                              "it has neither bandwidth (bytes per second) nor per_application = true (with standalone = seconds for each "
                              "application) (m.toml:1)");
  EXPECT_EQ(error_of(ok), prefix + "it has no [[application]] (m.toml:1)");
  EXPECT_EQ(error_of(ok + "\napplication = []"), prefix + "application must be written [[application]] (m.toml:2)");
  EXPECT_EQ(error_of(ok + "\n[application]\nname='a'\n"), prefix + "application must be written [[application]] (m.toml:2)");
  EXPECT_EQ(error_with("bandwith = 1", body), prefix + "unknown key 'bandwith', did you mean 'bandwidth'? (m.toml:1)");
  EXPECT_EQ(error_with(ok, "proceses = 1"), prefix + "unknown key 'proceses', did you mean 'processes'? (m.toml:4)");
  EXPECT_EQ(error_with(ok, "colour_of_rack = 1"),
            prefix + "unknown key 'colour_of_rack', known are name, processes, nodes, volume, start, standalone, observed (m.toml:4)");
  EXPECT_EQ(error_with(ok, "volume = 1"), prefix + "application 'a' has no processes (m.toml:2)");
  EXPECT_EQ(error_with(ok, "processes = 1"), prefix + "application 'a' has no volume: the bytes it moves (m.toml:2)");
  EXPECT_EQ(error_with("per_application = true", body),
            prefix + "application 'a' has no standalone: the seconds it takes alone (m.toml:2)");
  EXPECT_EQ(error_with(ok + "\nshare = 'node'", body), prefix + "application 'a' has no nodes, and share is \"node\" (m.toml:3)");
  EXPECT_EQ(error_with(ok + "\nshare = 'nodes'", body), prefix + "share is \"process\" or \"node\", not 'nodes' (m.toml:2)");
  EXPECT_EQ(error_with(ok + "\nper_application = true", body),
            prefix + "bandwidth and per_application = true exclude each other (m.toml:1)");
  EXPECT_EQ(error_with("per_application = 1", body), prefix + "per_application is true or false (m.toml:1)");
  EXPECT_EQ(error_with(ok, body + "\n[[application]]\nname = \"a\"\nprocesses = 2"),
            prefix + "the name 'a' is that of the application in line 2 already (m.toml:7)");
  EXPECT_EQ(error_of(ok + "\n[[application]]\nprocesses = 1\n"), prefix + "an [[application]] without a name (m.toml:2)");
  EXPECT_EQ(error_of(ok + "\n[[application]]\nname = ' '\n"), prefix + "name must be a text that is not empty (m.toml:3)");
  EXPECT_NE(error_with(ok, "processes = 1\nprocesses = 2").find("(m.toml:5)"), std::string::npos);  // toml++ says the rest
  EXPECT_NE(error_of("bandwidth = \n").find("(m.toml:1)"), std::string::npos);
}

TEST(Scenario, FilesThatAreNone) {
  EXPECT_EQ(Scenario::load("/nowhere/m.toml").error().message,
            "reading the competing applications: No such file or directory (/nowhere/m.toml)");
  EXPECT_EQ(Scenario::load("/").error().message, "reading the competing applications: Is a directory (/)");
  EXPECT_EQ(Scenario::load("/dev/zero").error().message, "reading the competing applications: it is larger than 256 MiB (/dev/zero)");
}

TEST(Scenario, NumbersThatMakeNoSense) {
  for (const char* number : {"0", "-1", "-0.0", "nan", "-nan", "inf", "1e300", "1e-300"})
    for (const char* key : {"volume", "standalone", "observed"}) {
      const std::string message = error_with("bandwidth = 1e8", "processes = 1\n" + std::string(key) + " = " + number);
      EXPECT_NE(message.find(std::string(key) + " must be above 0 and at most 1e24, not "), std::string::npos) << message;
      EXPECT_NE(message.find("(m.toml:5)"), std::string::npos) << message;
    }
  for (const char* number :
       {"0", "-1", "nan", "inf", "[]", "[1]", "[[1]]", "[[0, 1.0]]", "[[1, 0]]", "[[2, 1], [1, 1]]", "[[1, 1], [1, 2]]", "'fast'", "true"})
    EXPECT_NE(error_with("bandwidth = " + std::string(number), "processes = 1\nvolume = 1").find("(m.toml:1)"), std::string::npos)
        << number;
  for (const char* number : {"0", "-3", "1.5", "1.0", "nan", "'1'", "1000000001", "true"})
    for (const char* key : {"processes", "nodes"}) {
      const std::string others = std::string(key) == "nodes" ? "processes = 1\n" : "nodes = 1\n";
      EXPECT_NE(error_with("bandwidth = 1", others + key + " = " + number).find(std::string(key) + " must be "), std::string::npos)
          << number;
    }
  for (const char* number : {"nan", "inf", "2e12", "'now'", "2011-05-03"})
    EXPECT_NE(error_with("bandwidth = 1", "processes = 1\nstart = " + std::string(number)).find("start must be "), std::string::npos)
        << number;
}

TEST(WhatIf, StartProcessesNodesVolume) {
  Scenario scenario = read(two);
  Application& b = scenario.applications[1];
  const auto change = [&](std::string_view text) {
    const auto done = apply_what_if(scenario, text);
    EXPECT_TRUE(done) << done.error().message;
  };
  change("b.c.start=+300");
  EXPECT_EQ(b.start, 304);
  change("b.c.start=-4.5");
  EXPECT_EQ(b.start, 299.5);
  change("b.c.start=20");
  EXPECT_EQ(b.start, 20);
  change("b.c.processes=7");
  EXPECT_EQ(b.processes, 7u);
  change("b.c.nodes=2");
  EXPECT_EQ(b.nodes, 2u);
  change("b.c.volume=1.5e3");
  EXPECT_EQ(b.volume, 1500);
  change("b.c.volume=2Ki");
  EXPECT_EQ(b.volume, 2048);
  change("a.absent");
  ASSERT_EQ(scenario.applications.size(), 1u);
  EXPECT_EQ(scenario.applications[0].name, "b.c");
  change("b.c.absent=true");
  EXPECT_TRUE(scenario.applications.empty());
  EXPECT_TRUE(predict(scenario));
}

TEST(WhatIf, MoreBytesTakeLongerAlone) {
  Scenario scenario = read(
      "per_application = true\n[[application]]\nname='a'\nprocesses=1\nvolume=2000\nstandalone=10\n"
      "[[application]]\nname='b'\nprocesses=1\nstandalone=10\n");
  ASSERT_TRUE(apply_what_if(scenario, "a.volume=3000"));
  EXPECT_EQ(scenario.applications[0].standalone, 15);  // 200 a second as before
  EXPECT_FALSE(apply_what_if(scenario, "b.volume=3000"));
}

TEST(WhatIf, Mistakes) {
  Scenario scenario = read(two);
  const auto message = [&](std::string_view text) {
    const auto done = apply_what_if(scenario, text);
    EXPECT_FALSE(done) << text;
    EXPECT_EQ(done ? ErrorKind::usage : done.error().kind, ErrorKind::usage);
    return done ? "" : done.error().message;
  };
  EXPECT_EQ(message("b.d.start=1"), "reading --what-if b.d.start=1: there is no application 'b.d', did you mean 'b.c'?");
  EXPECT_EQ(message("a.stat=1"),
            "reading --what-if a.stat=1: what can change is start, processes, nodes, volume, absent, not 'stat': did you mean 'start'?");
  EXPECT_EQ(message("a.processes=0"), "reading --what-if a.processes=0: processes must be a whole number from 1 to 1000000000");
  for (const char* text : {"",
                           "a",
                           "=",
                           ".",
                           "a=",
                           "a.=1",
                           "start=1",
                           "a.start",
                           "a.start=",
                           "a.start=+",
                           "a.start=+-3",
                           "a.start=nan",
                           "a.start=1e13",
                           "a.start=+1e12x",
                           "a.processes=-1",
                           "a.processes=1.5",
                           "a.nodes=",
                           "a.volume=0",
                           "a.volume=-1",
                           "a.volume=nan",
                           "a.volume=inf",
                           "a.absent=no",
                           ".absent",
                           "x.absent"})
    message(text);
  EXPECT_EQ(scenario.applications[0].start, 0);
  EXPECT_EQ(scenario.applications[0].volume, 1000);
}

}  // namespace
}  // namespace fathom::sharing
