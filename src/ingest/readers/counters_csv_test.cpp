// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader counters_csv;

namespace {

Gathered read(std::string_view text, const ReadOptions& options = {}) {
  auto gathered = gather(counters_csv, text, options);
  EXPECT_TRUE(gathered.has_value());
  return *std::move(gathered);
}

TEST(CountersCsv, ItsExample) {
  const Gathered g = read(counters_csv.example);
  const auto samples = samples_of(g, {"ion-0042", "work", ""});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].t, time_from_seconds(1704924117));
  EXPECT_EQ(samples[1].t, time_from_micros(1704924237500000));
  EXPECT_EQ(samples[1].has, byte_counters);
  EXPECT_EQ(samples[1].traits, cumulative);
  EXPECT_EQ(samples[1].since, no_time);
  EXPECT_EQ(value(samples[1], Counter::read_bytes), 205607404530u);
  const auto spare = samples_of(g, {"ion, spare", "work", ""});
  ASSERT_EQ(spare.size(), 1u);
  EXPECT_EQ(spare[0].has, mask(Counter::write_bytes));  // the empty cell is unknown, not zero
  EXPECT_EQ(value(spare[0], Counter::write_bytes), 1500000000u);
  EXPECT_EQ(spare[0].t, time_from_seconds(1704924240));  // date -u -d '2024-01-10 22:04' +%s
  EXPECT_EQ(g.account.rejected, 0u);
  EXPECT_TRUE(g.account.notices.empty());
}

