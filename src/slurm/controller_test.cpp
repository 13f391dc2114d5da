// SPDX-License-Identifier: Apache-2.0
#include "slurm/controller.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "slurm/made_scheduler_test.h"

namespace fathom::slurm {
namespace {

struct Machine {
  MadeScheduler slurm;
  MadeAdviser adviser;
  std::vector<std::string> said;
  std::vector<Decision> decided;
  ControllerSettings settings{.max_delay_seconds = 300, .lease_seconds = 60, .settle_seconds = 15, .dry_run = false};
  Controller controller = start({});

  Controller start(Memory memory) {
    return Controller(
        settings, std::move(memory), [this](const std::string& text) { said.push_back(text); },
        [this](const Decision& each) { decided.push_back(each); });
  }
  /// The daemon ends, however, and another one begins with what was kept.
  void restart() { controller = start(parse_memory(as_text(controller.memory()))); }
  void look() {
    adviser.expected.clear();
    if (const auto queue = slurm.queue()) static_cast<void>(controller.look(slurm.now, *queue, slurm, adviser).has_value());
  }
  /// Looks every five seconds.
  void go_on(std::int64_t seconds) {
    for (std::int64_t t = 0; t < seconds; t += 5) {
      slurm.pass(5);
      look();
    }
  }
  JobState state(JobId job) { return slurm.jobs.at(job).job.state; }
  double waited(JobId job) { return seconds(slurm.jobs.at(job).job.start - slurm.jobs.at(job).job.submit); }
};

TEST(SlurmController, AnIdleMachineFreesAtOnce) {
  Machine machine;
  const JobId job = machine.slurm.submit("io", 60);
  machine.look();
  machine.slurm.pass(1);
  EXPECT_EQ(machine.state(job), JobState::running);
  EXPECT_NE(machine.slurm.jobs.at(job).note.find("fathom: run"), std::string::npos);
  ASSERT_EQ(machine.said.size(), 1u);
  EXPECT_NE(machine.said[0].find("run"), std::string::npos);
}

TEST(SlurmController, DelayedUntilItIsQuiet) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60);
  machine.go_on(150);
  EXPECT_EQ(machine.state(job), JobState::pending);
  EXPECT_NE(machine.slurm.jobs.at(job).note.find("busy"), std::string::npos);
  EXPECT_EQ(machine.said.size(), 1u);  // a decision, not a line for every round
  // A lease of 60 s is renewed when half of it is over: a handful of updates in 150 s.
  EXPECT_LE(machine.slurm.jobs.at(job).updates, 7u);
  machine.adviser.busy = false;
  machine.go_on(5);
  machine.slurm.pass(1);
  EXPECT_EQ(machine.state(job), JobState::running);
  EXPECT_EQ(machine.said.size(), 2u);
  ASSERT_EQ(machine.decided.size(), 2u);
  EXPECT_EQ(machine.decided[0].job, job);
  EXPECT_EQ(machine.decided[0].name, "io");
  EXPECT_EQ(machine.decided[0].verdict, advise::Verdict::delay);
  EXPECT_LE(machine.decided[0].waited, 5);  // since its submission, by job_submit.lua
  EXPECT_EQ(machine.decided[1].verdict, advise::Verdict::run);
  EXPECT_GE(machine.decided[1].waited, 140);
}

TEST(SlurmController, NobodyIsDelayedForLongerThanAllowed) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60);
  machine.go_on(600);
  EXPECT_EQ(machine.state(job), JobState::running);
  EXPECT_GE(machine.waited(job), 295);
  EXPECT_LE(machine.waited(job), 305);
}

// Killed at once after a renewal: the job begins when the lease is over, without anybody.
TEST(SlurmController, WithoutTheDaemonJobsBegin) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId held = machine.slurm.submit("io", 60);
  machine.go_on(40);
  const JobId late = machine.slurm.submit("io", 60);  // the list is still fresh
  machine.slurm.pass(61);
  EXPECT_EQ(machine.state(held), JobState::running);
  EXPECT_EQ(machine.state(late), JobState::running);
}

TEST(SlurmController, ARestartGoesOnWhereItWas) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60);
  for (int i = 0; i < 40; ++i) {
    machine.go_on(10);
    machine.restart();
    machine.restart();
  }
  EXPECT_EQ(machine.state(job), JobState::running);
  EXPECT_LE(machine.waited(job), 305);  // not 300 s from every restart on
}

TEST(SlurmController, WithoutItsNotesADelayBeginsAgainButEnds) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60);
  machine.go_on(100);
  machine.controller = machine.start({});
  machine.go_on(400);
  EXPECT_EQ(machine.state(job), JobState::running);
  EXPECT_LE(machine.waited(job), 305);  // it counts from the submission then
}

TEST(SlurmController, UnknownJobsAreNotTouched) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("other", 0), later = machine.slurm.submit("other", 100, "site: x");
  machine.look();
  EXPECT_EQ(machine.slurm.jobs.at(job).updates + machine.slurm.jobs.at(later).updates, 0u);
  EXPECT_EQ(machine.adviser.asked, 0u);
}

// Held for its user and name, but on this number of nodes nothing is known of it.
TEST(SlurmController, ListedButUnknownIsFreed) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("listed", 60);
  machine.look();
  machine.slurm.pass(1);
  EXPECT_EQ(machine.state(job), JobState::running);
}

