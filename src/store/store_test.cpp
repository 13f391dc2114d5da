// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "store/compact.h"
#include "store/increment_scan.h"
#include "tests/support/made_folder.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

Columns marks(std::initializer_list<std::int64_t> times, std::string_view server = "s1") {
  Columns rows(marks_table);
  for (const std::int64_t t : times) {
    rows[0].add(server);
    rows[1].add(std::string_view{});
    rows[2].add(std::string_view{"reset"});
    rows[3].add(time_from_seconds(t));
    rows[4].add(std::int64_t{1});
  }
  return rows;
}

std::int64_t count(const Store& store) {
  auto snapshot = store.snapshot();
  EXPECT_TRUE(snapshot);
  auto database = Database::open({});
  return *database->number("SELECT count(*) FROM " + snapshot->rows_of(marks_table));
}

TEST(Store, CommitIsSeenWhollyOrNotAtAll) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(count(*store), 0);
  {
    auto change = store->begin();
    ASSERT_TRUE(change) << change.error().message;
    const auto staged = change->stage(marks({10, 20, 30}), 0);
    ASSERT_TRUE(staged) << staged.error().message;
    EXPECT_EQ(count(*store), 0);  // not committed
  }
  EXPECT_EQ(count(*store), 0);  // and never will be
  {
    auto change = store->begin();
    ASSERT_TRUE(change->stage(marks({10, 20, 30}), 0));
    ASSERT_TRUE(change->stage(marks({90000}), 1));
    ASSERT_TRUE(change->commit());
    EXPECT_EQ(count(*store), 4);
    // A second commit of the same transaction replaces a segment.
    const Segment first = *change->manifest().of("marks").front();
    ASSERT_TRUE(change->rewrite(first, "SELECT * FROM " + change->rows_of(marks_table, 0, 0) + " WHERE t > make_timestamp(15000000)"));
    EXPECT_EQ(count(*store), 4);
    ASSERT_TRUE(change->commit());
  }
  EXPECT_EQ(count(*store), 3);
  EXPECT_EQ(Store::open(scratch.path())->snapshot()->manifest().segments.size(), 2u);
}

// A store from elsewhere may hold any Parquet file. What is read from it has the types of the table, or it is an error.
TEST(Store, ColumnsHaveTheirTypesWhateverAFileHas) {
  const MadeFolder scratch;
  fs::create_directories(scratch.path());
  const std::string file = scratch.path() + "/other.parquet";
  auto database = Database::open({});
  const auto read_as = [&](const TableSchema& table, const std::string& select) {
    EXPECT_TRUE(database->run("COPY (" + select + ") TO " + sql_text(file) + " (FORMAT parquet)"));
    return database->query("SELECT * FROM " + relation(table, {{file}}));
  };
  const std::string right = "SELECT 's1' AS server, '' AS filesystem, 'reset' AS kind, TIMESTAMP '2020-01-01' AS t, 1::BIGINT AS source";
  auto rows = read_as(marks_table, right);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_TRUE(rows->next());
  EXPECT_EQ(rows->text(0, 0), "s1");
  // Numbers for texts, a text for a time, narrow numbers.
  rows =
      read_as(marks_table, "SELECT 4702111234474983745 AS server, 2 AS filesystem, 3.5 AS kind, '2020-01-01' AS t, 7::UTINYINT AS source");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_TRUE(rows->next());
  EXPECT_EQ(rows->text(0, 0), "4702111234474983745");
  EXPECT_EQ(rows->text(2, 0), "3.5");
  EXPECT_EQ(rows->time(3, 0), time_from_seconds(1577836800));
  EXPECT_EQ(rows->numbers(4)[0], 7);
  rows = read_as(marks_table, "SELECT * REPLACE ('no time' AS t) FROM (" + right + ")");
  if (rows) {
    EXPECT_FALSE(rows->next());
    EXPECT_FALSE(rows->status());
  }
  EXPECT_FALSE(read_as(marks_table, "SELECT * EXCLUDE (t) FROM (" + right + ")"));
}

