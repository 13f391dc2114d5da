// SPDX-License-Identifier: Apache-2.0
#include "ingest/job_id_pattern.h"
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader lustre_job_stats;

namespace {

constexpr CounterMask io = mask(Counter::read_bytes) | mask(Counter::write_bytes) | mask(Counter::read_ops) | mask(Counter::write_ops);

Gathered read(std::string_view text, const ReadOptions& options = {}, std::string name = "fs-OST0001.job_stats") {
  auto gathered = gather(lustre_job_stats, text, options, std::move(name));
  EXPECT_TRUE(gathered.has_value());
  return *std::move(gathered);
}

std::string entry(std::string_view id, int second, int bytes) {
  return "- job_id:          " + std::string(id) + "\n  snapshot_time:   " + std::to_string(second) +
         "\n  read_bytes:      { samples: 1, unit: bytes, min: 4, max:4, sum: " + std::to_string(bytes) +
         " }\n  write_bytes:     { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }\n  getattr: { samples: 0, unit:  reqs }\n";
}

TEST(JobIdPattern, PuhtisList) {
  // Ids of a real site (CSC Puhti) whose setting was %j:%u:%H: only the first is whole.
  const auto pattern = JobIdPattern::parse("%j:%u:%H");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->job("11317854:17627127:r01c01"), "11317854");
  for (const char* bad : {":17627127:r01c01", "wget", "wget.", "11317854:", "113178544", "11317854:17627127:r01c01.bullx",
                          ":1317854:17627127:r01c01", "wget.11317854", "kworker/86:1.0", "11317854:17627127:", "11317854:root:r01c01", ""})
    EXPECT_EQ(pattern->job(bad), std::nullopt) << bad;
}

TEST(JobIdPattern, OtherSettings) {
  const auto by_program = JobIdPattern::parse("%e.%u");
  ASSERT_TRUE(by_program);
  EXPECT_EQ(by_program->job("wget.11317854"), "wget.11317854");  // no %j: all of it
  EXPECT_EQ(by_program->job("kworker/86:1.0"), "kworker/86:1.0");
  EXPECT_EQ(by_program->job("a.out.1000"), "a.out.1000");
  EXPECT_EQ(by_program->job("wget."), std::nullopt);
  EXPECT_FALSE(by_program->splits_jobs());
  EXPECT_EQ(JobIdPattern::parse("slurm-%j")->job("slurm-815871"), "815871");
  EXPECT_EQ(JobIdPattern::parse("%j")->job("815871"), "815871");
  EXPECT_EQ(JobIdPattern::parse("%e-%j.%h")->job("my-app-77.n1.site"), "77");  // the program takes what it can, the job stops at its dot
  EXPECT_EQ(JobIdPattern::parse("")->job("any thing"), "any thing");
  EXPECT_FALSE(JobIdPattern::parse("%x"));
  EXPECT_FALSE(JobIdPattern::parse("%j%"));
  EXPECT_TRUE(JobIdPattern::parse("%j:%u:%H")->splits_jobs());
}

TEST(LustreJobStats, ItsExample) {
  const Gathered g = read(lustre_job_stats.example);
  const auto samples = samples_of(g, {"scratch-OST0042", "scratch", "815871"});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].has, io);
  EXPECT_EQ(samples[0].traits, drop_is_expiry);
  EXPECT_EQ(samples[0].t, time_from_seconds(1713431141));
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 8039751680u);
  EXPECT_EQ(value(samples[0], Counter::read_ops), 937568u);
  EXPECT_EQ(value(samples[0], Counter::write_bytes), 3152019456u);
  ASSERT_EQ(g.batch.marks.size(), 1u);
  EXPECT_EQ(g.batch.marks[0], (Mark{"scratch-OST0042", "scratch", MarkKind::visit, time_from_seconds(1713431141), 1}));
}

