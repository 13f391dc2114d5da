// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>

#include "base/text.h"
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader lustre_stats;

namespace {

constexpr CounterMask io = mask(Counter::read_bytes) | mask(Counter::write_bytes) | mask(Counter::read_ops) | mask(Counter::write_ops);
constexpr CounterMask open_close = mask(Counter::opens) | mask(Counter::closes) | mask(Counter::metadata_ops);

Gathered read(std::string_view text, const ReadOptions& options = {}, std::string name = "input") {
  auto gathered = gather(lustre_stats, text, options, std::move(name));
  EXPECT_TRUE(gathered.has_value());
  return *std::move(gathered);
}

TEST(LustreStats, ItsExampleIsReadWhole) {
  const Gathered g = read(lustre_stats.example);
  const auto samples = samples_of(g, {"scratch-OST0042", "scratch", ""});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].has, io);
  EXPECT_EQ(samples[0].traits, cumulative);
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 1788336930816u);
  EXPECT_EQ(value(samples[0], Counter::read_ops), 1705491u);
  EXPECT_EQ(value(samples[0], Counter::write_bytes), 1786842710016u);
  EXPECT_EQ(value(samples[0], Counter::write_ops), 1704066u);
  EXPECT_EQ(samples[0].t, time_from_micros(1704924117040584));
  EXPECT_EQ(samples[0].since, time_from_micros(1704403917045921));
  EXPECT_EQ(g.account.rejected, 0u);
}

TEST(LustreStats, WhatFollowsTheDotIsACountNotAFraction) {
  // 20113 secs.usecs = 0.020113 s; nanoseconds padded with a blank: 89180921 ns = 0.089180 s.
  const Gathered g = read(
      "snapshot_time 1438693238.20113 secs.usecs\nread_bytes 1 samples [bytes] 5 5 5\n"
      "snapshot_time 1438693239. 89180921 secs.nsecs\nread_bytes 2 samples [bytes] 5 5 10\n",
      {}, "fs-OST0001.stats");
  ASSERT_EQ(g.batch.samples.size(), 2u);
  EXPECT_EQ(g.batch.samples[0].t, time_from_micros(1438693238020113));
  EXPECT_EQ(g.batch.samples[1].t, time_from_micros(1438693239089180));
  EXPECT_EQ(g.batch.samples[1].since, no_time);
}

TEST(LustreStats, AnIdleTargetCountsAsZero) {
  const Gathered g = read(
      "obdfilter.fs-OST0000.stats=\nsnapshot_time 1 secs.usecs\nstatfs 5 samples [reqs]\n"
      "obdfilter.fs-OST0001.stats=snapshot_time 1701093031.5 secs.nsecs\n"
      "mdt.fs-MDT0000.md_stats=\nsnapshot_time 1701093031.0 secs.nsecs\ngetattr 5 samples [usecs] 1 2 3 4\n");
  // The second table's only line stands behind the '='.
  EXPECT_EQ(samples_of(g, {"fs-OST0000", "fs", ""}).size(), 1u);
  const auto idle = samples_of(g, {"fs-OST0001", "fs", ""});
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_EQ(idle[0].has, io);
  EXPECT_EQ(idle[0].values, Counters{});
  const auto mdt = samples_of(g, {"fs-MDT0000", "fs", ""});
  ASSERT_EQ(mdt.size(), 1u);
  EXPECT_EQ(mdt[0].has, open_close);
}

TEST(LustreStats, SnapshotsPutTogetherWithComments) {
  const Gathered g = read(
      "# host=oss01 time=1704924117.5\nobdfilter.fs-OST0000.stats=\nwrite_bytes 1 samples [bytes] 4 4 4\n"
      "# host=oss01 time=1704924127.5\nobdfilter.fs-OST0000.stats=\nwrite_bytes 2 samples [bytes] 4 4 8\n"
      "# host=oss01 target=fs-OST0007\nsnapshot_time 1704924128.000000000 secs.nsecs\nwrite_bytes 2 samples [bytes] 4 4 9\n"
      "# host=oss01 time=yesterday\nobdfilter.fs-OST0000.stats=\nwrite_bytes 3 samples [bytes] 4 4 12\n");
  const auto samples = samples_of(g, {"fs-OST0000", "fs", ""});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].t, time_from_micros(1704924117500000));
  EXPECT_EQ(samples[1].t - samples[0].t, std::chrono::seconds(10));
  EXPECT_EQ(value(samples[1], Counter::write_bytes), 8u);
  EXPECT_EQ(samples_of(g, {"fs-OST0007", "fs", ""}).size(), 1u);
  // The last comment's time is no time, and then its table has none.
  EXPECT_EQ(g.account.rejected, 2u);
  EXPECT_EQ(g.account.first_rejects[0].line, 10u);
}