TEST(CountersCsv, AnyOrderAllColumnsAndExtraOnes) {
  const Gathered g = read(
      "\xef\xbb\xbfmetadata_ops,inode_updates,dirs,closes,opens,write_ops,read_ops,write_bytes,read_bytes,note,job,filesystem,server,t\r\n"
      "9,8,7,6,5,4,3,2,1,x,job1,fs,s,100\r\n\r\n,8,7,6,5,4,3,2,1,x,,fs,s,100\r\n");
  const auto samples = samples_of(g, {"s", "fs", "job1"});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].values, (Counters{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(samples[0].has, all_counters);
  const auto without = samples_of(g, {"s", "fs", ""});  // its count of all metadata operations is unknown, not zero
  ASSERT_EQ(without.size(), 1u);
  EXPECT_EQ(without[0].has, mmpmon_counters);
  ASSERT_EQ(g.account.notices.size(), 1u);
  EXPECT_EQ(g.account.notices[0], "columns ignored: note");
}

TEST(CountersCsv, PerInterval) {
  ReadOptions options;
  options.per_interval = true;
  const std::string text = "t,server,read_bytes,step\n100,a,5,60\n160.5,a,5,0.5\n200,a,5,\n300,a,5,-1\n";
  const Gathered unknown = read(text, options);
  ASSERT_EQ(unknown.batch.samples.size(), 3u);
  EXPECT_EQ(unknown.batch.samples[0].traits, per_interval);
  EXPECT_EQ(unknown.batch.samples[0].since, time_from_seconds(40));
  EXPECT_EQ(unknown.batch.samples[1].since, time_from_seconds(160));
  EXPECT_EQ(unknown.batch.samples[2].since, no_time);
  EXPECT_EQ(unknown.account.rejected, 1u);
  options.step = std::chrono::seconds(120);
  EXPECT_EQ(read(text, options).batch.samples[2].since, time_from_seconds(80));
  EXPECT_EQ(read(text).batch.samples[0].since, no_time);  // running totals: the step says nothing
  EXPECT_EQ(read(text).account.notices.size(), 1u);
}

TEST(CountersCsv, NumbersAsSpreadsheetsWriteThem) {
  const Gathered g = read(
      "t,server,read_bytes\n1,a,1000.0\n2,a,1.5e9\n3,a,9007199254740993.00\n4,a, 7 \n5,a,9223372036854775807\n"
      "6,a,0.5\n7,a,-1\n8,a,1e30\n9,a,nan\n10,a,18446744073709551616\n11,a,0x10\n12,a,.\n"
      "13,a,9223372036854775808\n14,a,18446744073709551615\n");
  ASSERT_EQ(g.batch.samples.size(), 5u);
  // 9007199254740993 = 2^53 + 1 is no double: it must not be rounded on the way.
  const std::uint64_t expected[] = {1000, 1500000000, 9007199254740993u, 7, INT64_MAX};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(g.batch.samples[i].values[0], expected[i]);
  EXPECT_EQ(g.account.rejected, 9u);
  EXPECT_EQ(g.account.first_rejects[0].line, 7u);
  EXPECT_EQ(g.account.first_rejects[0].why, "read_bytes is not a whole number: '0.5'");
}

TEST(CountersCsv, RowsThatCannotBeUsed) {
  const Gathered g =
      read("t,server,read_bytes\nnever,a,1\n1,,1\n1,a\n1,a,1,1\n1,\"a,1\n1,\"a\"b,1\n2,a,\nt,server,read_bytes\n3,\"say \"\"a\"\"\",4\n");
  EXPECT_EQ(g.account.rejected, 6u);
  EXPECT_EQ(g.account.left_out.at("row without any counter"), 1u);
  EXPECT_EQ(g.account.left_out.at("repeated header"), 1u);
  EXPECT_EQ(samples_of(g, {"say \"a\"", "", ""}).size(), 1u);
  EXPECT_EQ(g.account.lines, 10u);
}

TEST(CountersCsv, TimesWithoutAZone) {
  const std::string text = "t,server,read_bytes\n2016-12-27T20:12:01,a,1\n2016-12-27 20:12:02.5,a,1\n";
  const Gathered utc = read(text);
  EXPECT_EQ(utc.batch.samples.at(0).t, time_from_seconds(1482869521));
  EXPECT_EQ(utc.account.notices.size(), 1u);
  ReadOptions options;
  options.timezone = *Zone::named("Europe/Berlin");
  const Gathered berlin = read(text, options);
  EXPECT_EQ(berlin.batch.samples.at(0).t, time_from_seconds(1482869521 - 3600));
  EXPECT_TRUE(berlin.account.notices.empty());
}

TEST(CountersCsv, SeriesInAnyOrder) {
  // Rounds in one order, then another, then new servers: each row must land in its own series.
  std::string text = "t,server,filesystem,read_bytes\n";
  std::uint64_t rows = 0;
  for (int round = 0; round < 6; ++round)
    for (int i = 0; i < 5 + round; ++i, ++rows) {
      const int server = round % 2 == 0 ? i : 4 + round - i;
      text +=
          std::to_string(round) + ",s" + std::to_string(server) + ",f" + std::to_string(server % 2) + "," + std::to_string(server) + "\n";
    }
  const Gathered g = read(text);
  EXPECT_EQ(g.account.samples, rows);
  for (const Sample& sample : g.batch.samples) {
    const std::uint64_t server = sample.values[0];
    EXPECT_EQ(g.series.name(sample.series), (SeriesName{"s" + std::to_string(server), "f" + std::to_string(server % 2), ""}));
  }
}

TEST(CountersCsv, HeadersItRefuses) {
  EXPECT_FALSE(gather(counters_csv, "server,read_bytes\n"));
  EXPECT_FALSE(gather(counters_csv, "t,server\n"));
  EXPECT_FALSE(gather(counters_csv, "t,server,read_bytes,read_bytes\n"));
  EXPECT_FALSE(gather(counters_csv, "t,read_bytes\n1,2\n"));
  ReadOptions options;
  options.default_server = "nfs1";
  EXPECT_EQ(samples_of(read("t,read_bytes\n1,2\n", options), {"nfs1", "", ""}).size(), 1u);
}

TEST(CountersCsv, RecognisesItsOwn) {
  EXPECT_EQ(recognised(counters_csv.example), "counters_csv");
  EXPECT_EQ(recognised("write_bytes,\"server\",t\r\n"), "counters_csv");
  EXPECT_EQ(recognised("t,server,read_bytes"), "counters_csv");
  EXPECT_FALSE(counters_csv.recognises("job_id,start,end,t,server,read_bytes\n", ""));
  EXPECT_FALSE(counters_csv.recognises("job_id,start,end,user,name\n", ""));
  EXPECT_FALSE(counters_csv.recognises("t,value\n", ""));
  EXPECT_FALSE(counters_csv.recognises("", ""));
}

}  // namespace
}  // namespace fathom
