// SPDX-License-Identifier: Apache-2.0
#include "slurm/queue.h"

#include <gtest/gtest.h>

namespace fathom::slurm {
namespace {

constexpr std::string_view mark = "qxzjvkwyqxzjvkwyqxzjvkwy";

/// As squeue writes it: every field with a mark behind it, a line end behind the last.
std::string record(std::string_view id, std::string_view state, std::string_view name) {
  std::string text;
  for (const std::string_view field : {id, std::string_view("ann"), std::string_view("1001"), std::string_view("4"), state,
                                       std::string_view("1794876475"), std::string_view("N/A"), std::string_view("1-02:03:04"), name}) {
    text += field;
    text += mark;
  }
  return text + "\n";
}

TEST(SlurmQueue, FieldsOfAJob) {
  const Queue queue = parse_queue(record("41", "PENDING", "climate.x"), mark);
  ASSERT_EQ(queue.jobs.size(), 1u);
  EXPECT_EQ(queue.rejected, 0u);
  const QueuedJob& job = queue.jobs[0];
  EXPECT_EQ(job.id, 41u);
  EXPECT_EQ(job.user, "ann");
  EXPECT_EQ(job.uid, 1001u);
  EXPECT_EQ(job.nodes, 4u);
  EXPECT_EQ(job.state, JobState::pending);
  EXPECT_EQ(job.submit, time_from_seconds(1794876475));
  EXPECT_EQ(job.start, no_time);
  EXPECT_EQ(job.limit_seconds, 93784.0);  // 86400 + 2 * 3600 + 3 * 60 + 4
  EXPECT_EQ(job.name, "climate.x");
}

TEST(SlurmQueue, NamesAreAnyText) {
  const std::vector<std::string> names{"$(touch x)", "a;b", "a|b", "'`", "é 日本", "%j%A", "41", "", "a\\nb", "--format=x"};
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += record(std::to_string(i + 1), "RUNNING", names[i]);
  const Queue queue = parse_queue(text, mark);
  ASSERT_EQ(queue.jobs.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(queue.jobs[i].name, names[i]);
    EXPECT_EQ(queue.jobs[i].id, i + 1);
  }
}

// A job whose nodes are being made ready has begun: whoever comes next must reckon with it.
TEST(SlurmQueue, WhatHasBegunIsRunning) {
  for (const std::string state : {"CONFIGURING", "RUNNING", "SUSPENDED", "COMPLETING"})
    EXPECT_EQ(parse_queue(record("41", state, "a"), mark).jobs.at(0).state, JobState::running) << state;
  for (const std::string state : {"COMPLETED", "REQUEUED"})
    EXPECT_EQ(parse_queue(record("41", state, "a"), mark).jobs.at(0).state, JobState::other) << state;
}

TEST(SlurmQueue, QuotesAreAsAccountingHasThem) {
  EXPECT_EQ(parse_queue(record("41", "PENDING", "it's \"quoted\""), mark).jobs.at(0).name, "it's `quoted`");
}

// A name with a whole record in it, by somebody who knows the format but not the mark.
TEST(SlurmQueue, ANameCannotBeAnotherJob) {
  const std::string forged = "x\n" + [] {
    std::string text = record("7", "PENDING", "climate.x");
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), "aaaaaaaaaaaaaaaaaaaaaaaa");
    return text;
  }();
  const Queue queue = parse_queue(record("41", "RUNNING", forged) + record("42", "PENDING", "next"), mark);
  ASSERT_EQ(queue.jobs.size(), 2u);
  EXPECT_EQ(queue.jobs[0].id, 41u);
  EXPECT_EQ(queue.jobs[0].state, JobState::running);
  EXPECT_EQ(queue.jobs[0].name.find('\n'), std::string::npos);  // control characters are replaced, as in the job log
  EXPECT_EQ(queue.jobs[1].id, 42u);
}

TEST(SlurmQueue, WhatMakesNoSenseIsCounted) {
  EXPECT_EQ(parse_queue("", mark).rejected, 0u);
  EXPECT_EQ(parse_queue("slurm_load_jobs error: Unable to contact slurm controller\n", mark).rejected, 1u);
  const Queue queue = parse_queue(record("no", "PENDING", "a") + record("42", "PENDING", "b") + "43" + std::string(mark) + "ann", mark);
  EXPECT_EQ(queue.rejected, 2u);
  ASSERT_EQ(queue.jobs.size(), 1u);
  EXPECT_EQ(queue.jobs[0].id, 42u);
}

TEST(SlurmQueue, EligibleTimes) {
  const std::string m(mark);
  const auto found = parse_eligible(
      "41                  " + m + "1794876525          " + m + "\n42                  " + m + "N/A                 " + m + "\n", mark);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(41), time_from_seconds(1794876525));
  EXPECT_EQ(found.at(42), no_time);
}

TEST(SlurmQueue, Limits) {
  EXPECT_EQ(parse_limit("30:00"), 1800.0);
  EXPECT_EQ(parse_limit("2:30:00"), 9000.0);
  EXPECT_EQ(parse_limit("UNLIMITED"), std::nullopt);
  EXPECT_EQ(parse_limit("NOT_SET"), std::nullopt);
  EXPECT_EQ(parse_limit(""), std::nullopt);
  EXPECT_EQ(parse_limit("5"), std::nullopt);
  EXPECT_EQ(parse_limit("1:2:3:4"), std::nullopt);
}

TEST(SlurmQueue, MarksAreLettersAndDiffer) {
  const std::string one = make_mark(), other = make_mark();
  EXPECT_NE(one, other);
  EXPECT_EQ(one.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos);  // "JobID:20" + a digit would be another width
  EXPECT_EQ(queue_format("M").substr(0, 6), "%AM%uM");
}

}  // namespace
}  // namespace fathom::slurm
