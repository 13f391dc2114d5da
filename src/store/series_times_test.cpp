// SPDX-License-Identifier: Apache-2.0
#include "store/series_times.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "model/increment.h"
#include "store/compact.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

/// One row; an empty job is none.
void add(Columns& rows, const SeriesName& name, std::int64_t start, std::int64_t end, std::uint8_t flags) {
  const auto column = [&](std::string_view of) -> Column& { return rows[increments_table.column(of)]; };
  column("server").add(std::string_view(name.server));
  column("filesystem").add(std::string_view(name.filesystem));
  if (name.job.empty())
    column("job").add_null();
  else
    column("job").add(std::string_view(name.job));
  column("start_time").add(start);
  column("end_time").add(end);
  column("flags").add(std::int64_t{flags});
  for (const std::string_view counter : counter_names) column(counter).add_null();
  column("source").add(std::int64_t{1});
}

// Seven rows of 120 s, one of them 120.4 s (the same to the second), one of 600 s, one of 4.0006 s (4.001 to the millisecond), and one
// that was not measured: it counts as a row and in the range, not among lengths.
TEST(SeriesTimes, AreWhatTheRowsSay) {
  Columns rows(increments_table);
  const SeriesName name{"io1", "work", ""};
  std::int64_t t = 1'000'000'000;
  for (int i = 0; i < 6; ++i, t += 120'000'000) add(rows, name, t, t + 120'000'000, plain);
  add(rows, name, t, t + 120'400'000, plain), t += 120'400'000;
  add(rows, name, t, t + 600'000'000, plain), t += 600'000'000;
  add(rows, name, t, t + 4'000'600, plain), t += 4'000'600;
  add(rows, name, t, t + 50'000'000, unmounted), t += 50'000'000;
  const auto notes = notes_for(rows);
  ASSERT_EQ(notes.size(), 1u);
  const auto times = times_from_note(notes.front().value);
  ASSERT_TRUE(times);
  SeriesTimes expected{{1'000'000'000, t}, 10, {}};
  expected.lengths.add(4'001'000), expected.lengths.add(120'000'000, 7), expected.lengths.add(600'000'000);
  EXPECT_EQ(*times, (TimesBySeries{{name, expected}}));
  EXPECT_EQ(times->at(name).lengths.median(), 120'000'000);
}

TEST(SeriesTimes, AreNotNotedWhereRowsAreAsFew) {
  Columns rows(increments_table);
  for (int i = 0; i < 30; ++i) add(rows, {"io" + std::to_string(i % 10), "", "j"}, i * 10, i * 10 + 10, plain);
  EXPECT_TRUE(notes_for(rows).empty());  // three rows of each series
  for (int i = 0; i < 10; ++i) add(rows, {"io" + std::to_string(i % 10), "", "j"}, 300 + i, 301 + i, plain);
  EXPECT_EQ(notes_for(rows).size(), 1u);
  EXPECT_TRUE(notes_for(Columns(marks_table)).empty());
}

// Whatever was written how: staged, with notes and without, rewritten, merged: notes say what rows say.
TEST(SeriesTimes, FromNotesAndFromRowsAreTheSame) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    const MadeFolder scratch;
    auto store = Store::open_or_create(scratch.path());
    ASSERT_TRUE(store);
    const auto agree = [&](bool all_noted) {
      auto snapshot = store->snapshot();
      auto database = Database::open({.threads = 1});
      std::uint64_t rows = 0, noted = 0;
      for (const std::int32_t day : {0, 1}) {
        const auto files = snapshot->files_of(increments_table, day, day);
        auto from_notes = read_times(*database, files), from_rows = read_times_of_rows(*database, files);
        ASSERT_TRUE(from_notes) << from_notes.error().message;
        ASSERT_TRUE(from_rows) << from_rows.error().message;
        EXPECT_TRUE(*from_notes == *from_rows) << "seed " << seed << ", day " << day;
        for (const auto& [name, each] : *from_rows) rows += each.increments;
        for (const SegmentFile& file : files)
          noted += static_cast<std::uint64_t>(
              *database->number("SELECT count(*) FROM parquet_kv_metadata('" + file.path + "') WHERE key = 'fathom_series_times'::BLOB"));
      }
      EXPECT_GT(rows, 0u);
      EXPECT_EQ(noted == snapshot->manifest().of(increments_table.name).size(), all_noted) << "seed " << seed;
    };
    auto change = store->begin();
    ASSERT_TRUE(change);
    const auto stage = [&](std::int32_t day, int rounds) {
      auto rows = std::make_shared<Columns>(increments_table);
      for (int s = 0; s < 1 + below(6); ++s) {
        // Names with what SQL escapes.
        const SeriesName name{"it's \"" + std::to_string(below(9)) + "\"", below(2) == 0 ? "" : "w\\ö", below(3) == 0 ? "7" : ""};
        std::int64_t t = day * 86'400'000'000 + below(1000);
        for (int i = 0; i < rounds; ++i) {
          const std::int64_t length = 1 + below(4) * 10'000'000 + below(3) * 700'000 + below(2000);
          add(*rows, name, t, t + length, below(9) == 0 ? expired : plain);
          t += length;
        }
      }
      ASSERT_TRUE(below(2) == 0 ? change->stage(*rows, day) : change->stage_later(rows, day));
      ASSERT_TRUE(change->settle());
    };
    stage(0, 40), stage(0, 12), stage(1, 30);
    ASSERT_TRUE(change->commit());
    agree(true);
    stage(1, 2);  // too few for a note
    ASSERT_TRUE(change->commit());
    agree(false);
    // What a query leaves of a segment has no note either.
    const Segment first = *change->manifest().of(increments_table.name).front();
    ASSERT_TRUE(change->rewrite(first, "SELECT * FROM " + change->rows_of(first) + " WHERE epoch_us(end_time) % 3 <> 0"));
    ASSERT_TRUE(change->commit());
    agree(false);
    ASSERT_TRUE(compact(*change));
    agree(true);
  }
}

TEST(SeriesTimes, ANoteThatIsNotUnderstoodIsNone) {
  EXPECT_TRUE(times_from_note(""));
  EXPECT_TRUE(times_from_note("a\tb\t\t1\t2\t3\t4\t5\n"));
  EXPECT_TRUE(times_from_note("a\tb\t\t1\t2\t3\n"));  // nothing was measured
  for (const char* text :
       {"a", "\n", "a\tb\t\t1\t2\t3\t4\t5", "a\tb\t\t1\t2\t-3\n", "a\tb\t\t1.5\t2\t3\n", "a\tb\t1\t2\t3\n", "a\tb\t\t1\t2\t3\t4\n",
        "a\tb\t\t1\t2\t3\t4\t\n", "a\tb\t\t1\t2\t99999999999999999999\n", "a\tb\t\t1\t2\t3\na\tb\t\t1\t2\t3\n"})
    EXPECT_FALSE(times_from_note(text)) << text;
  // A name that would break the line is not noted.
  Columns rows(increments_table);
  for (int i = 0; i < 8; ++i) add(rows, {"a\tb", "", ""}, i, i + 1, plain);
  EXPECT_TRUE(notes_for(rows).empty());
}

}  // namespace
}  // namespace fathom
