// SPDX-License-Identifier: Apache-2.0
#include "ingest/server_map.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace fathom {
namespace {

using Servers = std::vector<std::string>;

Servers servers_of(const ServerMap& map, std::string_view nodes, std::uint64_t expected_unmapped = 0) {
  std::uint64_t unmapped = 0;
  const Servers servers = map.servers_of(nodes, unmapped);
  EXPECT_EQ(unmapped, expected_unmapped) << nodes;
  return servers;
}

std::string error_of(std::string_view toml) {
  const auto map = ServerMap::parse(toml, "map.toml");
  EXPECT_FALSE(map) << toml;
  return map ? "" : map.error().message;
}

TEST(ServerMap, GroupsOfNodes) {
  const auto map = ServerMap::parse(
      "[[group]]\nnodes = \"r00n[000-511]\"\nservers = \"ion[000-003]\"\n"
      "[[group]]\nnodes = [\"r01n[000-511]\", \"login1\"]\nservers = [\"ion004\", \"ion005\"]\n"
      "[[group]]\nnodes = \"r00n511\"\nservers = \"extra\"\n",
      "map.toml");
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(servers_of(*map, "r00n[000-003]"), (Servers{"ion000", "ion001", "ion002", "ion003"}));
  EXPECT_EQ(servers_of(*map, "login1,r01n511"), (Servers{"ion004", "ion005"}));
  // r00n511 is in two groups, r02n000 in none.
  EXPECT_EQ(servers_of(*map, "r01n000,r00n[510-511],r02n000", 1),
            (Servers{"extra", "ion000", "ion001", "ion002", "ion003", "ion004", "ion005"}));
  EXPECT_EQ(servers_of(*map, "r00n[", 1), Servers{});
  EXPECT_EQ(servers_of(*map, ""), Servers{});
}

TEST(ServerMap, MistakesSayWhereTheyAre) {
  EXPECT_EQ(error_of("rule = \"jugene\"\n\n[[group]]\nnodes = \"a\"\nserver = \"b\"\n"),
            "reading the server map: unknown key 'server', did you mean 'servers'? (map.toml:5)");
  EXPECT_EQ(error_of("[[grop]]\n"), "reading the server map: unknown key 'grop', did you mean 'group'? (map.toml:1)");
  EXPECT_EQ(error_of("colour = 1\n"), "reading the server map: unknown key 'colour', known are rule, group (map.toml:1)");
  EXPECT_EQ(error_of("rule = \"juqueen\"\n"), "reading the server map: there is no built-in rule 'juqueen', only: jugene (map.toml:1)");
  EXPECT_EQ(error_of(""), "reading the server map: it has neither a rule nor a [[group]] (map.toml:1)");
  EXPECT_EQ(error_of("\n[[group]]\nnodes = \"a\"\n"), "reading the server map: a [[group]] without servers (map.toml:2)");
  EXPECT_NE(error_of("[[group]]\nservers = \"a\"\nnodes = \"n[3-1]\"\n").find("n[3-1]' is no node name"), std::string::npos);
  EXPECT_NE(error_of("[[group]]\nservers = 7\nnodes = \"n\"\n").find("(map.toml:2)"), std::string::npos);
  EXPECT_NE(error_of("[[group]]\nservers = \"a\nnodes = \"n\"\n").find("(map.toml:2)"), std::string::npos);
  EXPECT_EQ(error_of("[[group]]\nservers = []\nnodes = \"n\"\n"), "reading the server map: servers is empty (map.toml:2)");
  EXPECT_NE(error_of("[[[group]]]\n").find("(map.toml:1)"), std::string::npos);
  EXPECT_NE(error_of("r\xc3\xbcle = 1\n").find("saw '\xc3\xbc' (map.toml:1)"), std::string::npos);
  EXPECT_NE(error_of("[group]\nservers = \"a\"\nnodes = \"n\"\n").find("[[group]]"), std::string::npos);
  EXPECT_NE(error_of("[[group]]\nservers = \"a\"\nnodes = [\"n[0-1]\", \"m[0-1048575]\"]\n").find("more than"), std::string::npos);
}

TEST(ServerMap, ByNameOrFromAFile) {
  EXPECT_TRUE(ServerMap::named_or_file("jugene"));
  const auto absent = ServerMap::named_or_file("/nowhere/map.toml");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message, "reading the server map: No such file or directory (/nowhere/map.toml)");
  const auto folder = ServerMap::named_or_file("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "reading the server map: Is a directory (/)");
  const std::string path = testing::TempDir() + "server_map.toml";
  std::ofstream(path) << "rule = \"jugene\"\n";
  const auto map = ServerMap::named_or_file(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(map);
  EXPECT_EQ(servers_of(*map, "R00-M0").size(), 4u);
}

TEST(ServerMap, JobsKeepWhatIsFoundAndTheRestIsReported) {
  const ServerMap map = ServerMap::jugene();
  MapAccount account;
  Job mapped, partly, given, bare;
  mapped.node_list = "R00-M0";
  partly.id = "7";
  partly.node_list = "R00-M0-N00,R99,front1";
  given.servers = {"mine"};
  given.node_list = "R00";
  for (Job* job : {&mapped, &partly, &given, &bare}) map.place(*job, account);
  EXPECT_EQ(mapped.servers.size(), 4u);
  EXPECT_EQ(partly.servers, Servers{"ion-R00-M0-0"});
  EXPECT_EQ(given.servers, Servers{"mine"});
  EXPECT_EQ(account.notices(),
            (std::vector<std::string>{"1 of 3 jobs have nodes that the server map does not know (2 nodes in all; the first: job 7 on "
                                      "R00-M0-N00,R99,front1); they keep the servers that were found",
                                      "1 of 3 jobs have no node list: the server map cannot tell their servers"}));
}

TEST(JugeneRule, AllRacksHaveSixHundredIoNodes) {
  const Servers all = servers_of(ServerMap::jugene(), "R00-R87");
  EXPECT_EQ(all.size(), 600u);  // 71 racks x 2 midplanes x 4, and 2 x 16 in the last
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 600u);
  EXPECT_EQ(servers_of(ServerMap::jugene(), "R[00-07,10-17,20-27,30-37,40-47,50-57,60-67,70-77,80-87]-M[0-1]-N[00-15]"), all);
}

TEST(JugeneRule, RacksMidplanesAndNodeCards) {
  const ServerMap map = ServerMap::jugene();
  EXPECT_EQ(servers_of(map, "R13"), (Servers{"ion-R13-M0-0", "ion-R13-M0-1", "ion-R13-M0-2", "ion-R13-M0-3", "ion-R13-M1-0", "ion-R13-M1-1",
                                             "ion-R13-M1-2", "ion-R13-M1-3"}));
  EXPECT_EQ(servers_of(map, "R00-M1"), (Servers{"ion-R00-M1-0", "ion-R00-M1-1", "ion-R00-M1-2", "ion-R00-M1-3"}));
  EXPECT_EQ(servers_of(map, "R00-M0-N05"), Servers{"ion-R00-M0-1"});  // cards 4 to 7 share the second
  EXPECT_EQ(servers_of(map, "R00-M0-N15-J04"), Servers{"ion-R00-M0-3"});
  EXPECT_EQ(servers_of(map, "R87-M1-N05"), Servers{"ion-R87-M1-05"});
  EXPECT_EQ(servers_of(map, "R87-M0").size(), 16u);
  EXPECT_EQ(servers_of(map, "R06-R11").size(), 4u * 8u);  // R06, R07, R10, R11
  EXPECT_EQ(servers_of(map, "R[00-03]-M[0-1]").size(), 4u * 8u);
  for (const char* unknown : {"R08", "R90", "R0", "R00-M2", "R00-M0-N16", "R00-M0-", "R03-R00", "R00-R08", "R00-M0-N05-J1", "r00", "R00x"})
    EXPECT_EQ(servers_of(map, unknown, 1), Servers{}) << unknown;
}

}  // namespace
}  // namespace fathom
