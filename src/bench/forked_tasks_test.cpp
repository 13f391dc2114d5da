// SPDX-License-Identifier: Apache-2.0
#include "bench/forked_tasks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace fathom {
namespace {

bool no_child_left() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(ForkedTasks, AllAreGatheredInOrder) {
  const auto outcomes = run_forked(5, [](const FathomTaskGroup& group) {
    TaskOutcome outcome;
    for (int i = 0; i < 3; ++i) outcome.stopped |= group.any_failed(group.context, 0) != 0;
    outcome.calls.resize(100'000 + group.rank);  // more than a socket holds at once
    return outcome;
  });
  ASSERT_TRUE(outcomes);
  ASSERT_EQ(outcomes->size(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*outcomes)[i].task, i);
    EXPECT_EQ((*outcomes)[i].calls.size(), 100'000 + i);
    EXPECT_FALSE((*outcomes)[i].stopped);
  }
  EXPECT_TRUE(no_child_left());
}

TEST(ForkedTasks, OneFailureStopsAllAtTheSameBarrier) {
  const auto outcomes = run_forked(4, [](const FathomTaskGroup& group) {
    TaskOutcome outcome;
    while (outcome.elapsed[0]++ < 10)
      if (group.any_failed(group.context, group.rank == 2 && outcome.elapsed[0] == 3) != 0) break;
    return outcome;
  });
  ASSERT_TRUE(outcomes);
  for (const TaskOutcome& outcome : *outcomes) EXPECT_EQ(outcome.elapsed[0], 3);
}

TEST(ForkedTasks, ATaskThatDiesDoesNotKeepTheOthersWaiting) {
  const auto outcomes = run_forked(3, [](const FathomTaskGroup& group) {
    TaskOutcome outcome;
    if (group.rank == 1) ::raise(SIGKILL);
    outcome.stopped = group.any_failed(group.context, 0) != 0;
    return outcome;
  });
  ASSERT_TRUE(outcomes);
  EXPECT_EQ((*outcomes)[1].failure, "running task 1: it was ended by signal 9");
  EXPECT_TRUE((*outcomes)[0].stopped && (*outcomes)[2].stopped);
  EXPECT_TRUE(no_child_left());
}

TEST(ForkedTasks, ASignalEndsTheRunAndItsTasks) {
  const pid_t parent = ::getpid();
  const auto outcomes = run_forked(2, [&](const FathomTaskGroup& group) {
    if (group.rank == 0) ::kill(parent, SIGTERM);
    ::sleep(60);
    return TaskOutcome{};
  });
  ASSERT_FALSE(outcomes);
  EXPECT_EQ(outcomes.error().message, "benchmarking: interrupted by a signal");
  EXPECT_TRUE(no_child_left());
}

}  // namespace
}  // namespace fathom
