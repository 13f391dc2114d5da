// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/talk.h"
#include "base/time.h"

namespace fathom {
namespace {

TEST(Text, NamesBecomeValidUtf8) {
  EXPECT_EQ(as_utf8("a\xc3\xa0"
                    "b"),
            "a\xc3\xa0"
            "b");
  EXPECT_EQ(as_utf8("a\xe0"
                    "b"),
            "a\xef\xbf\xbd"
            "b");                                                              // Latin-1
  EXPECT_EQ(as_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");                  // not the shortest form
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // half of a surrogate pair
  EXPECT_EQ(as_utf8("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(as_utf8("\xf0\x9f\x98"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // cut short
  EXPECT_EQ(as_utf8("a\x1b[0m"), "a\xef\xbf\xbd[0m");
  EXPECT_EQ(as_utf8("a\xc2\x9b"
                    "0m\xc2\xa0"),
            "a\xef\xbf\xbd"
            "0m\xc2\xa0");  // U+009B is ESC [ to some terminals; U+00A0 is a blank
}

TEST(Text, SuggestsTheClosestWord) {
  const std::vector<std::string_view> choices{"nodes", "servers", "rule"};
  EXPECT_EQ(closest_word("server", choices), "servers");
  EXPECT_EQ(closest_word("ndoes", choices), "nodes");
  EXPECT_EQ(closest_word("colour", choices), "");
}

// A name of a file may switch colours, move the cursor or name a window; what is shown of it may not.
TEST(Text, ExcerptsBringNoControlCharacters) {
  EXPECT_EQ(excerpt("a\x1b[31mb\x07\n\x7f"), "a?[31mb???");
  EXPECT_EQ(excerpt("\xc2\x9b"
                    "31m"),
            "?31m");
  EXPECT_EQ(excerpt("caf\xc3\xa9 \xff"), "caf\xc3\xa9 ?");
  EXPECT_EQ(excerpt("caf\xc3\xa9!", 4), "caf...");  // never half a letter
  EXPECT_EQ(excerpt("cafe", 4), "cafe");
}

TEST(Text, MessagesKeepTheirLinesAndTabs) {
  EXPECT_EQ(printable("one\n\ttwo\r\x1b[2J\n"), "one\n\ttwo??[2J\n");
  EXPECT_EQ(printable(""), "");
}

TEST(Time, ADateWithoutDigitsIsNone) { EXPECT_FALSE(parse_iso8601("none-01-01")); }

}  // namespace
}  // namespace fathom
