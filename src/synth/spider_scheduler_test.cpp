// SPDX-License-Identifier: Apache-2.0
#include "synth/spider_scheduler.h"

#include <gtest/gtest.h>

namespace fathom::titan {
namespace {

std::vector<Application> of_sizes(std::initializer_list<std::uint32_t> sizes) {
  std::vector<Application> apps;
  for (const std::uint32_t nodes : sizes) apps.emplace_back().nodes = nodes;
  return apps;
}

Submission job(std::uint64_t id, std::uint32_t application, Millis limit) {
  Submission job;
  job.id = id;
  job.application = application;
  job.limit = limit;
  return job;
}

TEST(SpiderScheduler, WritesNodeListsAsSlurmDoes) {
  EXPECT_EQ(node_list({{12, 12}}), "nid00012");
  EXPECT_EQ(node_list({{12, 147}, {200, 200}}), "nid[00012-00147,00200]");
}

TEST(SpiderScheduler, BackfillsWithoutDelayingTheHead) {
  // 18,688 nodes: 10,000 are taken for 2 h, so the next job (10,000) waits, and 8,688 nodes are free until then. When it
  // starts, 8,688 are left over: 8,000 + 650 + 38 of them for jobs that will then still run.
  const auto apps = of_sizes({10'000, 10'000, 8'000, 650, 38, 39});
  Scheduler scheduler(apps);
  scheduler.enqueue(job(1, 0, 2 * hour));
  ASSERT_EQ(scheduler.start_jobs(0).size(), 1u);
  scheduler.enqueue(job(2, 1, hour));
  scheduler.enqueue(job(3, 2, 3 * hour));
  scheduler.enqueue(job(4, 3, 3 * hour));
  scheduler.enqueue(job(5, 5, 3 * hour));  // 39 nodes: more than the 38 that are free
  scheduler.enqueue(job(6, 4, 3 * hour));
  const auto started = scheduler.start_jobs(minute);
  ASSERT_EQ(started.size(), 3u);
  EXPECT_EQ(started[0].job.id, 3u);
  EXPECT_EQ(started[1].job.id, 4u);
  EXPECT_EQ(started[2].job.id, 6u);
  EXPECT_EQ(scheduler.free_nodes(), 0u);
}

TEST(SpiderScheduler, ALongJobMayNotTakeTheHeadsNodes) {
  const auto apps = of_sizes({10'000, 18'000, 1'000});
  Scheduler scheduler(apps);
  scheduler.enqueue(job(1, 0, 2 * hour));
  ASSERT_EQ(scheduler.start_jobs(0).size(), 1u);
  scheduler.enqueue(job(2, 1, hour));      // starts in 2 h and leaves 688 nodes
  scheduler.enqueue(job(3, 2, 3 * hour));  // would still run then, on 1,000
  scheduler.enqueue(job(4, 2, hour));
  const auto started = scheduler.start_jobs(minute);
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(started[0].job.id, 4u);
  scheduler.release(4, started[0].nodes);
  EXPECT_EQ(scheduler.free_nodes(), 8'688u);
}

TEST(SpiderScheduler, RunsNoMoreJobsThanItMayAndTheFirstInTheQueueBefore) {
  const auto apps = of_sizes({1});
  Scheduler scheduler(apps, 2);
  for (const std::uint64_t id : {1u, 2u}) scheduler.enqueue(job(id, 0, hour));
  scheduler.enqueue_first(job(3, 0, hour));
  const auto started = scheduler.start_jobs(0);
  ASSERT_EQ(started.size(), 2u);
  EXPECT_EQ(started[0].job.id, 3u);
  EXPECT_EQ(started[1].job.id, 1u);
  EXPECT_EQ(scheduler.queue().size(), 1u);
}

TEST(SpiderScheduler, CancelledJobsLeaveTheQueue) {
  const auto apps = of_sizes({1});
  Scheduler scheduler(apps);
  Submission held = job(1, 0, hour);
  held.outcome = Outcome::never_ran;
  held.cut = minute;
  scheduler.enqueue(held);
  EXPECT_TRUE(scheduler.start_jobs(0).empty());
  EXPECT_TRUE(scheduler.drop_cancelled(30 * second).empty());
  EXPECT_EQ(scheduler.drop_cancelled(minute).size(), 1u);
  EXPECT_TRUE(scheduler.queue().empty());
}

TEST(SpiderScheduler, WhoIsHeldBackKeepsItsPlaceAndNoNodes) {
  // Three jobs of 10,000 of 18,688 nodes: one at a time. The first is held, so the second starts; nodes are not kept for the first.
  const auto apps = of_sizes({10'000, 10'000, 10'000});
  Scheduler scheduler(apps);
  for (std::uint32_t i = 0; i < 3; ++i) scheduler.enqueue(job(i + 1, i, hour));
  const auto not_the_first = [](const Submission& each) { return each.id != 1; };
  const auto started = scheduler.start_jobs(0, not_the_first);
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(started[0].job.id, 2u);
  EXPECT_EQ(scheduler.queue().front().id, 1u);
  scheduler.release(2, started[0].nodes);
  EXPECT_EQ(scheduler.start_jobs(hour).front().job.id, 1u);
}

}  // namespace
}  // namespace fathom::titan