TEST(Store, AListWithoutAWordIsShorter) {
  auto database = Database::open({});
  auto rows = database->query("SELECT ['a', NULL, 'b']::VARCHAR[]");
  ASSERT_TRUE(rows && rows->next());
  EXPECT_EQ(rows->text_list(0, 0), (std::vector<std::string>{"a", "b"}));
}

TEST(Store, AForgottenColumnIsRefused) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  Columns rows = marks({10, 20});
  rows[3].add(time_from_seconds(30));  // a time without its row
  auto change = store->begin();
  const auto staged = change->stage(rows, 0);
  ASSERT_FALSE(staged);
  EXPECT_NE(staged.error().message.find("column t has 3 of 2 rows"), std::string::npos) << staged.error().message;
  Columns without(increments_table);
  without[0].add(std::string_view("s1"));
  EXPECT_FALSE(change->stage(without, 0));
}

// A store that says format 1, as an older program left it: its segments have no metadata_ops, which are null; the next commit says 2 and
// leaves them; compacting makes them whole.
TEST(Store, AnOlderFormatIsReadAndRenewed) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  {
    auto change = store->begin();
    ASSERT_TRUE(
        change->database().write_parquet("SELECT 's1' AS server, '' AS filesystem, NULL::VARCHAR AS job, make_timestamp(0) AS start_time, "
                                         "make_timestamp(10000000) AS end_time, "
                                         "1 AS read_bytes, 2 AS write_bytes, 3 AS read_ops, 4 AS write_ops, 5 AS opens, 6 AS closes, 7 AS "
                                         "dirs, 8 AS inode_updates, 0::BIGINT AS flags, 1::BIGINT AS source",
                                         scratch.path() + "/staging/old.parquet"));
    ASSERT_TRUE(change->stage_query(increments_table, 0, "SELECT * FROM read_parquet('" + scratch.path() + "/staging/old.parquet')"));
    ASSERT_TRUE(change->commit());
  }
  auto manifest = load_manifest(scratch.path());
  ASSERT_TRUE(manifest);
  manifest->format = 1;
  for (Segment& segment : manifest->segments) segment.format = 1;
  ASSERT_TRUE(save_manifest(scratch.path(), *manifest));
  const auto number = [&](const std::string& what) {
    auto snapshot = Store::open(scratch.path())->snapshot();
    auto database = Database::open({});
    return *database->number("SELECT " + what + " FROM " + snapshot->rows_of(increments_table));
  };
  const auto formats = [&] {
    const auto now = load_manifest(scratch.path());
    std::vector<int> found{now->format};
    for (const Segment& segment : now->segments) found.push_back(segment.format);
    return found;
  };
  EXPECT_EQ(formats(), (std::vector<int>{1, 1}));
  EXPECT_EQ(number("count(*) FILTER (metadata_ops IS NULL AND inode_updates = 8)"), 1);
  EXPECT_EQ(number("sum(" + amount_of(index(Counter::metadata_ops)) + ")::BIGINT"), 5 + 6 + 7 + 8);
  {
    auto change = store->begin();
    ASSERT_TRUE(change->stage(marks({10}), 0));
    ASSERT_TRUE(change->commit());
  }
  EXPECT_EQ(formats(), (std::vector<int>{2, 1, 2}));
  EXPECT_EQ(number("count(*) FILTER (metadata_ops IS NULL)"), 1);
  {
    auto change = store->begin();
    ASSERT_TRUE(compact(*change));
  }
  EXPECT_EQ(formats(), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(number("count(*) FILTER (metadata_ops IS NULL AND inode_updates = 8)"), 1);
  manifest = load_manifest(scratch.path());
  manifest->format = 3;
  ASSERT_TRUE(save_manifest(scratch.path(), *manifest));
  const auto newer = Store::open(scratch.path());
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("it has format 3, this program knows formats 1 to 2"), std::string::npos) << newer.error().message;
}