TEST(LustreStats, DuplicatesUnitsAndHugeSquares) {
  // The later of two lines counts; a sum of squares beyond 2^64 does not matter; [regs] is a known misspelling.
  const Gathered g = read(
      "llite.fs-ffff8.stats=\nsnapshot_time 1510950459.772792457 secs.nsecs\nopen 136 samples [regs]\n"
      "read_bytes 3 samples [bytes] 1 1 3\nread_bytes 7 samples [bytes] 1 1 9 99999999999999999999999999\n"
      "llite.fs-ffff9.stats=\nsnapshot_time 1510950459.772792457 secs.nsecs\nclose 1 samples [regs]\n");
  const auto samples = samples_of(g, {"fs-ffff8", "fs", ""});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].has, io | open_close);
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 9u);
  EXPECT_EQ(value(samples[0], Counter::read_ops), 7u);
  EXPECT_EQ(value(samples[0], Counter::opens), 136u);
  EXPECT_EQ(samples_of(g, {"fs-ffff9", "fs", ""}).size(), 1u);  // two mounts of one file system stay apart
  EXPECT_EQ(g.account.rejected, 0u);
}

TEST(LustreStats, OtherParametersAreLeftOut) {
  const Gathered g = read(
      "memused=978549115\nosd-ldiskfs.fs-OST0000.filesfree=40592\n"
      "osd-ldiskfs.fs-OST0000.brw_stats=\nsnapshot_time:  1716295737.286540466 secs.nsecs\n\n   read      |     write\n"
      "osd-ldiskfs.fs-OST0000.stats=\nsnapshot_time 1716295737.1 secs.nsecs\nget_page 375 samples [usecs] 1 23 2956 28656\n"
      "obdfilter.fs-OST0000.exports.10.73.20.12@tcp.stats=\nsnapshot_time 1716295737.1 secs.nsecs\nread_bytes 1 samples [bytes] 1 1 1\n"
      "ost.OSS.ost.stats=\nsnapshot_time 1716295737.1 secs.nsecs\nreq_active 21 samples [reqs] 1 1 21 21\n"
      "obdfilter.fs-OST0000.job_stats=job_stats:\n");
  EXPECT_EQ(g.account.samples, 0u);
  EXPECT_EQ(g.account.rejected, 0u);
  EXPECT_EQ(g.account.left_out.at("other Lustre parameter"), 4u);
  EXPECT_EQ(g.account.left_out.at("osd stats without byte counters"), 1u);
  EXPECT_EQ(g.account.left_out.at("stats of one client (exports)"), 1u);
  EXPECT_EQ(g.account.left_out.at("job_stats table (read by lustre_job_stats)"), 1u);
}

TEST(LustreStats, OsdWithBytesCountsUnlessObdfilterDoes) {
  const std::string table = "snapshot_time 1716295737.1 secs.nsecs\nread_bytes 1 samples [bytes] 7 7 7\n";
  const Gathered g =
      read("osd-zfs.fs-OST0001.stats=\n" + table + "obdfilter.fs-OST0002.stats=\n" + table + "osd-zfs.fs-OST0002.stats=\n" + table);
  EXPECT_EQ(samples_of(g, {"fs-OST0001", "fs", ""}).at(0).has, io);
  EXPECT_EQ(samples_of(g, {"fs-OST0002", "fs", ""}).size(), 1u);
}

TEST(LustreStats, BadLinesAreCountedAndTheirCountersUnknown) {
  const Gathered g = read(
      "obdfilter.fs-OST0000.stats=\nsnapshot_time 1716295737.1 secs.nsecs\nread_bytes 1 samples [bytes] 7 7\n"
      "write_bytes 1 samples [bytes] 7 7 7\nerror: get_param: no such file\n");
  ASSERT_EQ(g.batch.samples.size(), 1u);
  EXPECT_EQ(g.batch.samples[0].has, mask(Counter::write_bytes) | mask(Counter::write_ops));
  EXPECT_EQ(g.account.rejected, 2u);
  EXPECT_EQ(g.account.first_rejects[0].line, 3u);
}

