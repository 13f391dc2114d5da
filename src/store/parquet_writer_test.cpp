// SPDX-License-Identifier: Apache-2.0
#include "store/parquet_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/random.h"
#include "store/database.h"
#include "store/store.h"

namespace fathom {
namespace {

constexpr ColumnSchema columns[] = {{"word", ColumnType::text, ""},      {"unique_word", ColumnType::text, ""},
                                    {"big", ColumnType::number, ""},     {"equal", ColumnType::number, ""},
                                    {"nothing", ColumnType::number, ""}, {"share", ColumnType::real, ""},
                                    {"t", ColumnType::time, ""}};
constexpr TableSchema schema{"mixed", "", false, "", "", columns};

std::string text_of(const Column& column, std::size_t row) {
  if (column.is_null(row)) return "null";
  const std::int64_t value = column.values()[row];
  if (column.type() == ColumnType::text) return column.words()[static_cast<std::size_t>(value)];
  if (column.type() == ColumnType::real) return fmt::format("{}", __builtin_bit_cast(double, value));
  return fmt::format("{}", value);
}

Columns random_rows(Random& random, std::size_t count) {
  Columns rows(schema);
  const double nulls = random.chance(0.5) ? 0 : random.uniform();
  for (std::size_t i = 0; i < count; ++i) {
    auto maybe = [&](Column& column, auto value) { random.chance(nulls) ? column.add_null() : column.add(value); };
    maybe(rows[0], std::string_view(random.chance(0.1) ? "" : random.chance(0.5) ? "ost-1" : "größe"));
    maybe(rows[1], std::string_view(fmt::format("w{}", random.next())));
    maybe(rows[2], static_cast<std::int64_t>(random.next()));
    maybe(rows[3], std::int64_t{42});
    rows[4].add_null();
    maybe(rows[5], random.normal());
    maybe(rows[6], time_from_micros(static_cast<std::int64_t>(random.next() >> 12)));
  }
  return rows;
}

class RoundTrip : public ::testing::TestWithParam<int> {};

TEST_P(RoundTrip, DuckDbReadsWhatWasWritten) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const std::size_t sizes[] = {1, 7, 1000, 32768, 32769, 70000};
  const Columns rows = random_rows(random, sizes[GetParam() % 6]);
  const std::string path = std::filesystem::temp_directory_path() / fmt::format("fathom-parquet-{}-{}.parquet", ::getpid(), GetParam());
  const auto written = write_parquet_file(rows, path);
  ASSERT_TRUE(written) << written.error().message;
  auto database = Database::open({});
  auto got = database->query("SELECT * FROM read_parquet('" + path + "')");
  ASSERT_TRUE(got) << got.error().message;
  std::size_t row = 0;
  while (got->next()) {
    for (std::size_t i = 0; i < got->size(); ++i, ++row) {
      for (std::size_t c = 0; c < std::size(columns); ++c) {
        std::string text = "null";
        if (!got->is_null(c, i)) {
          if (columns[c].type == ColumnType::text)
            text = got->text(c, i);
          else if (columns[c].type == ColumnType::real)
            text = fmt::format("{}", got->real(c, i));
          else
            text = fmt::format("{}", got->number(c, i));
        }
        ASSERT_EQ(text, text_of(rows[c], row)) << "row " << row << " column " << columns[c].name;
      }
    }
  }
  EXPECT_TRUE(got->status());
  EXPECT_EQ(row, rows.rows());
  // What engines skip by: min, max and nulls of each group are those of its rows.
  auto stats =
      database->query("SELECT row_group_id, path_in_schema, stats_null_count, stats_min_value, stats_max_value FROM parquet_metadata('" +
                      path + "') WHERE path_in_schema IN ('word', 'big') ORDER BY 1");
  ASSERT_TRUE(stats) << stats.error().message;
  std::size_t checked = 0;
  while (stats->next()) {
    for (std::size_t i = 0; i < stats->size(); ++i, ++checked) {
      const auto group = static_cast<std::size_t>(stats->number(0, i));
      const std::size_t begin = group * parquet_rows_per_group, end = std::min(begin + parquet_rows_per_group, rows.rows());
      const Column& column = rows[stats->text(1, i) == "word" ? 0 : 2];
      std::int64_t null_count = 0, low = INT64_MAX;
      for (std::size_t r = begin; r < end; ++r) column.is_null(r) ? void(++null_count) : void(low = std::min(low, column.values()[r]));
      EXPECT_EQ(stats->number(2, i), null_count);
      if (column.type() == ColumnType::number && null_count < static_cast<std::int64_t>(end - begin)) {
        EXPECT_EQ(stats->text(3, i), fmt::format("{}", low));
      }
    }
  }
  EXPECT_GE(checked, 2u);
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, ::testing::Range(0, 18));

TEST(ParquetWriter, SameTypesAsTheEnginesOwn) {
  // Segments come from here and, when they are rewritten, from DuckDB: a glob over both must fit.
  Random random(1);
  const Columns rows = random_rows(random, 100);
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("fathom-parquet-types-{}", ::getpid());
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_parquet_file(rows, folder + "/own.parquet"));
  auto database = Database::open({});
  ASSERT_TRUE(database->write_parquet("SELECT * FROM read_parquet('" + folder + "/own.parquet')", folder + "/duck.parquet"));
  for (const char* field : {"type", "converted_type", "repetition_type"}) {
    const auto different =
        database->number(fmt::format("SELECT count(*) FROM parquet_schema('{0}/own.parquet') a JOIN parquet_schema('{0}/duck.parquet') b "
                                     "USING (name) WHERE a.{1} IS DISTINCT FROM b.{1} "
                                     "AND a.converted_type IS NOT NULL",
                                     folder, field));
    ASSERT_TRUE(different) << different.error().message;
    EXPECT_EQ(*different, 0) << field;
  }
  EXPECT_EQ(*database->number("SELECT count(*) FROM read_parquet('" + folder + "/*.parquet')"), 200);
  std::filesystem::remove_all(folder);
}

TEST(ParquetWriter, AFailureIsSaid) {
  Random random(1);
  const auto written = write_parquet_file(random_rows(random, 10), "/nowhere/at/all.parquet");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("/nowhere/at/all.parquet"), std::string::npos);
  // /dev/full takes nothing.
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_FALSE(write_parquet_file(random_rows(random, 100000), "/dev/full"));
  }
}

}  // namespace
}  // namespace fathom