TEST(Store, AManifestWithNumbersThatAreNoneIsDamaged) {
  const MadeFolder scratch;
  fs::create_directories(scratch.path());
  const auto opened = [&](const std::string& day, const std::string& rows, const std::string& source) {
    std::ofstream(scratch.path() + "/manifest.json")
        << R"({"format": 1, "commit": 3, "removed": [], "next_source": )" << source
        << R"(, "segments": [{"table": "marks", "path": "marks/1.parquet", "hash": "3f", "bytes": 8, "day": )" << day << R"(, "rows": )"
        << rows << "}]}";
    return load_manifest(scratch.path());
  };
  ASSERT_TRUE(opened("14732", "6", "4"));
  EXPECT_EQ(opened("-3", "6", "4")->segments.front().day, -3);
  for (const char* day : {"14e32", "1.5", "3000000000", "-3000000000", "\"1\"", "null", "true"}) EXPECT_FALSE(opened(day, "6", "4")) << day;
  for (const char* rows : {"-1", "1e3", "18446744073709551616"}) EXPECT_FALSE(opened("1", rows, "4")) << rows;
  for (const char* source : {"4294967296", "-1", "[]"}) EXPECT_FALSE(opened("1", "6", source)) << source;
  EXPECT_EQ(opened("14e32", "6", "4").error().kind, ErrorKind::damaged);
}

TEST(Store, AnInterruptedCommitIsFinishedByTheNextWriterAndReadableBefore) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  {
    auto change = store->begin();
    ASSERT_TRUE(change->stage(marks({10, 20, 30}), 0));
    ASSERT_TRUE(change->commit());
  }
  // As if the process died right after the manifest was replaced: the file is still below staging/.
  auto manifest = load_manifest(scratch.path());
  Segment& segment = manifest->segments.front();
  segment.staged = "staging/000001/0.parquet";
  fs::create_directories(scratch.path() + "/staging/000001");
  fs::rename(scratch.path() + "/" + segment.path, scratch.path() + "/" + segment.staged);
  ASSERT_TRUE(save_manifest(scratch.path(), *manifest));
  EXPECT_EQ(count(*store), 3);
  { auto change = store->begin(); }
  EXPECT_TRUE(fs::exists(scratch.path() + "/" + segment.path));
  EXPECT_EQ(count(*store), 3);
}

TEST(Store, ACommitThatCannotMoveItsFilesKeepsThem) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  const fs::path obstacle = scratch.path() + "/marks/day=1970-01-01/000001-0.parquet";
  {
    auto change = store->begin();
    ASSERT_TRUE(change->stage(marks({10, 20, 30}), 0));
    ASSERT_EQ(scratch.path() + "/" + change->manifest().segments.front().path, obstacle);
    fs::create_directories(obstacle / "in the way");
    EXPECT_FALSE(change->commit());
  }
  fs::remove_all(obstacle);
  EXPECT_EQ(count(*store), 3);  // the manifest was replaced, so the rows must be there
  ASSERT_TRUE(store->begin());
  EXPECT_TRUE(fs::exists(obstacle));
  EXPECT_EQ(count(*store), 3);
}

TEST(Store, AReaderKeepsItsSnapshotWhileSegmentsAreReplaced) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  auto change = store->begin();
  ASSERT_TRUE(change->stage(marks({10, 20, 30}), 0));
  ASSERT_TRUE(change->commit());
  auto old = store->snapshot();
  change->retire(change->manifest().segments.front().path);
  ASSERT_TRUE(change->commit());
  auto database = Database::open({});
  EXPECT_EQ(*database->number("SELECT count(*) FROM " + old->rows_of(marks_table)), 3);
  EXPECT_EQ(count(*store), 0);
}

TEST(Store, WritersWaitForEachOther) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  bool waited = false;
  std::thread other;
  {
    auto change = store->begin();
    other = std::thread([&] {
      auto mine = store->begin({}, [&] { waited = true; });
      ASSERT_TRUE(mine->stage(marks({40}), 0));
      ASSERT_TRUE(mine->commit());
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(change->stage(marks({10}), 0));
    ASSERT_TRUE(change->commit());
  }
  other.join();
  EXPECT_TRUE(waited);
  EXPECT_EQ(count(*store), 2);
}

TEST(Store, RefusesAFolderThatIsNotAStore) {
  const MadeFolder scratch;
  fs::create_directories(scratch.path());
  std::ofstream(scratch.path() + "/thesis.tex") << "precious";
  const auto store = Store::open_or_create(scratch.path());
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("is not a fathom store"), std::string::npos);
  EXPECT_FALSE(Store::open(scratch.path() + "/nowhere"));
}