TEST(LustreStats, TheServersNameComesFromThePathOrTheUser) {
  const std::string table = "snapshot_time 1716295737.1 secs.nsecs\nread_bytes 1 samples [bytes] 7 7 7\n";
  const auto server = [&](std::string path, const std::string& given) {
    ReadOptions options;
    options.default_server = given;
    const Gathered g = read(table, options, std::move(path));
    return g.batch.samples.empty() ? SeriesName{} : g.series.name(g.batch.samples[0].series);
  };
  EXPECT_EQ(server("/proc/fs/lustre/obdfilter/OST0001/stats", "x"), (SeriesName{"OST0001", "", ""}));
  EXPECT_EQ(server("a/scratch-OST00af.stats.gz", "x"), (SeriesName{"scratch-OST00af", "scratch", ""}));
  EXPECT_EQ(server("obdfilter.two-part-OST0001.stats", ""), (SeriesName{"two-part-OST0001", "two-part", ""}));
  EXPECT_EQ(server("/proc/fs/lustre/llite/fs-ffff88105db50000/stats", "x"), (SeriesName{"fs-ffff88105db50000", "fs", ""}));
  EXPECT_EQ(server("dump.txt", "fs-OST0003"), (SeriesName{"fs-OST0003", "fs", ""}));
  EXPECT_EQ(server("oss07/stats", ""), (SeriesName{"oss07", "", ""}));
  EXPECT_EQ(server("stats", ""), SeriesName{});
  EXPECT_EQ(server("/proc/fs/lustre/obdfilter/OST0001/exports/10.2.4.27@o2ib1/stats", ""), SeriesName{});
}

TEST(LustreStats, TelegrafsNumbers) {
  // telegraf's expected.out: read_bytes=78026117632000u,read_calls=203238095u,write_bytes=15201500833981u,write_calls=71893382u,
  // open=1024577037u,close=873243496u
  const std::string root = real_file("telegraf-lustre2/v2.12/proc/fs/lustre/");
  SKIP_WITHOUT(root);
  const auto ost = gather_file(lustre_stats, root + "obdfilter/OST0001/stats");
  ASSERT_TRUE(ost);
  ASSERT_EQ(ost->batch.samples.size(), 1u);
  const Sample sample = samples_of(*ost, {"OST0001", "", ""}).at(0);
  EXPECT_EQ(value(sample, Counter::read_bytes), 78026117632000u);
  EXPECT_EQ(value(sample, Counter::read_ops), 203238095u);
  EXPECT_EQ(value(sample, Counter::write_bytes), 15201500833981u);
  EXPECT_EQ(value(sample, Counter::write_ops), 71893382u);
  const auto mdt = gather_file(lustre_stats, root + "mdt/OST0001/md_stats");
  ASSERT_TRUE(mdt);
  EXPECT_EQ(value(mdt->batch.samples.at(0), Counter::opens), 1024577037u);
  EXPECT_EQ(value(mdt->batch.samples.at(0), Counter::closes), 873243496u);
  EXPECT_EQ(mdt->batch.samples.at(0).t, time_from_micros(1438693238020113));
  for (const char* others : {"osd-ldiskfs/OST0001/stats", "obdfilter/OST0001/exports/10.2.4.27@o2ib1/stats"}) {
    const auto none = gather_file(lustre_stats, root + others);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->account.samples + none->account.rejected, 0u) << others;
  }
}

TEST(LustreStats, LustreExportersFiles) {
  const std::string root = real_file("lustre_exporter/proc/fs/lustre/");
  SKIP_WITHOUT(root);
  // lustrefs-OST0000 has written 16552048697344 bytes and read none; the file has statfs twice. OST0002 was idle.
  const auto busy = gather_file(lustre_stats, root + "obdfilter/lustrefs-OST0000/stats");
  ASSERT_TRUE(busy);
  EXPECT_EQ(value(samples_of(*busy, {"lustrefs-OST0000", "lustrefs", ""}).at(0), Counter::write_bytes), 16552048697344u);
  EXPECT_EQ(value(busy->batch.samples[0], Counter::read_bytes), 0u);
  EXPECT_EQ(busy->account.rejected, 0u);
  const auto idle = gather_file(lustre_stats, root + "obdfilter/lustrefs-OST0002/stats");
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->batch.samples.at(0).has, io);
  const auto client = gather_file(lustre_stats, root + "llite/lustrefs-ffff88105db50000/stats");
  ASSERT_TRUE(client);
  const Sample mount = samples_of(*client, {"lustrefs-ffff88105db50000", "lustrefs", ""}).at(0);
  EXPECT_EQ(value(mount, Counter::opens), 136u);
  EXPECT_EQ(value(mount, Counter::write_bytes), 93813797294080u);
}