TEST(LustreJobStats, EachTableIsAVisit) {
  const Gathered g = read("job_stats:\n" + entry("1", 1700000010, 10) + entry("2", 1700000030, 20) + entry("3", 1700000020, 5) +
                          "job_stats:\n"  // empty and without a time: no visit
                          "# host=oss01 time=1700000100.25\njob_stats:\n"
                          "obdfilter.fs-OST0002.job_stats=job_stats:\n");
  ASSERT_EQ(g.batch.samples.size(), 3u);
  ASSERT_EQ(g.batch.marks.size(), 3u);
  EXPECT_EQ(g.batch.marks[0].t, time_from_seconds(1700000030));
  EXPECT_EQ(g.batch.marks[1], (Mark{"fs-OST0001", "fs", MarkKind::visit, time_from_micros(1700000100250000), 1}));
  EXPECT_EQ(g.batch.marks[2], (Mark{"fs-OST0002", "fs", MarkKind::visit, time_from_micros(1700000100250000), 1}));
  EXPECT_EQ(g.account.rejected, 0u);
}

TEST(LustreJobStats, AnIdleEntryWasReadAllTheSame) {
  // The job's last request was at 10 s. At 20 s and 30 s the table still says so: its counters are known then, and no increment spans the
  // pause.
  std::string text;
  for (const int t : {1700000010, 1700000020, 1700000030})
    text += "# host=oss01 time=" + std::to_string(t) + "\njob_stats:\n" + entry("7", 1700000010, 10);
  const Gathered g = read(text);
  ASSERT_EQ(g.batch.samples.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(g.batch.samples[i].t, time_from_seconds(1700000010 + 10 * static_cast<std::int64_t>(i)));
}

TEST(LustreJobStats, TimesAndIdsOf215) {
  const Gathered g = read(
      "job_stats:\n- job_id:          \"my app.1000\"\n  snapshot_time:   1704924117.040584137 secs.nsecs\n"
      "  start_time:      1704403917.045921397 secs.nsecs\n  elapsed_time:    520199.994662740 secs.nsecs\n"
      "  open:            { samples: 5, unit: usecs, min: 1, max: 2, sum: 7, sumsq: 9 }\n"
      "  close:           { samples: 4, unit: usecs, min: 1, max: 2, sum: 7, sumsq: 9, hist: { 1: 2, 2: 2 } }\n",
      {}, "/proc/fs/lustre/mdt/fs-MDT0000/job_stats");
  const auto samples = samples_of(g, {"fs-MDT0000", "fs", "my app.1000"});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].t, time_from_micros(1704924117040584));
  EXPECT_EQ(samples[0].since, time_from_micros(1704403917045921));
  EXPECT_EQ(samples[0].has, mask(Counter::opens) | mask(Counter::closes) | mask(Counter::metadata_ops));
  EXPECT_EQ(value(samples[0], Counter::opens), 5u);
  EXPECT_EQ(value(samples[0], Counter::closes), 4u);
  EXPECT_EQ(value(samples[0], Counter::metadata_ops), 9u);
}

// open 5 + close 4 + getattr 1000 + rename 3 + setxattr 2 = 1014: samedir_rename counts the renames again, punch moves data.
TEST(LustreJobStats, MetadataOperationsOfAnMdt) {
  const std::string lines =
      "- job_id: 7\n  snapshot_time: 1700000000\n  open: { samples: 5, unit: reqs }\n  close: { samples: 4, unit: reqs }\n"
      "  getattr: { samples: 1000, unit: reqs }\n  rename: { samples: 3, unit: reqs }\n  samedir_rename: { samples: 3, unit: reqs }\n"
      "  setxattr: { samples: 2, unit: reqs }\n  punch: { samples: 50, unit: reqs }\n";
  const Gathered mdt = read("mdt.fs-MDT0000.job_stats=\njob_stats:\n" + lines);
  EXPECT_EQ(value(samples_of(mdt, {"fs-MDT0000", "fs", "7"}).at(0), Counter::metadata_ops), 1014u);
  // A line that was cut off: what is known of opens stands, the sum is unknown.
  const Gathered cut = read("mdt.fs-MDT0000.job_stats=\njob_stats:\n" + lines + "  unlink: { samples: 5, un\n");
  EXPECT_EQ(samples_of(cut, {"fs-MDT0000", "fs", "7"}).at(0).has, mask(Counter::opens) | mask(Counter::closes));
  EXPECT_EQ(cut.account.rejected, 1u);
}

// An OST shows getattr and statfs too; they are no work of a metadata server.
TEST(LustreJobStats, AnOstHasNoMetadataOperations) {
  const Gathered g = read(
      "obdfilter.fs-OST0001.job_stats=\njob_stats:\n- job_id: 7\n  snapshot_time: 1700000000\n"
      "  read_bytes: { samples: 1, unit: bytes, min: 1, max: 1, sum: 1 }\n  getattr: { samples: 9, unit: reqs }\n  statfs: { samples: 9, "
      "unit: reqs }\n");
  EXPECT_EQ(samples_of(g, {"fs-OST0001", "fs", "7"}).at(0).has, mask(Counter::read_bytes) | mask(Counter::read_ops));
}

