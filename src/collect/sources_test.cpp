// SPDX-License-Identifier: Apache-2.0
// Every live source on a tree, a program or a server of its own.
#include <gtest/gtest.h>

#include "collect/metrics_server.h"
#include "collect/poller.h"
#include "collect/source.h"
#include "tests/support/made_folder.h"
#include "tests/support/source_dir.h"

namespace fathom {
namespace {

std::unique_ptr<LiveSource> opened(const std::string& word) {
  auto chosen = choose_source(word);
  EXPECT_TRUE(chosen) << chosen.error().message;
  if (!chosen) return nullptr;
  chosen->settings.host = "node7";
  auto source = chosen->kind->open(chosen->settings);
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

std::string refusal(const std::string& word) {
  const auto chosen = choose_source(word);
  if (!chosen) return chosen.error().message;
  const auto source = chosen->kind->open(chosen->settings);
  return source ? "" : source.error().message;
}

/// One poll of a word's source; the test fails where that fails.
Polled polled(LiveSource& source) {
  auto once = poll_once(source, "word");
  EXPECT_TRUE(once) << once.error().message;
  return once ? std::move(*once) : Polled{};
}

const Sample* sample_of(const Polled& poll, const SeriesName& name) {
  for (const Sample& sample : poll.samples)
    if (poll.series.name(sample.series) == name) return &sample;
  return nullptr;
}

TEST(SourceWord, SettingsAndTheirMistakes) {
  const auto chosen = choose_source(R"(block:root=/a\,b\\c,devices=sd* nvme*)");
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->settings.get("root"), "/a,b\\c");
  EXPECT_EQ(chosen->settings.get("devices"), "sd* nvme*");
  EXPECT_EQ(chosen->settings.get("host", "x"), "x");
  EXPECT_NE(refusal("blok").find("block lustre gpfs_mmpmon nfs gluster prometheus"), std::string::npos);
  EXPECT_NE(refusal("block:rot=/x").find("root"), std::string::npos);
  EXPECT_NE(refusal("block:root").find("needs a value"), std::string::npos);
  EXPECT_NE(refusal("block:root=/a,root=/b").find("twice"), std::string::npos);
  EXPECT_NE(refusal("lustre:jobs=maybe").find("yes or no"), std::string::npos);
  EXPECT_NE(refusal("gluster").find("needs a volume"), std::string::npos);
  EXPECT_NE(refusal("gluster:volume=--help").find("needs a volume"), std::string::npos);
  EXPECT_NE(refusal("gpfs_mmpmon:timeout=-1").find("timeout"), std::string::npos);
  EXPECT_NE(refusal("prometheus:url=http://a").find("map="), std::string::npos);
  EXPECT_NE(refusal("prometheus:url=http://a,map=/nowhere/map.toml").find("/nowhere/map.toml"), std::string::npos);
}

// sda: 10 sectors read, 20 written; the loop device, the volume on top of sda and the hidden path are left out unless they are named.
TEST(BlockSource, DevicesThatStoreByThemselves) {
  MadeFolder tree;
  for (const char* name : {"sda", "loop0", "dm-0", "nvme0c0n1"}) tree.write(std::string(name) + "/stat", "1 0 10 0 2 0 20 0 0 0 0\n");
  tree.write("dm-0/slaves/sda", "");
  tree.write("nvme0c0n1/hidden", "1\n");
  tree.write("sdb/stat", "nonsense\n");
  const auto source = opened("block:root=" + tree.path());
  const Polled poll = polled(*source);
  ASSERT_EQ(poll.samples.size(), 1u);
  EXPECT_EQ(poll.account.rejected, 1u);  // sdb
  const Sample* sda = sample_of(poll, {"node7:sda", "block", ""});
  ASSERT_NE(sda, nullptr);
  EXPECT_EQ(sda->values, (Counters{5120, 10240, 1, 2, 0, 0, 0, 0}));
  EXPECT_EQ(polled(*opened("block:host=,devices=dm-* loop?,root=" + tree.path())).samples.size(), 2u);
  EXPECT_FALSE(poll_once(*opened("block:root=/nowhere"), "word"));
}

constexpr const char* ost_stats =
    "snapshot_time             1704924117.040584137 secs.nsecs\n"
    "read_bytes                5 samples [bytes] 1048576 1048576 5242880 1\n"
    "write_bytes               3 samples [bytes] 1048576 1048576 3145728 1\n";

// The OST's stats and one job's, the MDT's opens; osd-zfs repeats what obdfilter says and is read only for the other target.
TEST(LustreSource, ReadsATree) {
  MadeFolder tree;
  tree.write("obdfilter/work-OST0001/stats", ost_stats);
  tree.write("obdfilter/work-OST0001/exports/10.0.0.1@tcp/stats", ost_stats);
  tree.write("osd-zfs/work-OST0001/stats", ost_stats);
  tree.write("osd-zfs/work-OST0002/stats", ost_stats);
  tree.write("obdfilter/work-OST0001/job_stats",
             "job_stats:\n- job_id:          4711\n  snapshot_time:   1704924100\n"
             "  read_bytes:      { samples: 5, unit: bytes, min: 1, max: 2, sum: 5242880 }\n"
             "  write_bytes:     { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }\n");
  tree.write("mdt/work-MDT0000/md_stats", "snapshot_time 1704924117.5 secs.usecs\nopen 7 samples [reqs]\nclose 6 samples [reqs]\n");
  const auto source = opened("lustre:root=" + tree.path());
  const Polled poll = polled(*source);
  EXPECT_EQ(poll.account.rejected, 0u);
  EXPECT_EQ(poll.samples.size(), 4u);
  const Sample* ost = sample_of(poll, {"work-OST0001", "work", ""});
  ASSERT_NE(ost, nullptr);
  EXPECT_EQ(ost->values, (Counters{5242880, 3145728, 5, 3, 0, 0, 0, 0}));
  EXPECT_EQ(ost->t, time_from_micros(1704924117040584));
  EXPECT_NE(sample_of(poll, {"work-OST0002", "work", ""}), nullptr);
  const Sample* job = sample_of(poll, {"work-OST0001", "work", "4711"});
  ASSERT_NE(job, nullptr);
  // Nothing was done between the job's last request and the reading of the table.
  ASSERT_EQ(poll.marks.size(), 1u);
  EXPECT_EQ(job->t, poll.marks[0].t);
  const Sample* mdt = sample_of(poll, {"work-MDT0000", "work", ""});
  ASSERT_NE(mdt, nullptr);
  EXPECT_EQ(mdt->values[index(Counter::opens)], 7u);
  // The visit is when the table was read, not when the job last did something.
  EXPECT_EQ(poll.marks[0].kind, MarkKind::visit);
  EXPECT_LT(wall_clock() - poll.marks[0].t, std::chrono::minutes(1));
  EXPECT_EQ(polled(*opened("lustre:jobs=no,root=" + tree.path())).samples.size(), 3u);
  EXPECT_FALSE(poll_once(*opened("lustre:root=/nowhere"), "word"));
}

// The tree of lustre_exporter, which is kept beside the project; not everybody has it.
TEST(LustreSource, ReadsARealTree) {
  const std::string tree = source_dir() + "/../shared/data/lustre_exporter/proc/fs/lustre";
  if (!std::filesystem::exists(tree)) GTEST_SKIP() << "no real data here: " << tree;
  const Polled poll = polled(*opened("lustre:root=" + tree));
  std::size_t targets = 0;
  for (const Sample& sample : poll.samples) targets += poll.series.job(sample.series).empty();
  EXPECT_GE(targets, 4u);  // OST0000, 2, 4 and 6
  EXPECT_NE(sample_of(poll, {"lustrefs-OST0000", "lustrefs", ""}), nullptr);
  ASSERT_EQ(poll.account.rejected, 1u);  // one job had no id there
  EXPECT_EQ(poll.account.first_rejects.front().why, "an entry with an empty job_id");
}

TEST(GpfsSource, RunsACommandWithoutAShell) {
  MadeFolder folder;
  folder.write("answer",
               "_fs_io_s_ _n_ 10.0.0.1 _nn_ ion1 _rc_ 0 _t_ 1300000000 _tu_ 0 _cl_ c _fs_ work _d_ 1 _br_ 1000 _bw_ 5000 _oc_ 10 _cc_ 9 "
               "_rdc_ 4 _wc_ 50 _dir_ 0 _iu_ 0\n");
  const auto source = opened("gpfs_mmpmon:command=cat " + folder.path("answer"));
  const Polled poll = polled(*source);
  ASSERT_EQ(poll.samples.size(), 1u);
  const Sample* sample = sample_of(poll, {"ion1", "work", ""});
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->values, (Counters{1000, 5000, 4, 50, 10, 9, 0, 0}));
  EXPECT_EQ(sample->t, time_from_seconds(1300000000));
  // The requests come on standard input; what is no answer, an error or too slow is a failure, that is a gap.
  for (const char* word : {"gpfs_mmpmon:command=cat", "gpfs_mmpmon:command=false", "gpfs_mmpmon:command=/nowhere/mmpmon",
                           "gpfs_mmpmon:command=echo $(id);id", "gpfs_mmpmon:timeout=0.2,command=sleep 60"})
    EXPECT_FALSE(poll_once(*opened(word), "word")) << word;
  const auto slow = poll_once(*opened("gpfs_mmpmon:timeout=0.2,command=sleep 60"), "word");
  EXPECT_NE(slow.error().message.find("killed"), std::string::npos);
}

std::string mount(const char* point, const char* age, const char* bytes) {
  return std::string("device nfs1:/home mounted on ") + point + " with fstype nfs4 statvers=1.1\n\tage:\t" + age + "\n\tbytes:\t0 0 0 0 " +
         bytes + " 0 0\n";
}

TEST(NfsSource, MountsAndRemounts) {
  MadeFolder folder;
  folder.write("mountstats", mount("/home", "100", "7 8") + mount("/other", "100", "7 8") + mount("/third", "200", "9 9"));
  const auto source = opened("nfs:path=" + folder.path("mountstats"));
  const Polled first = polled(*source);
  EXPECT_EQ(first.samples.size(), 2u);  // /other has the same counters as /home: it is the same mount
  const Sample* home = sample_of(first, {"node7:/home", "nfs1:/home", ""});
  ASSERT_NE(home, nullptr);
  EXPECT_EQ(home->values, (Counters{7, 8, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(home->has, byte_counters);
  EXPECT_TRUE(first.marks.empty());
  // Mounted again, one second ago at most: the counters are higher than before and began at zero all the same.
  folder.write("mountstats", mount("/home", "0", "70 80") + mount("/third", "200", "9 9"));
  const Polled second = polled(*source);
  ASSERT_EQ(second.marks.size(), 1u);
  EXPECT_EQ(second.marks[0].server, "node7:/home");
  EXPECT_EQ(second.marks[0].kind, MarkKind::reset);
  EXPECT_GE(second.marks[0].t, home->t);
}

TEST(GlusterSource, EachBrickIsAServer) {
  MadeFolder folder;
  folder.write("profile.xml",
               "<cliOutput><opRet>0</opRet><volProfile><volname>vol</volname><brick><brickName>gl1:/b</"
               "brickName><cumulativeStats><fopStats><fop><name>READ</name>"
               "<hits>3</hits></fop></fopStats><totalRead>30</totalRead><totalWrite>40</totalWrite></cumulativeStats></brick></"
               "volProfile></cliOutput>");
  const Polled poll = polled(*opened("gluster:command=cat " + folder.path("profile.xml")));
  const Sample* brick = sample_of(poll, {"gl1:/b", "vol", ""});
  ASSERT_NE(brick, nullptr);
  EXPECT_EQ(brick->values, (Counters{30, 40, 3, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(poll_once(*opened("gluster:command=echo <cliOutput/>"), "word"));
}

// A page of our own, read through HTTP: two metrics of one disk become one sample; the disk that lacks one of them is another series.
TEST(PrometheusSource, ReadsAPage) {
  MadeFolder folder;
  folder.write("map.toml",
               "[[counter]]\ncounter = \"read_bytes\"\nmetric = \"r_total\"\nserver = \"{instance}/{disk}\"\n"
               "[[counter]]\ncounter = \"write_bytes\"\nmetric = \"w_total\"\nserver = \"{instance}/{disk}\"\n");
  std::string page = "r_total{disk=\"a\"} 10\nw_total{disk=\"a\"} 2e3\nr_total{disk=\"b\"} 5\nother 1\n";
  const auto server = start_metrics_server("127.0.0.1:0", [&] { return page; });
  ASSERT_TRUE(server) << server.error().message;
  const std::string address = (*server)->address();
  const std::string word = "prometheus:url=http://" + address + "/metrics,map=" + folder.path("map.toml");
  const Polled poll = polled(*opened(word));
  ASSERT_EQ(poll.samples.size(), 2u);
  const Sample* a = sample_of(poll, {address + "/a", "", ""});
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->values, (Counters{10, 2000, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(a->has, byte_counters);
  EXPECT_EQ(sample_of(poll, {address + "/b", "", ""})->has, mask(Counter::read_bytes));
  EXPECT_FALSE(poll_once(*opened("prometheus:url=http://" + address + "/wrong,map=" + folder.path("map.toml")), "word"));  // 404
  page = "nothing 1\n";
  EXPECT_FALSE(poll_once(*opened(word), "word"));
}

}  // namespace
}  // namespace fathom
