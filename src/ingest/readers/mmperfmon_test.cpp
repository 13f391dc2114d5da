// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader mmperfmon;

namespace {

Gathered read(std::string_view text, const ReadOptions& options = {}) {
  auto gathered = gather(mmperfmon, text, options);
  EXPECT_TRUE(gathered.has_value());
  return *std::move(gathered);
}

TEST(Mmperfmon, ItsExample) {
  const Gathered g = read(mmperfmon.example);
  const auto samples = samples_of(g, {"nsd12.example.org", "project2", ""});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].t, time_from_seconds(1546953000));      // date -u -d '2019-01-08 13:10' +%s
  EXPECT_EQ(samples[0].since, time_from_seconds(1546952400));  // rows are ten minutes apart
  EXPECT_EQ(samples[0].traits, per_interval);
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 232503296u);
  EXPECT_EQ(value(samples[0], Counter::write_bytes), 135733248u);
  EXPECT_EQ(samples[1].has, mask(Counter::write_bytes));  // null is unknown, not zero
  EXPECT_EQ(g.account.left_out.at("value that was not measured (null)"), 1u);
  EXPECT_EQ(g.account.rejected, 0u);
  ASSERT_EQ(g.account.notices.size(), 1u);  // no zone
}

TEST(Mmperfmon, WideTablesAreCutAndPutTogetherAgain) {
  const Gathered g = read(
      "\nLegend:\n 1:\tnsd1|GPFSNSDDisk|d0|gpfs_nsdds_bytes_read\n 2:\tnsd1|GPFSNSDDisk|d1|gpfs_nsdds_bytes_read\n"
      " 3:\tnsd1|GPFSNSDDisk|d0|gpfs_nsdds_bytes_written\n 4:\tnsd1|CPU|cpu_user\n \n"
      "Row           Timestamp gpfs_nsdds_bytes_read gpfs_nsdds_bytes_read \n"
      "  1 2019-03-04-16:01:00 10 20 \n  2 2019-03-04-16:02:00 30 40 \n\n"
      "Row           Timestamp gpfs_nsdds_bytes_written cpu_user \n"
      "  1 2019-03-04-16:01:00 50 0.25 \n  2 2019-03-04-16:02:00 60 0.5 \n");
  const auto d0 = samples_of(g, {"nsd1:d0", "", ""}), d1 = samples_of(g, {"nsd1:d1", "", ""});
  ASSERT_EQ(d0.size(), 2u);
  ASSERT_EQ(d1.size(), 2u);
  EXPECT_EQ(d0[1].values, (Counters{30, 60}));
  EXPECT_EQ(d0[1].has, byte_counters);
  EXPECT_EQ(d1[1].values, (Counters{40}));
  EXPECT_EQ(d1[1].has, mask(Counter::read_bytes));
  EXPECT_EQ(g.account.samples, 4u);
  EXPECT_EQ(g.account.left_out.at("column of another metric"), 1u);
  EXPECT_EQ(g.account.rejected, 0u);
}

TEST(Mmperfmon, CallsOfPrograms) {
  const Gathered g = read(
      "Legend:\n 1: n|GPFSFilesystemAPI|c|fs|gpfs_fis_open_calls\n 2: n|GPFSFilesystemAPI|c|fs|gpfs_fis_inodes_written\n"
      " 3: n|GPFSFilesystem|c|fs|gpfs_fs_bytes_read\n 4: n|GPFSFilesystemAPI|c|fs|gpfs_fis_open_calls\n\n"
      "Row Timestamp gpfs_fis_open_calls gpfs_fis_inodes_written gpfs_fs_bytes_read gpfs_fis_open_calls\n"
      "1 2019-03-04-16:01:00 7 8 9 10\n2 2019-03-04-16:01:01 7 8 9 10\n");
  ASSERT_EQ(g.batch.samples.size(), 2u);
  EXPECT_EQ(g.batch.samples[0].has, mask(Counter::opens) | mask(Counter::inode_updates));
  EXPECT_EQ(value(g.batch.samples[0], Counter::opens), 7u);
  EXPECT_EQ(g.account.left_out.at("column of what another one tells already"), 2u);  // another sensor; the same again
}

TEST(Mmperfmon, StepsAndZones) {
  const std::string one =
      "Legend:\n 1: n|GPFSFilesystem|c|fs|gpfs_fs_bytes_read\nRow Timestamp gpfs_fs_bytes_read\n 1 2019-06-08-13:00:00 1\n";
  EXPECT_EQ(read(one).batch.samples.at(0).since, no_time);
  EXPECT_EQ(read(one).account.notices.size(), 2u);
  ReadOptions options;
  options.timezone = *Zone::named("Europe/Berlin");
  options.step = std::chrono::seconds(60);
  const Gathered g = read(one, options);
  EXPECT_EQ(g.batch.samples.at(0).t, time_from_seconds(1559991600));  // date -u -d '2019-06-08 11:00' +%s
  EXPECT_EQ(g.batch.samples.at(0).since, time_from_seconds(1559991540));
  EXPECT_TRUE(g.account.notices.empty());
}

TEST(Mmperfmon, TwoQueriesInAFile) {
  const std::string head = "Legend:\n 1: n|GPFSFilesystem|c|fs|gpfs_fs_bytes_read\n\nRow Timestamp gpfs_fs_bytes_read\n";
  const Gathered g =
      read(head + " 1 2019-06-08-13:00:00 1\n 2 2019-06-08-13:01:00 2\n" + head + " 1 2019-06-08-14:00:00 3\n 2 2019-06-08-14:10:00 4\n");
  ASSERT_EQ(g.batch.samples.size(), 4u);
  EXPECT_EQ(g.batch.samples[1].t - g.batch.samples[1].since, std::chrono::minutes(1));
  EXPECT_EQ(g.batch.samples[2].t - g.batch.samples[2].since, std::chrono::minutes(10));
}

TEST(Mmperfmon, WhatCannotBeUsed) {
  const Gathered g = read(
      "Legend:\n 1: n|GPFSFilesystem|c|fs|gpfs_fs_bytes_read\n 3: n|GPFSFilesystem|c|fs|gpfs_fs_read_ops\n\nRow Timestamp "
      "gpfs_fs_bytes_read\n"
      " 1 yesterday 1\n 2 2019-06-08-13:00:00 1 2\n 3 2019-06-08-13:01:00 -1\n 4 2019-06-08-13:02:00 x1\n 5 2019-06-08-13:03:00 1.5 kB\n"
      "Row Timestamp gpfs_fs_bytes_written\n 1 2019-06-08-13:04:00 1\n");
  EXPECT_EQ(g.account.rejected, 7u);  // legend 3, rows 1 to 4, the second table and its row
  ASSERT_EQ(g.batch.samples.size(), 1u);
  EXPECT_EQ(g.batch.samples[0].values[0], 1536u);  // 1.5 * 1024
}

TEST(Mmperfmon, RecognisesItsOwn) {
  EXPECT_EQ(recognised(mmperfmon.example), "mmperfmon");
  EXPECT_EQ(recognised("\nLegend:\n 1:\tn|GPFSNSDDisk|d|gpfs_nsdds_bytes_read\n"), "mmperfmon");
  EXPECT_FALSE(mmperfmon.recognises("Legend:\n", ""));
  EXPECT_FALSE(mmperfmon.recognises("Legend:\n1: a\n", ""));
  EXPECT_FALSE(mmperfmon.recognises("1|2|3\n", ""));
}

}  // namespace
}  // namespace fathom
