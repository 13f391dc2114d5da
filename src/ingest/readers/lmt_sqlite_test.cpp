// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include "ingest/reader_test.h"

namespace fathom {

extern const Reader lmt_sqlite;

namespace {

/// A database made by these statements, removed at the end.
class MadeDatabase {
 public:
  explicit MadeDatabase(const std::string& sql) : path(testing::TempDir() + "lmt 50%#1.sqlite3") {
    std::filesystem::remove(path);
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  ~MadeDatabase() { std::filesystem::remove(path); }
  std::string path;
};

const std::string tables =
    "CREATE TABLE OST_DATA (OST_ID, TS_ID, READ_BYTES, WRITE_BYTES);"
    "CREATE TABLE OST_INFO (OST_ID, OSS_ID, OST_NAME);"
    "CREATE TABLE TIMESTAMP_INFO (TS_ID, TIMESTAMP);"
    "INSERT INTO TIMESTAMP_INFO VALUES (1, '2018-01-28 00:00:00'), (2, '2018-01-28 00:00:05'), (3, 'soon');"
    "INSERT INTO OST_INFO VALUES (1, 7, 'fs-OST0000'), (2, 7, 'OST0001');";

TEST(LmtSqlite, RowsBecomeSamples) {
  const MadeDatabase made(
      tables +
      "CREATE TABLE OSS_INFO (OSS_ID, FILESYSTEM_ID, HOSTNAME); CREATE TABLE FILESYSTEM_INFO (FILESYSTEM_ID, FILESYSTEM_NAME);"
      "INSERT INTO OSS_INFO VALUES (7, 1, 'oss01'), (7, 1, 'oss02'); INSERT INTO FILESYSTEM_INFO VALUES (1, 'snx');"
      "INSERT INTO OST_DATA VALUES (1, 1, 10, 20), (1, 2, 11, NULL), (2, 2, NULL, NULL), (2, 1, '5', 6),"
      " (9, 1, 1, 1), (1, 9, 1, 1), (1, 3, 1, 1), (1, 2, -5, 1);");
  const auto g = gather_file(lmt_sqlite, made.path);
  ASSERT_TRUE(g) << g.error().message;
  const auto samples = samples_of(*g, {"fs-OST0000", "snx", ""});  // an OSS with two hosts does not double them
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].t, time_from_seconds(1517097600));  // date -u -d '2018-01-28' +%s
  EXPECT_EQ(value(samples[0], Counter::write_bytes), 20u);
  EXPECT_EQ(samples[1].has, mask(Counter::read_bytes));
  EXPECT_EQ(value(samples_of(*g, {"OST0001", "snx", ""}).at(0), Counter::read_bytes), 5u);
  EXPECT_EQ(g->account.left_out.at("row without values (NULL)"), 1u);
  EXPECT_EQ(g->account.rejected, 4u);  // unknown OST, unknown time, no time, a negative count
  EXPECT_EQ(g->account.notices.size(), 1u);
}

// open 10 + close 8 + getattr 500 = 518, five seconds later 12 + 9 + 900 = 921; connecting is no metadata operation.
TEST(LmtSqlite, MetadataOperationsOfEachMdt) {
  const MadeDatabase made(
      tables +
      "CREATE TABLE MDS_OPS_DATA (MDS_ID, TS_ID, OPERATION_ID, SAMPLES); CREATE TABLE MDS_INFO (MDS_ID, FILESYSTEM_ID, MDS_NAME);"
      "CREATE TABLE OPERATION_INFO (OPERATION_ID, OPERATION_NAME); INSERT INTO MDS_INFO VALUES (1, 1, 'fs-MDT0000');"
      "INSERT INTO OPERATION_INFO VALUES (1, 'open'), (2, 'close'), (37, 'getattr'), (23, 'connect');"
      "INSERT INTO MDS_OPS_DATA VALUES (1, 2, 37, 900), (1, 1, 1, 10), (1, 1, 2, 8), (1, 1, 37, 500), (1, 1, 23, 4), (1, 2, 1, 12), (1, 2, "
      "2, 9),"
      " (2, 1, 1, 5), (1, 9, 1, 5), (1, 3, 1, 5);");
  const auto g = gather_file(lmt_sqlite, made.path);
  ASSERT_TRUE(g) << g.error().message;
  const auto samples = samples_of(*g, {"fs-MDT0000", "fs", ""});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].has, mask(Counter::opens) | mask(Counter::closes) | mask(Counter::metadata_ops));
  EXPECT_EQ(value(samples[0], Counter::metadata_ops), 518u);
  EXPECT_EQ(value(samples[1], Counter::metadata_ops), 921u);
  EXPECT_EQ(value(samples[1], Counter::opens), 12u);
  EXPECT_EQ(g->account.rejected, 3u);  // an unknown MDS, an unknown time, a time that is none
}

TEST(LmtSqlite, FileSystemFromTheOstsNameAndTimesOfAZone) {
  const MadeDatabase made(tables + "INSERT INTO OST_DATA VALUES (1, 1, 10, 20), (2, 1, 10, 20);");
  ReadOptions options;
  options.timezone = *Zone::named("+01:00");
  const auto g = gather_file(lmt_sqlite, made.path, options);
  ASSERT_TRUE(g) << g.error().message;
  EXPECT_EQ(samples_of(*g, {"fs-OST0000", "fs", ""}).at(0).t, time_from_seconds(1517097600 - 3600));
  EXPECT_EQ(samples_of(*g, {"OST0001", "", ""}).size(), 1u);
  EXPECT_TRUE(g->account.notices.empty());
}