TEST(SlurmController, ABeginOfTheOwnersIsKept) {
  Machine machine;
  const JobId job = machine.slurm.submit("io", 1000, "site: x");
  machine.go_on(900);
  EXPECT_EQ(machine.slurm.jobs.at(job).updates, 0u);
  EXPECT_EQ(machine.slurm.jobs.at(job).note, "site: x");
}

// After a node failed Slurm lets a job begin again, some time later.
TEST(SlurmController, WhatSlurmPutBackIsSlurms) {
  Machine machine;
  const JobId job = machine.slurm.submit("io", 120, "fathom: run, after 5 s: idle");
  machine.go_on(100);
  EXPECT_EQ(machine.slurm.jobs.at(job).updates, 0u);
}

TEST(SlurmController, AnOwnerMayLetItBeginNow) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60);
  machine.go_on(20);
  machine.slurm.jobs.at(job).begin = machine.slurm.now;  // scontrol update JobId=... StartTime=now; but all nodes are taken
  const std::size_t updates = machine.slurm.jobs.at(job).updates;
  machine.look();
  machine.look();
  EXPECT_EQ(machine.slurm.jobs.at(job).updates, updates);
  EXPECT_NE(machine.said.back().find("somebody changed"), std::string::npos);
}

TEST(SlurmController, NotesOfOthersStay) {
  Machine machine;
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 60, "site: account checked; fathom: delay, begins soon");
  machine.look();
  EXPECT_EQ(machine.slurm.jobs.at(job).note.find("site: account checked; fathom: delay, "), 0u);
  machine.adviser.busy = false;
  machine.look();
  EXPECT_EQ(machine.slurm.jobs.at(job).note, "site: account checked; fathom: run, after 0 s: idle");
}

TEST(SlurmController, NotesAreShortAndPlain) {
  EXPECT_EQ(make_note("", "a\nb\xc3\xa9"), "fathom: a?b??");
  EXPECT_LE(make_note("x", std::string(5000, 'y')).size(), 500u);
  EXPECT_EQ(others_part("fathom: x"), "");
  EXPECT_EQ(others_part("a; b"), "a; b");
  EXPECT_EQ(others_part("a; fathom: x"), "a");
}

// Two of one application at the same moment: the second reckons with the first although no counter has seen it.
TEST(SlurmController, OneAfterTheOther) {
  Machine machine;
  machine.adviser.one_at_a_time = true;
  const JobId first = machine.slurm.submit("io", 60), second = machine.slurm.submit("io", 60);
  machine.look();
  machine.slurm.pass(1);
  EXPECT_EQ(machine.state(first), JobState::running);
  EXPECT_EQ(machine.state(second), JobState::pending);
}

TEST(SlurmController, ADryRunChangesNothing) {
  Machine machine;
  machine.settings.dry_run = true;
  machine.controller = machine.start({});
  machine.adviser.busy = true;
  const JobId job = machine.slurm.submit("io", 0);
  machine.look();
  machine.look();
  EXPECT_EQ(machine.slurm.jobs.at(job).updates, 0u);
  ASSERT_EQ(machine.said.size(), 1u);
  EXPECT_NE(machine.said[0].find("would delay"), std::string::npos);
}

TEST(SlurmController, WhatSlurmRefusesIsSaidOnce) {
  Machine machine;
  machine.adviser.busy = true;
  machine.slurm.read_only = true;
  machine.slurm.submit("io", 60);
  machine.go_on(40);
  EXPECT_EQ(machine.said.size(), 1u);
  EXPECT_NE(machine.said[0].find("not allowed"), std::string::npos);
}

// Kills of the daemon, with and without its notes, and of the controller, at random: every job begins, none later than allowed.
TEST(SlurmController, WhateverFailsEveryJobBegins) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random chance(seed);
    Machine machine;
    std::vector<JobId> all;
    std::int64_t silent = 0;
    for (int round = 0; round < 200; ++round) {
      if (chance.next() % 4 == 0)
        all.push_back(machine.slurm.submit(chance.next() % 3 == 0 ? "other" : "io", chance.next() % 3 == 0 ? 0 : 60));
      if (chance.next() % 10 == 0) machine.adviser.busy = !machine.adviser.busy;
      if (chance.next() % 15 == 0) machine.slurm.down = !machine.slurm.down;
      if (chance.next() % 15 == 0) machine.slurm.read_only = !machine.slurm.read_only;
      if (chance.next() % 8 == 0) machine.restart();
      if (chance.next() % 20 == 0) machine.controller = machine.start({});
      if (silent == 0 && chance.next() % 10 == 0) silent = static_cast<std::int64_t>(chance.next() % 10);
      machine.slurm.pass(5);
      if (silent > 0) {
        --silent;
      } else {
        machine.look();
      }
    }
    machine.slurm.pass(61);
    for (const JobId job : all) {
      ASSERT_EQ(machine.state(job), JobState::running) << "seed " << seed << ", job " << job;
      // Without its notes a daemon counts from the submission or, if the job was free then, anew: two delays at most would need a second
      // loss.
      EXPECT_LE(machine.waited(job), 300 + 65) << "seed " << seed << ", job " << job;
    }
  }
}

}  // namespace
}  // namespace fathom::slurm
