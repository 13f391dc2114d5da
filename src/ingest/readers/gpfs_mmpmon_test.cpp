// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "ingest/reader.h"
#include "tests/support/source_dir.h"

namespace fathom {
extern const Reader gpfs_mmpmon;
namespace {

constexpr std::string_view line =
    "_fs_io_s_ _n_ 10.0.0.6 _nn_ ion-6 _rc_ 0 _t_ 1579358234 _tu_ 53212 _cl_ gpfs.dom _fs_ scratch _d_ 48 _br_ 205607400434 "
    "_bw_ 74839282351 _oc_ 2377656 _cc_ 2201576 _rdc_ 59420404 _wc_ 18874626 _dir_ 40971 _iu_ 544768\n";

TEST(GpfsMmpmon, ReadsByKey) {
  const auto got = gather(gpfs_mmpmon, line);
  ASSERT_TRUE(got);
  ASSERT_EQ(got->batch.samples.size(), 1u);
  const Sample& s = got->batch.samples[0];
  EXPECT_EQ(got->series.name(s.series), (SeriesName{"ion-6", "scratch", ""}));
  EXPECT_EQ(micros(s.t), 1579358234053212);  // _tu_ is not zero padded: 53212 is .053212
  EXPECT_EQ(s.values, (Counters{205607400434, 74839282351, 59420404, 18874626, 2377656, 2201576, 40971, 544768}));
  EXPECT_EQ(s.traits, narrow_ops);
}

TEST(GpfsMmpmon, AValueMayBeginWithAnUnderscore) {
  std::string odd(line);
  odd.replace(odd.find("scratch"), 7, "_iu_");
  const auto got = gather(gpfs_mmpmon, odd);
  ASSERT_EQ(got->batch.samples.size(), 1u);
  EXPECT_EQ(got->series.name(0).filesystem, "_iu_");
  EXPECT_EQ(got->batch.samples[0].values[index(Counter::inode_updates)], 544768u);
}

TEST(GpfsMmpmon, TotalsResetsAndFailures) {
  const auto got = gather(gpfs_mmpmon,
                          "_io_s_ _n_ 199.18.1.8 _nn_ node1 _rc_ 0 _t_ 1066660148 _tu_ 407431 _br_ 6291456 _bw_ 314572800 _oc_ 10 _cc_ 16 "
                          "_rdc_ 101 _wc_ 300 _dir_ 7 _iu_ 2\n"
                          "_reset_ _n_ 199.18.1.8 _nn_ node1 _rc_ 0 _t_ 1066660149 _tu_ 5\n"
                          "_fs_io_s_ _n_ 199.18.1.2 _nn_ node1 _rc_ 668 _t_ 1121955894 _tu_ 862971 _fn_ 199.18.1.8 _fnn_ node2\n"
                          "_fs_io_s_ _n_ 199.18.1.8 _nn_ node1 _rc_ 1 _t_ 1066660148 _tu_ 407431 _cl_ - _fs_ -\n"
                          "_ver_ _n_ 199.18.1.8 _nn_ node1 _v_ 3 _lv_ 2 _vt_ 0\n"
                          "core dumped\n"
                          "_fs_io_s_ _n_ 199.18.1.8 _nn_ node1 _rc_ 0 _t_ 1066660150 _tu_ 0 _cl_ c _fs_ f _d_ 1 _br_ 12 _bw_\n"
                          "_fs_io_s_ _n_ 199.18.1.8 _nn_ node1 _rc_ 0 _t_ 1066660150 _tu_ 0 _cl_ c _fs_ f _d_ 1 _br_ 12x _bw_ 1\n");
  ASSERT_TRUE(got);
  ASSERT_EQ(got->batch.samples.size(), 1u);
  EXPECT_EQ(got->series.name(got->batch.samples[0].series), (SeriesName{"node1", "", ""}));
  EXPECT_EQ(got->batch.samples[0].traits, narrow_ops | drop_is_unmount);
  ASSERT_EQ(got->batch.marks.size(), 1u);
  EXPECT_EQ(micros(got->batch.marks[0].t), 1066660149000005);
  EXPECT_EQ(got->account.left_out.at("nodes that did not answer (_fn_)"), 1u);
  EXPECT_EQ(got->account.left_out.at("responses with a failure code (_rc_ not 0)"), 1u);
  EXPECT_EQ(got->account.rejected, 3u);
  EXPECT_EQ(got->account.first_rejects[0].line, 6u);
  EXPECT_EQ(got->account.lines, 8u);
}

TEST(GpfsMmpmon, ThePlainForm) {
  const auto got = gather(gpfs_mmpmon,
                          "mmpmon node 199.18.1.8 name node1 io_s OK\ntimestamp: 1066660148/407431\nbytes read: 6291456\n"
                          "bytes written: 314572800\nopens: 10\ncloses: 16\nreads: 101\nwrites: 300\nreaddir: 7\ninode updates: 2\n"
                          "mmpmon node 199.18.1.8 name node1 reset OK\n"
                          "mmpmon node 199.18.1.9 name node2 fs_io_s OK\ncluster: c\nfilesystem:   gpfs2\ndisks: 2\n"
                          "timestamp: 1066660149/1\nbytes read: 1\nbytes written: 2\nopens: 5\ncloses: 6\nreads: 3\nwrites: 4\n"
                          "readdir: 7\ninode updates: 8\n");
  ASSERT_TRUE(got);
  ASSERT_EQ(got->batch.samples.size(), 2u);
  EXPECT_EQ(got->series.name(got->batch.samples[1].series), (SeriesName{"node2", "gpfs2", ""}));
  EXPECT_EQ(got->batch.samples[1].values, (Counters{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(got->account.rejected, 1u);  // the reset has no time
}

TEST(GpfsMmpmon, RealLinesOfFourSites) {
  const std::string path = source_dir() + "/../shared/data/mmpmon/real_lines.txt";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real samples here";
  auto input = LineInput::open(path);
  ASSERT_TRUE(input);
  const auto got = gather(gpfs_mmpmon, std::move(*input));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->batch.samples.size(), 6u);
  EXPECT_EQ(got->account.rejected, 0u);
}

}  // namespace
}  // namespace fathom
