// SPDX-License-Identifier: Apache-2.0
#include "slurm/memory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "slurm/hold_list.h"
#include "tests/support/source_dir.h"

namespace fathom::slurm {
namespace {

TEST(SlurmMemory, ReadBackItIsTheSame) {
  Memory memory;
  memory[7] = {.submit = time_from_seconds(1000),
               .held_seconds = 12.5,
               .since = time_from_seconds(1010),
               .until = time_from_seconds(1070),
               .free_since = no_time,
               .left_alone = false,
               .others_note = "site: a b"};
  memory[8] = {.submit = time_from_seconds(1001),
               .held_seconds = 0,
               .since = no_time,
               .until = no_time,
               .free_since = time_from_seconds(1002),
               .left_alone = true,
               .others_note = {}};
  const Memory again = parse_memory(as_text(memory));
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again.at(7).held_so_far(time_from_seconds(1020)), 22.5);
  EXPECT_EQ(again.at(7).until, time_from_seconds(1070));
  EXPECT_EQ(again.at(7).others_note, "site: a b");
  EXPECT_TRUE(again.at(8).left_alone);
  EXPECT_FALSE(again.at(8).held());
  EXPECT_EQ(as_text(again), as_text(memory));
}

TEST(SlurmMemory, WhatMakesNoSenseIsForgotten) {
  EXPECT_TRUE(parse_memory("").empty());
  EXPECT_TRUE(parse_memory("x 1 2 3\n7 1000 nan - - - 0\n7 1000 -1 - - - 0\n7 1000 1 1000 - - 0\n\x00\xff").empty());
  EXPECT_EQ(parse_memory("7 1000 1.5 - - - 0").size(), 1u);
}

TEST(SlurmMemory, AFileOfAnotherVersionIsRefused) {
  const std::string kept = source_dir() + "/tests/kept/daemon/jobs";
  const auto memory = load_memory(kept);
  ASSERT_TRUE(memory) << memory.error().message;
  ASSERT_EQ(memory->size(), 2u);
  EXPECT_EQ(memory->at(4711).held_seconds, 12.5);
  EXPECT_EQ(memory->at(4711).until, time_from_seconds(1'700'000'070));
  EXPECT_EQ(memory->at(4711).others_note, "site: keep");
  EXPECT_TRUE(memory->at(4712).left_alone);
  EXPECT_TRUE(load_memory("/nowhere/jobs")->empty());

  const std::string other = testing::TempDir() + "fathom-jobs-of-later";
  std::ofstream(other) << "# fathom jobs 2\n4711 1700000000 12.5 - - - 0\n";
  const auto refused = load_memory(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "reading what is remembered of jobs: it has format 2, this program knows format 1 (" + other + ":1)");
  std::ofstream(other) << "# job submitted held since until free left_alone note\n4711 1700000000 12.5 - - - 0\n";
  EXPECT_EQ(load_memory(other)->size(), 1u);  // as files of before, which say none
  std::remove(other.c_str());
}

TEST(SlurmMemory, WhatIsNoFileOrTooLargeIsRefused) {
  const std::string path = testing::TempDir() + "fathom-jobs-no-file";
  const auto refused = [&](std::string_view why) {
    const auto memory = load_memory(path);
    ASSERT_FALSE(memory) << why;
    EXPECT_EQ(memory.error().message, "reading what is remembered of jobs: " + std::string(why) + " (" + path + ")");
  };
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);  // nobody writes to it: who waits for that waits for ever
  refused("it is no regular file");
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  refused("it is no regular file");
  std::filesystem::remove(path);
  std::ofstream(path).put('\n');
  std::filesystem::resize_file(path, (64u << 20) + 1);  // with a hole, so that it costs no room
  refused("it has 67108865 bytes, more than 67108864");
  std::filesystem::remove(path);
}

TEST(SlurmHoldList, OneLineForEach) {
  EXPECT_EQ(hold_list_text({{1001, "a b"}, {0, "$(x)|\"'"}, {1001, "two\nlines"}, {1001, "\xef\xbf\xbd"}, {1001, ""}},
                           time_from_seconds(1794876475), 59.5),
            "fathom-advice 1 1794876475 60\n0 $(x)|\"'\n1001 a b\n");
}

}  // namespace
}  // namespace fathom::slurm