TEST(Rows, RunsEndWhereATextOrItsLackChanges) {
  auto database = Database::open({.threads = 1});
  ASSERT_TRUE(database);
  // Runs of one row and of hundreds, over the ends of words of 64 bits and of chunks; texts that are held in place and longer ones.
  auto rows = database->query(
      "SELECT nullif('s' || (i // 300 % 2), 's1') AS a, "
      "CASE WHEN i % 211 < 70 THEN NULL ELSE repeat('long ', 1 + (i // 128) % 7) END AS b, "
      "CASE WHEN i < 1000 THEN NULL WHEN i % 3 = 0 THEN 'x' ELSE 'y' END AS c FROM range(6000) t(i)");
  ASSERT_TRUE(rows);
  std::size_t seen = 0, runs = 0;
  while (rows->next()) {
    const auto same = [&](std::size_t column, std::size_t a, std::size_t b) {
      return rows->is_null(column, a) == rows->is_null(column, b) && rows->text(column, a) == rows->text(column, b);
    };
    for (std::size_t columns = 1; columns <= 3; ++columns) {
      for (std::size_t begin = 0; begin < rows->size(); ++runs) {
        std::size_t end = begin + 1;
        const auto all_same = [&](std::size_t row) {
          for (std::size_t c = 0; c < columns; ++c)
            if (!same(c, begin, row)) return false;
          return true;
        };
        while (end < rows->size() && all_same(end)) ++end;
        ASSERT_EQ(rows->end_of_run(columns, begin), end) << columns << " columns from " << begin;
        begin = end;
      }
    }
    seen += rows->size();
  }
  EXPECT_EQ(seen, 6000u);
  EXPECT_GT(runs, 3000u);
}

// The engine numbers distinct words with 8, 16 or 32 bits; the sizes around each limit must all come back as they went in.
TEST(Database, AnyNumberOfDistinctWordsComesBack) {
  auto database = Database::open({});
  ASSERT_TRUE(database);
  for (const int words : {1, 254, 255, 256, 257, 65534, 65535, 65536, 65537}) {
    Columns rows(annotations_table);
    for (int i = 0; i < words; ++i) {
      rows[0].add(std::string_view("app " + std::to_string(i)));
      rows[1].add(std::string_view("key"));
      rows[2].add(std::string_view("value"));
      rows[3].add(time_from_seconds(i));
    }
    ASSERT_TRUE(database->create_table("words", rows));
    const auto wrong = database->number("SELECT count(*) FROM words WHERE app <> 'app ' || (epoch_us(added) // 1000000)");
    ASSERT_TRUE(wrong) << wrong.error().message;
    EXPECT_EQ(*wrong, 0) << words;
    const auto all = database->number("SELECT count(DISTINCT app) FROM words");
    EXPECT_EQ(*all, words);
  }
}

TEST(Store, OthersReadItByGlob) {
  const MadeFolder scratch;
  auto store = Store::open_or_create(scratch.path());
  auto change = store->begin();
  ASSERT_TRUE(change->stage(marks({10, 20}), 0));
  ASSERT_TRUE(change->stage(marks({86410}, "s2"), 1));
  ASSERT_TRUE(change->commit());
  auto database = Database::open({});
  auto rows = database->query("SELECT day::VARCHAR, server, epoch(t)::BIGINT FROM read_parquet('" + scratch.path() +
                              "/marks/*/*.parquet', hive_partitioning = true) ORDER BY t DESC");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_TRUE(rows->next());
  EXPECT_EQ(rows->size(), 3u);
  EXPECT_EQ(rows->text(0, 0), "1970-01-02");
  EXPECT_EQ(rows->text(1, 0), "s2");
  EXPECT_EQ(rows->number(2, 0), 86410);
}

}  // namespace
}  // namespace fathom
