// SPDX-License-Identifier: Apache-2.0
#include "replay/machine.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace fathom::replay {
namespace {

TEST(ReplayMachine, EveryJobRunsOnceAndNeverFasterThanAlone) {
  const Workload workload = make_workload({.seed = 3, .days = 1});
  Policy anybody;
  const MachineRun run = run_machine(workload, 3, anybody);
  std::set<std::uint64_t> submitted, ran;
  for (const titan::Submission& job : workload.jobs)
    if (job.submit >= 0) submitted.insert(job.id);
  std::size_t with_io = 0;
  for (const JobRun& job : run.jobs) {
    EXPECT_TRUE(ran.insert(job.job.id).second);
    EXPECT_GE(job.start, job.job.submit);
    EXPECT_LE(job.end, job.start + job.job.limit + 1);
    if (job.bursts == 0) continue;
    ++with_io;
    EXPECT_GE(job.slowdown(), 1 - 1e-9);
  }
  EXPECT_EQ(ran, submitted);
  EXPECT_GT(with_io, 150u);
  EXPECT_GE(run.makespan, workload.jobs.back().submit);
}

TEST(ReplayMachine, TheSameSeedGivesTheSameRun) {
  const Workload workload = make_workload({.seed = 4, .days = 0.5});
  Policy anybody;
  const MachineRun a = run_machine(workload, 4, anybody), b = run_machine(workload, 4, anybody);
  ASSERT_EQ(a.jobs.size(), b.jobs.size());
  for (std::size_t i = 0; i < a.jobs.size(); ++i) {
    EXPECT_EQ(a.jobs[i].job.id, b.jobs[i].job.id);
    EXPECT_EQ(a.jobs[i].io_seconds, b.jobs[i].io_seconds);
  }
  EXPECT_NE(make_workload({.seed = 5, .days = 0.5}).jobs.size(), workload.jobs.size());
}

TEST(ReplayMachine, LooksLikeTheTestsOfThePaper) {
  // AID, section VI-C: 33 to 68 jobs at a time, 1 to 7 pseudo-applications beside the one looked at.
  const Workload workload = make_workload({.seed = 1, .days = 3});
  Policy anybody;
  const MachineRun run = run_machine(workload, 1, anybody);
  EXPECT_GT(run.mean_running, 33);
  EXPECT_LE(run.mean_running, 68);
  const double some = std::accumulate(run.groups_running.begin() + 1, run.groups_running.begin() + 9, 0.0);
  EXPECT_GT(some, 0.75);
  EXPECT_LT(run.groups_running[0], 0.25);
}

/// Holds one job for an hour.
class Holding : public Policy {
 public:
  explicit Holding(std::uint64_t id) : id_(id) {}
  bool may_start(const titan::Submission& job, titan::Millis now) override {
    if (job.id != id_) return true;
    if (first_ < 0) first_ = now;
    return now >= first_ + titan::hour;
  }
  void started(const titan::Submission& job, titan::Millis now) override {
    if (job.id == id_) started_ = now;
  }
  titan::Millis held() const { return started_ - first_; }

 private:
  std::uint64_t id_;
  titan::Millis first_ = -1, started_ = -1;
};

TEST(ReplayMachine, AJobThatIsHeldStartsLater) {
  const Workload workload = make_workload({.seed = 6, .days = 0.5});
  std::uint64_t id = 0;
  for (const titan::Submission& job : workload.jobs)
    if (job.submit >= 0 && job.application >= workload.first_of_groups) {
      id = job.id;
      break;
    }
  Holding holding(id);
  const MachineRun run = run_machine(workload, 6, holding);
  EXPECT_GE(holding.held(), titan::hour);
  EXPECT_LE(holding.held(), 3 * titan::hour);
}

}  // namespace
}  // namespace fathom::replay
