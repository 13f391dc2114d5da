// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fathom
