// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Table, PeopleAndProgramsSeeTheSameThingDifferently) {
  const Table table{{{"server"}, {"start", Quantity::time}, {"read", Quantity::bytes}, {"share", Quantity::fraction}},
                    {{cell(std::string_view("a,\"b\"")), cell(time_from_micros(1482869521500000)), cell(std::uint64_t{1536}), cell(0.5)},
                     {cell(std::string_view("ö")), Cell{}, Cell{}, Cell{}}}};
  EXPECT_EQ(as_csv(table), "server,start,read,share\n\"a,\"\"b\"\"\",1482869521.5,1536,0.5\nö,,,\n");
  EXPECT_EQ(as_aligned_text(table),
            "server                 start      read   share\n"
            "a,\"b\"   2016-12-27T20:12:02Z  1.50 KiB  50.0 %\n"
            "ö                          -         -       -\n");
  EXPECT_NE(as_json(table).find("\"start\": 1482869521.5"), std::string::npos);
  EXPECT_NE(as_json(table).find("\"read\": null"), std::string::npos);
}

}  // namespace
}  // namespace fathom
