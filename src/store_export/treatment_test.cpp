// SPDX-License-Identifier: Apache-2.0
#include "store_export/treatment.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

// A new text column must not leave a site because nobody thought of it.
TEST(Treatment, EveryColumnOfEveryTableIsDecidedAbout) {
  for (const TableSchema* table : all_tables())
    for (const ColumnSchema& column : table->columns) EXPECT_TRUE(treatment_of(*table, column)) << table->name << "." << column.name;
}

ColumnTreatment of(const TableSchema& table, std::string_view column) { return *treatment_of(table, table.columns[table.column(column)]); }

TEST(Treatment, NamesOfOneThingAreOfOneKindEverywhere) {
  EXPECT_EQ(of(jobs_table, "job_id").kind, NameKind::job);
  EXPECT_EQ(of(increments_table, "job").kind, NameKind::job);
  EXPECT_EQ(of(jobs_table, "name").kind, of(patterns_table, "name").kind);
  EXPECT_EQ(of(jobs_table, "user_name").kind, of(patterns_table, "user_name").kind);
  EXPECT_EQ(of(sources_table, "name").kind, NameKind::path);
  EXPECT_EQ(of(jobs_table, "start_time").treatment, Treatment::time);
  EXPECT_EQ(of(sources_table, "added").treatment, Treatment::clock);
  EXPECT_EQ(of(slices_table, "slice").treatment, Treatment::slice_number);
  EXPECT_EQ(of(increments_table, "read_bytes").treatment, Treatment::keep);
}

// Slurm writes `CANCELLED by 1017`: the number is a user's.
TEST(Treatment, AStateIsOneWord) {
  Pseudonyms names(Salt{});
  EXPECT_EQ(*replaced(of(jobs_table, "state"), "CANCELLED by 1017", names), "CANCELLED");
  EXPECT_EQ(*replaced(of(jobs_table, "servers"), "ion-1", names), *names.of(NameKind::server, "ion-1"));
}

}  // namespace
}  // namespace fathom
