// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader_test.h"

namespace fathom {

extern const Reader llview_fsusage;

namespace {

constexpr std::string_view header = "jobid              ts       nodeid     MbwR     MbrR      ocR\n";

Gathered read(std::string_view text, const ReadOptions& options = {}, std::string name = "FSusage_7_all_node.dat") {
  auto gathered = gather(llview_fsusage, text, options, std::move(name));
  EXPECT_TRUE(gathered.has_value());
  return *std::move(gathered);
}

TEST(LlviewFsusage, ItsExample) {
  const Gathered g = read(llview_fsusage.example);
  const auto samples = samples_of(g, {"jwb0263", "", "9438058"});
  ASSERT_EQ(samples.size(), 1u);
  // From 1709302348 to 1709302392 are 44 s: 0.002048 MiB/s * 44 s = 94,489.28 bytes; 2.051277 MiB/s: 94,640,472.6; 116 / s: 5,104 opens and
  // closes.
  EXPECT_EQ(samples[0].since, time_from_seconds(1709302348));
  EXPECT_EQ(samples[0].traits, per_interval);
  EXPECT_EQ(value(samples[0], Counter::write_bytes), 94489u);
  EXPECT_EQ(value(samples[0], Counter::read_bytes), 94640473u);
  EXPECT_EQ(value(samples[0], Counter::opens), 2552u);
  EXPECT_EQ(value(samples[0], Counter::closes), 2552u);
  EXPECT_EQ(g.account.left_out.at("row whose interval is not known: the first of its file (--step)"), 2u);
  EXPECT_EQ(g.account.rejected, 0u);
}

TEST(LlviewFsusage, TheFirstMomentNeedsAStep) {
  ReadOptions options;
  options.step = std::chrono::seconds(60);
  const Gathered g = read(llview_fsusage.example, options);
  const auto samples = samples_of(g, {"jwb0263", "", "9438058"});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].since, time_from_seconds(1709302288));
  EXPECT_EQ(value(samples[0], Counter::opens), 690u);   // 23 / s * 60 s, halved
  EXPECT_EQ(value(samples[1], Counter::opens), 2552u);  // 44 s lie between, whatever the step
}

TEST(LlviewFsusage, LinesOfZerosAreNotThere) {
  // Node a has lines at 60, 120 and 300; b at 180. Between 180 and 300 nobody has one.
  // The median of 60, 60, 120 and 600 s is taken as 120 s: a's line at 900, after more than 1.9 times that, counts for 120 s.
  const std::string text = std::string(header) + "7 60 a 1 0 0\n7 120 a 1 0 0\n7 180 b 0 1 0\n7 300 a 1 0 0\n7 900 a 1 0 3\n";
  const Gathered g = read(text);
  const auto a = samples_of(g, {"a", "", "7"}), b = samples_of(g, {"b", "", "7"});
  constexpr std::uint64_t mib = 1 << 20;
  std::vector<std::tuple<std::int64_t, std::uint64_t>> found;
  for (const Sample& sample : a) found.emplace_back(micros(sample.t) / 1'000'000, value(sample, Counter::write_bytes));
  EXPECT_EQ(found, (std::vector<std::tuple<std::int64_t, std::uint64_t>>{
                       {120, 60 * mib}, {180, 0}, {300, 120 * mib}, {780, 0}, {900, 120 * mib}}));
  EXPECT_EQ(value(a.back(), Counter::opens), 180u);  // 3 / s * 120 s = 360
  ASSERT_EQ(b.size(), 1u);
  EXPECT_EQ(b[0].since, time_from_seconds(120));
  EXPECT_EQ(value(b[0], Counter::read_bytes), 60 * mib);
}

TEST(LlviewFsusage, TheFileSystemIsInTheName) {
  const std::string text = std::string(header) + "7 60 a 1 0 0\n7 120 a 1 0 0\n";
  EXPECT_EQ(samples_of(read(text, {}, "x/FSusage_7_scratch_node.dat"), {"a", "scratch", "7"}).size(), 1u);
  EXPECT_EQ(samples_of(read(text, {}, "x/FSusage_7_all_node.dat.gz"), {"a", "", "7"}).size(), 1u);
  EXPECT_EQ(samples_of(read(text, {}, "usage.dat"), {"a", "", "7"}).size(), 1u);
}

TEST(LlviewFsusage, WhatCannotBeUsed) {
  const Gathered g =
      read(std::string(header) + "7 60 a 1 0\n7 now a 1 0 0\n7 60 a -1 0 0\n7 60 a 1 nan 0\n7 60 a 1 0 0 0\n7 120 a 1e12 0 0\n");
  EXPECT_EQ(g.account.rejected, 6u);
  EXPECT_TRUE(g.batch.samples.empty());
}

TEST(LlviewFsusage, RecognisesItsOwn) {
  EXPECT_EQ(recognised(llview_fsusage.example), "llview_fsusage");
  EXPECT_EQ(recognised("7 1709302348 jwb0263 0.000000 2.072352 2.300000e+01\n", "a/FSusage_7_all_node.dat"), "llview_fsusage");
  EXPECT_FALSE(llview_fsusage.recognises("7 1709302348 jwb0263 0.000000 2.072352 2.300000e+01\n", "a.dat"));
  EXPECT_FALSE(llview_fsusage.recognises("jobid ts nodeid\n", "a.dat"));
}

}  // namespace
}  // namespace fathom