TEST(LustreJobStats, RejectsAreCountedWithTheirReason) {
  ReadOptions options;
  options.job_id_pattern = "%j:%u:%H";
  const Gathered g =
      read("job_stats:\n" + entry("", 1700000010, 10) + entry("wget", 1700000010, 10) + entry("7:1000:r01", 1700000010, 10) +
               "- job_id: 8:1000:r01\n  read_bytes: { samples: 1, unit: bytes, min: 1, max: 1, sum: 1 }\n" +
               "- job_id: 9:1000:r01\n  snapshot_time: 1700000040\n  read_bytes: { samples: 1, unit: bytes, min: 1, max: 1, sum: x }\n",
           options);
  EXPECT_EQ(g.account.samples, 1u);
  EXPECT_EQ(samples_of(g, {"fs-OST0001", "fs", "7"}).size(), 1u);
  ASSERT_EQ(g.account.rejected, 5u);
  EXPECT_EQ(g.account.first_rejects[0].why, "an entry with an empty job_id");
  EXPECT_EQ(g.account.first_rejects[0].line, 2u);
  EXPECT_EQ(g.account.first_rejects[1].why, "a job_id that does not match the pattern (--job-id-pattern)");
  EXPECT_EQ(g.account.first_rejects[2].why, "an entry without snapshot_time (--time gives one)");
  EXPECT_EQ(g.account.first_rejects[3].why, "a counter that is cut off or not a number");
  EXPECT_EQ(g.account.first_rejects[4].why, "an entry without counters");
  EXPECT_EQ(g.batch.marks.at(0).t, time_from_seconds(1700000040));  // the target was visited all the same
}

TEST(LustreJobStats, OneJobOnSeveralHostsIsAddedUp) {
  ReadOptions options;
  options.job_id_pattern = "%j:%u:%H";
  // 10 + 25 = 35 bytes, the later of the two times.
  const Gathered g =
      read("job_stats:\n" + entry("7:1000:r01", 1700000010, 10) + entry("8:1000:r03", 1700000010, 1) + entry("7:1000:r02", 1700000020, 25),
           options);
  const auto samples = samples_of(g, {"fs-OST0001", "fs", "7"});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 35u);
  EXPECT_EQ(value(samples[0], Counter::read_ops), 2u);
  EXPECT_EQ(samples[0].t, time_from_seconds(1700000020));
  EXPECT_EQ(g.account.samples, 2u);
}

TEST(LustreJobStats, AnEntryCutOffByTheEndOfTheFile) {
  const std::string whole = "job_stats:\n" + entry("7", 1700000010, 1234);
  const auto cut_before = [&](std::string_view where) { return read(whole.substr(0, whole.find(where))); };
  EXPECT_EQ(cut_before("  getattr").batch.samples.at(0).has, io);
  // Inside a line, a number cut short would pass for a smaller one: the line does not count.
  const Gathered inside = cut_before("34 }");
  EXPECT_EQ(inside.account.samples, 0u);
  EXPECT_EQ(inside.account.rejected, 2u);
  EXPECT_EQ(cut_before("  snapshot_time").account.samples, 0u);
}

TEST(LustreJobStats, EntriesWithoutEnd) {
  std::string text = "job_stats:\n" + entry("7", 1700000010, 1);
  for (int i = 0; i < 1000; ++i) text += "  field" + std::to_string(i) + ": { samples: 1 }\n";
  const Gathered g = read(text + entry("8", 1700000010, 1) + entry(std::string(300, 'x'), 1700000010, 1));
  EXPECT_EQ(g.account.samples, 1u);
  EXPECT_EQ(g.account.rejected, 2u);
}

TEST(LustreJobStats, OtherParametersAreLeftOut) {
  const Gathered g =
      read("memused=5\nobdfilter.fs-OST0001.stats=\nsnapshot_time 1 secs.usecs\nobdfilter.fs-OST0001.job_stats=\njob_stats:\n" +
           entry("7", 1700000010, 1) + "mdt.fs-MDT0000.job_stats=\njob_stats:\n");
  EXPECT_EQ(g.account.samples, 1u);
  EXPECT_EQ(g.account.rejected, 0u);
  EXPECT_EQ(g.account.left_out.size(), 2u);
}