// open 10 + close 8 + mknod 3 + unlink 2 + getattr 1000000 + setattr 40 + statfs 7 = 1000070. statfs stands twice: the later line counts.
// Not in it: connecting, notes among servers, and crossdir_rename, which is a kind of rename.
TEST(LustreStats, MetadataOperationsOfAnMdt) {
  const std::string table =
      "mdt.fs-MDT0000.md_stats=\nsnapshot_time 1700000000.0 secs.usecs\nopen 10 samples [reqs]\nclose 8 samples [reqs]\nmknod 3 samples "
      "[reqs]\n"
      "unlink 2 samples [reqs]\nstatfs 999 samples [reqs]\ngetattr 1000000 samples [reqs]\nsetattr 40 samples [reqs]\ncrossdir_rename 4 "
      "samples [reqs]\n"
      "connect 70 samples [reqs]\ndisconnect 60 samples [reqs]\nprocess_config 5 samples [reqs]\nnotify 2 samples [reqs]\nllog_init 1 "
      "samples [reqs]\n"
      "statfs 7 samples [reqs]\n";
  const Gathered g = read(table);
  const auto samples = samples_of(g, {"fs-MDT0000", "fs", ""});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].has, open_close);
  EXPECT_EQ(value(samples[0], Counter::metadata_ops), 1000070u);
  EXPECT_EQ(value(samples[0], Counter::opens), 10u);
  const Gathered broken = read(table + "getxattr x samples [reqs]\n");
  EXPECT_EQ(broken.batch.samples.at(0).has, mask(Counter::opens) | mask(Counter::closes));  // the sum is unknown, not too small
  EXPECT_EQ(broken.account.rejected, 1u);
}

/// What lustrefs-exporter's own parser made of a dump: per target, sums and samples by name.
std::map<std::string, Counters> snapshot_of(const std::string& path) {
  std::map<std::string, Counters> targets;
  std::ifstream file(path);
  std::string line, before, param, target, stat;
  while (std::getline(file, line)) {
    const std::string_view text = trim(line);
    const std::string word(text.substr(0, text.find(',')));
    if (before == "param: Param(") param = word;
    if (before == "target: Target(") target = word.substr(1, word.size() - 2);
    if (text.starts_with("name: ")) stat = word.substr(6);
    const bool ours = param == "\"stats\"" || param == "\"md_stats\"";
    const auto number = text.starts_with("samples: ") ? parse_u64(word.substr(9)) : before == "sum: Some(" ? parse_u64(word) : std::nullopt;
    if (ours && number) {
      const bool samples = text.starts_with("samples: ");
      if (stat == "\"read_bytes\"") targets[target][index(samples ? Counter::read_ops : Counter::read_bytes)] = *number;
      if (stat == "\"write_bytes\"") targets[target][index(samples ? Counter::write_ops : Counter::write_bytes)] = *number;
      if (stat == "\"open\"" && samples) targets[target][index(Counter::opens)] = *number;
      if (stat == "\"close\"" && samples) targets[target][index(Counter::closes)] = *number;
      // In these dumps MDTs and mounts show no operation that does not count; OSTs have none that do.
      const bool data = stat == "\"read_bytes\"" || stat == "\"write_bytes\"" || stat == "\"read\"" || stat == "\"write\"";
      const bool counts = target.find("MDT") != std::string::npos || target.find("-ffff") != std::string::npos;
      if (counts && samples && !data) targets[target][index(Counter::metadata_ops)] += *number;
    }
    before = text;
  }
  return targets;
}

