// SPDX-License-Identifier: Apache-2.0
#include "http/message.h"

#include <gtest/gtest.h>

#include "http/event_stream.h"

namespace fathom::http {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(HttpMessage, Queries) {
  EXPECT_EQ(parse_query("a=1&b=x+y%21&c"), (Pairs{{"a", "1"}, {"b", "x y!"}, {"c", ""}}));
  EXPECT_EQ(parse_query(""), Pairs{});
  EXPECT_EQ(parse_query("&&a=b=c&"), (Pairs{{"a", "b=c"}}));
  EXPECT_FALSE(parse_query("a=%"));
  EXPECT_FALSE(parse_query("a=%4"));
  EXPECT_FALSE(parse_query("a=%zz"));
  EXPECT_FALSE(parse_query("a=%00"));
  EXPECT_EQ(decode("a+b", false), "a+b");
  EXPECT_EQ(encode("a b/\xc3\xa9"), "a%20b%2F%C3%A9");
}

TEST(HttpMessage, PathAndQueryOfATarget) {
  Request request;
  request.target = "/a/b?c=1?2";
  EXPECT_EQ(request.path(), "/a/b");
  EXPECT_EQ(request.query(), "c=1?2");
  request.target = "/a";
  EXPECT_EQ(request.path(), "/a");
  EXPECT_EQ(request.query(), "");
}

// A reader that takes nothing must not fill memory: it is let go.
TEST(EventStream, SlowReadersAreLetGo) {
  EventStream stream;
  int woken = 0;
  stream.when_ready([&] { ++woken; });
  stream.send("store", "{}");
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(stream.take(), "event: store\ndata: {}\n\n");
  EXPECT_FALSE(stream.take());
  for (int i = 0; i < 2000; ++i) stream.send("x", std::string(1000, 'a'));
  EXPECT_TRUE(stream.gone());
  EXPECT_TRUE(stream.ended());
  EXPECT_FALSE(stream.take());
  stream.leave();
  stream.send("x", "y");
  EXPECT_FALSE(stream.take());
}

}  // namespace
}  // namespace fathom::http