TEST(LmtSqlite, WhatItRefuses) {
  const MadeDatabase other("CREATE TABLE summary (jobid, start);");
  const auto refused = gather_file(lmt_sqlite, other.path);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("without the table OST_DATA"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(gather(lmt_sqlite, "hello\n"));
  EXPECT_FALSE(gather(lmt_sqlite, std::string_view("SQLite format 3\0 but no more", 29), {}, "/nowhere/at/all"));
  // A view could run for ever.
  const MadeDatabase view(
      "CREATE TABLE OST_INFO (OST_ID, OSS_ID, OST_NAME); CREATE TABLE TIMESTAMP_INFO (TS_ID, TIMESTAMP);"
      "CREATE VIEW OST_DATA AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS OST_ID, 1 AS TS_ID, 1 AS "
      "READ_BYTES, 1 AS WRITE_BYTES FROM n;");
  EXPECT_FALSE(gather_file(lmt_sqlite, view.path));
}

// SQLite itself writes one blank after CREATE; a hand may write two, and the parser does not mind.
TEST(LmtSqlite, AVirtualTableIsRefusedHoweverItIsWritten) {
  if (sqlite3_compileoption_used("ENABLE_RTREE") == 0) GTEST_SKIP() << "this SQLite has no virtual tables of its own to try";
  for (const char* blanks : {" ", "  ", "\t", "/**/"}) {
    const MadeDatabase made(
        "CREATE TABLE OST_INFO (OST_ID, OSS_ID, OST_NAME); CREATE TABLE TIMESTAMP_INFO (TS_ID, TIMESTAMP);"
        "CREATE VIRTUAL TABLE OST_DATA USING rtree(OST_ID, TS_ID, READ_BYTES, WRITE_BYTES, MORE);"
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = replace(sql, 'CREATE VIRTUAL', 'CREATE" +
        std::string(blanks) + "VIRTUAL') WHERE name = 'OST_DATA';");
    EXPECT_FALSE(gather_file(lmt_sqlite, made.path)) << "CREATE" << blanks << "VIRTUAL";
  }
}

TEST(LmtSqlite, FiveMinutesOfARealFileSystem) {
  // NERSC's own conversions of this database (HDF5, H5LMT) give 110.862707187 GiB written and 5.911266 GiB read.
  const std::string path = real_file("pytokio/snx11025_2018-01-28.sqlite3");
  SKIP_WITHOUT(path);
  const auto g = gather_file(lmt_sqlite, path);
  ASSERT_TRUE(g) << g.error().message;
  EXPECT_EQ(g->series.size(), 25u);  // 24 OSTs and an MDT
  EXPECT_EQ(g->account.samples, 25u * 61u);
  EXPECT_EQ(g->account.rejected, 0u);
  double read_gib = 0, write_gib = 0;
  for (SeriesId id = 0; id < g->series.size(); ++id) {
    EXPECT_EQ(g->series.filesystem(id), "snx11025");
    if (g->series.name(id).server == "snx11025-MDT0000") continue;
    auto samples = samples_of(*g, g->series.name(id));
    ASSERT_EQ(samples.size(), 61u);
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.t < b.t; });
    EXPECT_EQ(samples.back().t - samples.front().t, std::chrono::seconds(300));
    const auto grown = [&](Counter counter) {
      return static_cast<double>(value(samples.back(), counter) - value(samples.front(), counter)) / 0x1p30;
    };
    read_gib += grown(Counter::read_bytes);
    write_gib += grown(Counter::write_bytes);
  }
  EXPECT_NEAR(write_gib, 110.862707187, 5e-10);
  EXPECT_NEAR(read_gib, 5.911266, 5e-7);
}

TEST(LmtSqlite, ARealReboot) {
  // snx11168-OST00ad, 2018-04-18: nothing between 07:35:45 and 07:39:05, then the counters begin at zero.
  const std::string path = real_file("pytokio/lmtdb-reset.sqlite3");
  SKIP_WITHOUT(path);
  const auto g = gather_file(lmt_sqlite, path);
  ASSERT_TRUE(g) << g.error().message;
  auto samples = samples_of(*g, {"snx11168-OST00ad", "snx11168", ""});
  ASSERT_EQ(samples.size(), 26u);
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.t < b.t; });
  int falls = 0, gaps = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    falls += value(samples[i], Counter::write_bytes) < value(samples[i - 1], Counter::write_bytes);
    if (samples[i].t - samples[i - 1].t == std::chrono::seconds(5)) continue;
    ++gaps;
    EXPECT_EQ(format_iso8601(samples[i - 1].t), "2018-04-18T07:35:45Z");
    EXPECT_EQ(format_iso8601(samples[i].t), "2018-04-18T07:39:05Z");
    EXPECT_EQ(value(samples[i], Counter::read_bytes), 0u);
  }
  EXPECT_EQ(falls, 1);
  EXPECT_EQ(gaps, 1);
}

TEST(LmtSqlite, AnotherRealDatabaseIsRefused) {
  const std::string path = real_file("pytokio/sample_nersc_jobsdb.sqlite3");
  SKIP_WITHOUT(path);
  auto input = LineInput::open(path);
  ASSERT_TRUE(input);
  const auto reader = reader_for(*input);
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->name, "lmt_sqlite");
  EXPECT_FALSE(gather(**reader, *std::move(input)));
}

}  // namespace
}  // namespace fathom