TEST(LustreStats, AgreesWithLustrefsExporter) {
  const std::string root = real_file("lustrefs-exporter/");
  SKIP_WITHOUT(root);
  const std::pair<const char*, const char*> pairs[] = {
      {"valid.txt", "valid.txt"},
      {"valid2.txt", "valid2.txt"},
      {"valid_mds.txt", "valid_mds.txt"},
      {"lustre-2.14.0_ddn145/2.14.0_ddn145_stats.txt", "lustre-2.14.0_ddn145__2.14.0_ddn145_stats.txt"}};
  for (const auto& [dump, expected] : pairs) {
    const auto truth = snapshot_of(root + "expected/lustre_collector__parser__tests__valid_fixture_" + expected + ".snap");
    const auto g = gather_file(lustre_stats, root + "lustre-collector/valid/" + dump);
    ASSERT_TRUE(g) << dump;
    EXPECT_EQ(g->account.rejected, 0u) << dump;
    EXPECT_GE(g->account.samples, 3u) << dump;  // two OSTs and an MDT in each
    std::size_t compared = 0;
    for (const Sample& sample : g->batch.samples) {
      const auto found = truth.find(std::string(g->series.server(sample.series)));
      EXPECT_EQ(sample.values, found == truth.end() ? Counters{} : found->second) << dump << " " << g->series.server(sample.series);
      compared += found != truth.end();
    }
    EXPECT_EQ(compared, truth.size()) << dump;
  }
}

TEST(LustreStats, WholeDumpsOfThreeVersions) {
  const std::string root = real_file("lustrefs-exporter/lustre-collector/valid/");
  SKIP_WITHOUT(root);
  // From the file: OST0000 57978280017920 read, 46800216580096 written; OST0001 70989294964736, 53949180923904. The many exports are not
  // added.
  const auto g = gather_file(lustre_stats, root + "lustre-2.14.0_ddn133/2.14.0_ddn133_exports.txt");
  ASSERT_TRUE(g);
  std::uint64_t read_bytes = 0, write_bytes = 0;
  for (const Sample& sample : g->batch.samples) {
    read_bytes += sample.values[index(Counter::read_bytes)];
    write_bytes += sample.values[index(Counter::write_bytes)];
  }
  EXPECT_EQ(read_bytes, 57978280017920u + 70989294964736u);
  EXPECT_EQ(write_bytes, 46800216580096u + 53949180923904u);
  EXPECT_EQ(g->account.rejected, 0u);
  const auto client = gather_file(lustre_stats, root + "lustre-2-14-0/client/llite_client.txt");
  ASSERT_TRUE(client);
  EXPECT_EQ(value(samples_of(*client, {"ai400x2-ff47bce9ca35d800", "ai400x2", ""}).at(0), Counter::opens), 35955554u);
  for (const char* name : {"ex8761-lctl.txt", "params-6.2.0-r9.txt", "valid_no_newline.txt", "valid_unhealthy_host.txt"}) {
    auto input = LineInput::open(root + name);
    ASSERT_TRUE(input);
    const auto reader = reader_for(*input);
    ASSERT_TRUE(reader) << name;
    EXPECT_EQ((*reader)->name, "lustre_stats") << name;
    const auto gathered = gather(**reader, *std::move(input));
    ASSERT_TRUE(gathered);
    EXPECT_EQ(gathered->account.rejected, 0u) << name;
    EXPECT_EQ(gathered->account.samples, 3u) << name;
  }
}

TEST(LustreStats, RecognisesItsOwn) {
  EXPECT_EQ(recognised(lustre_stats.example), "lustre_stats");
  EXPECT_EQ(recognised("snapshot_time             1438693135.640551 secs.usecs\nread_bytes 1 samples"), "lustre_stats");
  EXPECT_EQ(recognised("memused=978549115\nhealth_check=healthy\nmdt.fs-MDT0000.num_exports=8\n"), "lustre_stats");
  EXPECT_EQ(recognised("snapshot_time:            1716295737.286540466 secs.nsecs\n"), "");  // brw_stats
  EXPECT_EQ(recognised("_fs_io_s_ _n_ 10.22.0.106 _nn_ ib-pitzer-rw02.ten _rc_ 0 _t_ 1579358234"), "gpfs_mmpmon");
  EXPECT_EQ(recognised("; Version: 2.2\n1 0 -1 5\n"), "swf");
  EXPECT_EQ(recognised("12/21/2009 15:27:00;E;6.batch;user=u0417 group=staff\n"), "pbs_accounting");
}

}  // namespace
}  // namespace fathom
