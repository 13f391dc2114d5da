// SPDX-License-Identifier: Apache-2.0
#include "slurm/job_log.h"

#include <gtest/gtest.h>

#include "slurm/commands.h"

namespace fathom::slurm {
namespace {

std::string line(std::string_view mark, std::string_view id, std::string_view name) {
  std::string text(id);
  for (const std::string_view field :
       {"ann", "batch", "2026-11-17T00:48:15", "2026-11-17T00:48:16", "2026-11-17T00:49:16", "COMPLETED", "4", "UNLIMITED", "n[1-4]"}) {
    text += mark;
    text += field;
  }
  return text.append(mark).append(name) + "\n";
}

std::string header(std::string_view mark) {
  std::string text;
  for (const std::string_view column : job_log_columns) text += (text.empty() ? "" : std::string(mark)) + std::string(column);
  return text + "\n";
}

constexpr std::string_view mark = "qxzjvkwyqxzjvkwyqxzjvkwy";

TEST(SlurmJobLog, MarksBecomeBars) {
  EXPECT_EQ(without_marks(header(mark) + line(mark, "1", "a|b") + line(mark, "2", "c"), mark),
            header("|") + line("|", "1", "a|b") + line("|", "2", "c"));
  EXPECT_EQ(without_marks(header(mark), mark), header("|"));
  EXPECT_EQ(without_marks("", mark), header("|"));
}

// A name with a line that looks like another job, as sacct writes it with '|'.
TEST(SlurmJobLog, ANameCannotBeAnotherJob) {
  const std::string forged = "x\n" + line("|", "7", "climate.x");
  const std::string clean = without_marks(header(mark) + line(mark, "1", forged) + line(mark, "2", "next"), mark);
  EXPECT_EQ(std::count(clean.begin(), clean.end(), '\n'), 3);
  EXPECT_EQ(clean.find("\n7|"), std::string::npos);
  EXPECT_NE(clean.find("\n2|"), std::string::npos);
}

TEST(SlurmJobLog, WhatIsCutOffIsLeftOut) {
  const std::string whole = header(mark) + line(mark, "1", "a") + line(mark, "2", "b");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string clean = without_marks(whole.substr(0, size), mark);
    EXPECT_TRUE(clean.starts_with(header("|")));
    EXPECT_EQ(clean.back(), '\n');
  }
}

TEST(SlurmNote, TheLastLineCounts) {
  EXPECT_EQ(note_in("JobId=1 JobName=x\n   AdminComment=forged\n   UserId=ann(1001)\n   AdminComment=fathom: run \n   StdErr=/x\n"),
            "fathom: run");
  EXPECT_EQ(note_in("JobId=1 JobName=x\n   UserId=ann(1001)\n"), "");
}

}  // namespace
}  // namespace fathom::slurm
