// SPDX-License-Identifier: Apache-2.0
#include "ingest/node_list.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

using Nodes = std::vector<std::string>;

Nodes expanded(std::string_view list) {
  const auto nodes = expand_node_list(list);
  EXPECT_TRUE(nodes) << list;
  EXPECT_EQ(*count_nodes(list), nodes ? nodes->size() : 0) << list;
  return nodes ? *nodes : Nodes{};
}

TEST(NodeList, NamesRangesAndPadding) {
  EXPECT_EQ(expanded("cpn-f11-31"), (Nodes{"cpn-f11-31"}));
  EXPECT_EQ(expanded("cpn-f13-03-[01-02],cpn-f13-04-[01-02]"), (Nodes{"cpn-f13-03-01", "cpn-f13-03-02", "cpn-f13-04-01", "cpn-f13-04-02"}));
  EXPECT_EQ(expanded("d13n[03,05,07-08,16]"), (Nodes{"d13n03", "d13n05", "d13n07", "d13n08", "d13n16"}));
  EXPECT_EQ(expanded("n[8-11]"), (Nodes{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(expanded("n[008-010]s"), (Nodes{"n008s", "n009s", "n010s"}));
  EXPECT_EQ(expanded(" a, b "), (Nodes{"a", "b"}));
  EXPECT_EQ(expanded(""), Nodes{});
}

TEST(NodeList, SeveralBracketsInOneName) {
  EXPECT_EQ(expanded("r[0-1]n[1,3]-ib"), (Nodes{"r0n1-ib", "r0n3-ib", "r1n1-ib", "r1n3-ib"}));
  EXPECT_EQ(expanded("[1-2]"), (Nodes{"1", "2"}));
}

TEST(NodeList, MalformedListsAreErrorsThatShowTheItem) {
  for (const char* bad : {"n[", "n]", "n[]", "n[1-]", "n[-1]", "n[2-1]", "n[a-b]", "n[1,]", "n[[1]]", "a,,b", "n[1-2-3]", "x[1]]",
                          "n[18446744073709551615]", "n[0-18446744073709551616]"})
    EXPECT_FALSE(expand_node_list(bad)) << bad;
  const auto nodes = expand_node_list("ok,n[2-1]");
  EXPECT_NE(nodes.error().message.find("'n[2-1]'"), std::string::npos) << nodes.error().message;
}

TEST(NodeList, HostileSizesAreRefusedBeforeTheyAreWrittenOut) {
  EXPECT_FALSE(expand_node_list("n[0-99999999]"));
  EXPECT_FALSE(expand_node_list("n[0-9999]x[0-9999]x[0-9999]x[0-9999]x[0-9999]x[0-9999]"));
  EXPECT_FALSE(expand_node_list("n[0-18446744073709551614]"));
  EXPECT_FALSE(expand_node_list(std::string(300, 'n')));
  std::string brackets;
  for (int i = 0; i < 100000; ++i) brackets += "[1]";
  EXPECT_FALSE(expand_node_list(brackets));
  EXPECT_TRUE(expand_node_list("n[1-4]", 4));
  EXPECT_FALSE(expand_node_list("n[1-4],m", 4));
}

}  // namespace
}  // namespace fathom
