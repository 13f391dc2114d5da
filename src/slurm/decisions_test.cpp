// SPDX-License-Identifier: Apache-2.0
#include "slurm/decisions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "base/csv.h"
#include "tests/support/made_folder.h"
#include "tests/support/source_dir.h"

namespace fathom::slurm {
namespace {

Decision decision(std::uint64_t job, std::string reason = "the servers are busy, 2.1 > 1.4") {
  return {time_from_seconds(1'700'000'000 + static_cast<std::int64_t>(job)),
          job,
          "bob",
          "climate.x",
          64,
          job % 2 == 0 ? advise::Verdict::run : advise::Verdict::delay,
          std::move(reason),
          12};
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Decisions, WhatIsAppendedIsReadNewestFirst) {
  const MadeFolder folder;
  const DecisionFile file(folder.path());
  ASSERT_TRUE(file.latest(10));
  EXPECT_TRUE(file.latest(10)->empty());
  for (std::uint64_t job = 1; job <= 5; ++job) ASSERT_TRUE(file.append(decision(job)));
  EXPECT_TRUE(read(file.path())
                  .starts_with(std::string(decisions_heading) +
                               "\n2023-11-14T22:13:21Z,1,bob,climate.x,64,delay,\"the servers are busy, 2.1 > 1.4\",12\n"));
  const auto found = file.latest(3);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ(found->front().job, 5u);
  EXPECT_EQ(found->front().time, decision(5).time);
  EXPECT_EQ(found->front().reason, decision(5).reason);
  EXPECT_EQ(found->back().verdict, advise::Verdict::delay);
}

TEST(Decisions, AFileWithAnotherHeadingIsRefused) {
  const auto kept = DecisionFile(source_dir() + "/tests/kept/daemon").latest(10);
  ASSERT_TRUE(kept) << kept.error().message;
  ASSERT_EQ(kept->size(), 2u);
  EXPECT_EQ(kept->front().job, 4712u);
  EXPECT_EQ(kept->front().verdict, advise::Verdict::run);
  EXPECT_EQ(kept->back().reason, "the servers are busy, 2.1 > 1.4");

  const MadeFolder folder;
  const DecisionFile file(folder.path());
  std::ofstream(file.path()) << "time,job_id,why\n2023-11-14T22:13:21Z,1,because\n";
  const auto refused = file.latest(10);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("it has format time,job_id,why, this program knows format time,job_id,user,"), std::string::npos)
      << refused.error().message;
}

TEST(Decisions, ALargeFileMakesRoomAndTheOneBeforeIsStillRead) {
  const MadeFolder folder;
  const DecisionFile file(folder.path(), 500);
  for (std::uint64_t job = 1; job <= 40; ++job) ASSERT_TRUE(file.append(decision(job)));
  EXPECT_LT(std::filesystem::file_size(file.path()), 700u);
  EXPECT_LT(std::filesystem::file_size(folder.path("decisions.1.csv")), 700u);
  const auto found = file.latest(100);
  ASSERT_TRUE(found);
  ASSERT_GE(found->size(), 6u);
  for (std::size_t i = 0; i < found->size(); ++i) EXPECT_EQ((*found)[i].job, 40 - i);
}

TEST(Decisions, NamesBringNoLinesOfTheirOwn) {
  Decision each = decision(7, "a\nb\r\n\"c\",d\x01\xff" + std::string(5000, 'x'));
  each.user = "eve\n9,9,9";
  each.name = std::string("\0\n", 2) + "n";
  const std::string line = as_line(each);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  EXPECT_LT(line.size(), 3000u);
  EXPECT_EQ(parse_decisions(line).size(), 1u);
}

TEST(Decisions, AHalfLineCostsOnlyItself) {
  const MadeFolder folder;
  const DecisionFile file(folder.path());
  ASSERT_TRUE(file.append(decision(1)));
  std::ofstream(file.path(), std::ios::app) << "2026-01-01T00:00:00Z,2,bo";
  EXPECT_EQ(file.latest(10)->size(), 1u);
  ASSERT_TRUE(file.append(decision(3)));
  const auto found = file.latest(10);
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ(found->front().job, 3u);
}

TEST(Decisions, WhatIsNoFileIsRefused) {
  const MadeFolder folder;
  const DecisionFile file(folder.path());
  std::filesystem::create_directory(file.path());
  EXPECT_FALSE(file.append(decision(1)));
  EXPECT_FALSE(file.latest(1));
  const DecisionFile nowhere(folder.path() + "/missing");
  EXPECT_FALSE(nowhere.append(decision(1)));
  EXPECT_TRUE(nowhere.latest(1)->empty());
}

TEST(Decisions, AnyBytesAreReadAndWrittenTheSame) {
  std::mt19937 random(11);
  const std::string good = as_line(decision(1)) + as_line(decision(2)) + as_line(decision(3));
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (auto i = random() % 12; i > 0; --i) text[random() % text.size()] = static_cast<char>(random());
    const auto found = parse_decisions(text);
    std::string written;
    for (const Decision& each : found) written += as_line(each);
    EXPECT_EQ(parse_decisions(written).size(), found.size());
  }
}

}  // namespace
}  // namespace fathom::slurm
