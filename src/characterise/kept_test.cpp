// SPDX-License-Identifier: Apache-2.0
#include "characterise/kept.h"

#include <gtest/gtest.h>

#include "characterise/packed.h"
#include "criteria/criterion.h"

namespace fathom {
namespace {

// keep() writes by place: the table's columns after the first 14 are the criteria's own list, in its order.
TEST(Kept, TheTableHasTheColumnsOfTheCriteria) {
  constexpr std::size_t first = 14;
  ASSERT_EQ(criteria_table.columns.size(), first + value_columns().size());
  EXPECT_EQ(criteria_table.columns[first - 1].name, "write_bytes_bound");
  for (std::size_t i = 0; i < value_columns().size(); ++i) EXPECT_EQ(criteria_table.columns[first + i].name, value_columns()[i].name);
}

TEST(Packed, AnAnalysisComesBackWhole) {
  Analysis analysis;
  analysis.jobs = {7, 9};
  analysis.measured.resize(2);
  Measured& m = analysis.measured[1];
  m.start = 5, m.end = 6, m.units = 3, m.coverage = 0.5, m.totals[2] = 1.25, m.flags = 9;
  m.swept.activity.resize(2);
  m.swept.activity[1][2].unit_busy = 77;
  m.swept.sizes.prepare(2, true);
  m.swept.sizes.classes[1][3] = 4;
  m.swept.sizes.increments_without_ops[1] = 5;
  m.swept.sized_bytes[0] = 6;
  analysis.ledger.total[0] = analysis.ledger.to_jobs[0] = 11;
  analysis.server_totals = {{1, 2, 3, 4, 5}};
  analysis.server_has = {mask(Counter::metadata_ops)};
  const std::string bytes = pack(analysis);
  Analysis back;
  ASSERT_TRUE(unpack_into(back, bytes));
  ASSERT_TRUE(unpack_into(back, bytes));  // adds: another process's part
  ASSERT_EQ(back.jobs, (std::vector<std::uint32_t>{7, 9, 7, 9}));
  EXPECT_EQ(back.measured[3].coverage, 0.5);
  EXPECT_EQ(back.measured[3].swept.activity[1][2].unit_busy, 77);
  EXPECT_EQ(back.measured[3].swept.sizes.classes[1][3], 4);
  EXPECT_EQ(back.measured[3].swept.sizes.increments_without_ops[1], 5u);
  EXPECT_EQ(back.measured[3].swept.sized_bytes[0], 6);
  EXPECT_TRUE(back.ledger.total[0] == 22);
  EXPECT_EQ(back.server_totals[0][3], 8);
  EXPECT_EQ(back.server_totals[0][metadata_flow], 10);
  EXPECT_FALSE(back.moves_data(0));
}

TEST(Packed, CutOrLengthenedBytesAreRefused) {
  Analysis analysis;
  analysis.jobs = {1};
  analysis.measured.resize(1);
  const std::string bytes = pack(analysis);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    Analysis back;
    EXPECT_FALSE(unpack_into(back, std::string_view(bytes).substr(0, size))) << size;
  }
  Analysis back;
  EXPECT_FALSE(unpack_into(back, bytes + "x"));
}

}  // namespace
}  // namespace fathom
