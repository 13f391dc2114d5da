// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/time.h"

namespace fathom {
namespace {

std::vector<std::string> split(std::string_view line) {
  CsvRecord record;
  EXPECT_EQ(record.split(line), nullptr) << line;
  return {record.fields().begin(), record.fields().end()};
}

using Fields = std::vector<std::string>;

TEST(Csv, PlainAndQuotedFields) {
  EXPECT_EQ(split("a,b,c"), (Fields{"a", "b", "c"}));
  EXPECT_EQ(split(""), (Fields{""}));
  EXPECT_EQ(split(",a,"), (Fields{"", "a", ""}));
  EXPECT_EQ(split("\"a,b\",c"), (Fields{"a,b", "c"}));
  EXPECT_EQ(split("\"\",\"\""), (Fields{"", ""}));
  EXPECT_EQ(split("\"say \"\"hi\"\"\",\"\"\"\""), (Fields{"say \"hi\"", "\""}));
}

TEST(Csv, SaysWhatIsWrongWithALine) {
  CsvRecord record;
  EXPECT_STREQ(record.split("1,\"a"), "a quoted field does not end on its line");
  EXPECT_STREQ(record.split("1,\"a\"\""), "a quoted field does not end on its line");
  EXPECT_STREQ(record.split("\"a\"b,1"), "text after a closing quote");
  EXPECT_STREQ(record.split("a\"b,1"), "a quote inside a field that does not begin with one");
  EXPECT_EQ(record.split("after,that"), nullptr);
  EXPECT_EQ(record.fields().size(), 2u);
}

TEST(Csv, FindsColumnsByName) {
  const std::vector<std::string_view> header{"JobID", " start", "end ", "START"}, wanted{"start", "jobid", "user"};
  EXPECT_EQ(find_columns(header, wanted), (std::vector<std::size_t>{1, 0, no_column}));
}

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
}

TEST(Text, SuggestsTheClosestWord) {
  const std::vector<std::string_view> choices{"nodes", "servers", "rule"};
  EXPECT_EQ(closest_word("server", choices), "servers");
  EXPECT_EQ(closest_word("ndoes", choices), "nodes");
  EXPECT_EQ(closest_word("colour", choices), "");
}

TEST(Time, ADateWithoutDigitsIsNone) { EXPECT_FALSE(parse_iso8601("none-01-01")); }

}  // namespace
}  // namespace fathom