TEST(LustreJobStats, AWrongPatternIsAnError) {
  ReadOptions options;
  options.job_id_pattern = "%z";
  EXPECT_FALSE(gather(lustre_job_stats, lustre_job_stats.example, options));
}

TEST(LustreJobStats, TelegrafsNumbers) {
  // telegraf's expected.out, jobid=cluster-testjob1: read_bytes=4096u read_calls=1u write_bytes=26214400u write_calls=25u open=5u close=4u;
  // jobid=testjob2: 1024, 1, 51200, 25, 6, 7
  const std::string root = real_file("telegraf-lustre2/v2.12/proc/fs/lustre/");
  SKIP_WITHOUT(root);
  const auto ost = gather_file(lustre_job_stats, root + "obdfilter/OST0001/job_stats");
  const auto mdt = gather_file(lustre_job_stats, root + "mdt/OST0001/job_stats");
  ASSERT_TRUE(ost && mdt);
  EXPECT_EQ(ost->account.rejected + mdt->account.rejected, 0u);
  const struct {
    const char* job;
    std::uint64_t read_bytes, read_ops, write_bytes, write_ops, opens, closes;
  } truths[] = {{"cluster-testjob1", 4096, 1, 26214400, 25, 5, 4}, {"testjob2", 1024, 1, 51200, 25, 6, 7}};
  for (const auto& truth : truths) {
    const Sample io_sample = samples_of(*ost, {"OST0001", "", truth.job}).at(0);
    EXPECT_EQ(value(io_sample, Counter::read_bytes), truth.read_bytes);
    EXPECT_EQ(value(io_sample, Counter::read_ops), truth.read_ops);
    EXPECT_EQ(value(io_sample, Counter::write_bytes), truth.write_bytes);
    EXPECT_EQ(value(io_sample, Counter::write_ops), truth.write_ops);
    const Sample md_sample = samples_of(*mdt, {"OST0001", "", truth.job}).at(0);
    EXPECT_EQ(value(md_sample, Counter::opens), truth.opens);
    EXPECT_EQ(value(md_sample, Counter::closes), truth.closes);
  }
  EXPECT_EQ(ost->batch.marks.at(0).t, time_from_seconds(1461772761));
}

TEST(LustreJobStats, LustreExportersFiles) {
  const std::string root = real_file("lustre_exporter/proc/fs/lustre/");
  SKIP_WITHOUT(root);
  // 36 entries, the first with an empty job_id; without it, added by another program: 17920000 read, 3050062635008 written.
  const auto g = gather_file(lustre_job_stats, root + "obdfilter/lustrefs-OST0000/job_stats");
  ASSERT_TRUE(g);
  EXPECT_EQ(g->account.samples, 35u);
  EXPECT_EQ(g->account.rejected, 1u);
  std::uint64_t read_bytes = 0, write_bytes = 0;
  for (const Sample& sample : g->batch.samples) {
    read_bytes += value(sample, Counter::read_bytes);
    write_bytes += value(sample, Counter::write_bytes);
  }
  EXPECT_EQ(read_bytes, 17920000u);
  EXPECT_EQ(write_bytes, 3050062635008u);
  const auto empty = gather_file(lustre_job_stats, root + "obdfilter/lustrefs-OST0004/job_stats");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->batch.empty());
  EXPECT_EQ(empty->account.rejected, 0u);
}

TEST(LustreJobStats, RecognisesItsOwn) {
  EXPECT_EQ(recognised(lustre_job_stats.example), "lustre_job_stats");
  EXPECT_EQ(recognised("job_stats:\n"), "lustre_job_stats");
  EXPECT_EQ(recognised("# host=oss01 time=1704924117.04\njob_stats:\n- job_id: 5\n"), "lustre_job_stats");
  EXPECT_EQ(recognised("obdfilter.fs-OST0000.num_exports=2\nobdfilter.fs-OST0001.job_stats=job_stats:\n"), "lustre_job_stats");
  EXPECT_FALSE(lustre_job_stats.recognises("jobid|jobidraw|cluster|partition\n165381|165381|phillips|crumpet\n", "x"));
}

}  // namespace
}  // namespace fathom
