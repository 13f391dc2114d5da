// SPDX-License-Identifier: Apache-2.0
#include "dashboard/simulations.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fathom::dashboard {
namespace {

using namespace std::chrono_literals;

/// Simulations that do what the test says: each waits until it is let go or stopped.
class Made {
 public:
  explicit Made(SimulationLimits limits = {})
      : list_(
            limits, [this](const Simulation& simulation, const Simulations::GoOn& go_on) { return run(simulation, go_on); },
            [this](const Json& entry) {
              const std::lock_guard lock(mutex_);
              told_.push_back(entry);
            }) {}
  ~Made() { free_ = true; }

  Simulations& list() { return list_; }
  void let_go() { free_ = true; }
  Simulation add(std::string title = "a") {
    simulate::WhatIf asked;
    asked.title = std::move(title);
    asked.preset = "jugene";
    auto added = list_.add(asked, "text");
    EXPECT_TRUE(added);
    return *added;
  }
  SimulationState wait_for(const std::string& id, std::initializer_list<SimulationState> states) {
    const auto until = std::chrono::steady_clock::now() + 30s;
    for (;;) {
      const SimulationState now = list_.find(id)->state;
      if (std::find(states.begin(), states.end(), now) != states.end() || std::chrono::steady_clock::now() > until) return now;
      std::this_thread::sleep_for(1ms);
    }
  }
  std::vector<Json> told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  std::atomic<int> stopped{0};

 private:
  Result<std::string> run(const Simulation& simulation, const Simulations::GoOn& go_on) {
    if (simulation.asked.title == "fails") return Error{ErrorKind::not_found, "there is nothing"};
    for (double done = 0; !free_; done = std::min(0.9, done + 0.001)) {
      if (!go_on(done)) {
        ++stopped;
        return Error{ErrorKind::interrupted, "stopped"};
      }
      std::this_thread::sleep_for(1ms);
    }
    return "{\"of\":\"" + simulation.asked.title + "\"}";
  }
  std::mutex mutex_;
  std::vector<Json> told_;
  std::atomic<bool> free_{false};
  Simulations list_;
};

TEST(Simulations, OneAfterTheOtherInTheirOrder) {
  Made made;
  const Simulation first = made.add("first"), second = made.add("second");
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(made.wait_for(first.id, {SimulationState::running}), SimulationState::running);
  EXPECT_EQ(made.list().find(second.id)->state, SimulationState::waiting);
  made.let_go();
  EXPECT_EQ(made.wait_for(second.id, {SimulationState::done}), SimulationState::done);
  EXPECT_EQ(*made.list().find(first.id)->result, R"({"of":"first"})");
  EXPECT_EQ(made.list().find(first.id)->done, 1);
  EXPECT_EQ(made.list().all().front().id, second.id);
  const auto told = made.told();
  EXPECT_EQ(told.front()["state"], "waiting");
  EXPECT_EQ(told.back()["state"], "done");
}

TEST(Simulations, ProgressIsTold) {
  Made made;
  const Simulation one = made.add();
  std::this_thread::sleep_for(500ms);
  made.let_go();
  made.wait_for(one.id, {SimulationState::done});
  const auto told = made.told();
  EXPECT_TRUE(std::any_of(told.begin(), told.end(),
                          [](const Json& each) { return each["state"] == "running" && each["done"] > 0 && each["done"] < 1; }));
}

TEST(Simulations, AFailureSaysWhy) {
  Made made;
  const Simulation one = made.add("fails");
  EXPECT_EQ(made.wait_for(one.id, {SimulationState::failed}), SimulationState::failed);
  EXPECT_EQ(made.list().find(one.id)->problem, "there is nothing");
  EXPECT_FALSE(made.list().find(one.id)->result);
}

TEST(Simulations, CancellingStopsWhatRunsAndWhatWaits) {
  Made made;
  const Simulation first = made.add(), second = made.add(), third = made.add();
  made.wait_for(first.id, {SimulationState::running});
  EXPECT_EQ(made.list().remove(second.id)->state, SimulationState::cancelled);
  EXPECT_EQ(made.list().remove(first.id)->state, SimulationState::cancelled);
  EXPECT_EQ(made.wait_for(third.id, {SimulationState::running}),
            SimulationState::running);  // the first made room, the second was never begun
  EXPECT_EQ(made.stopped, 1);
  made.let_go();
  EXPECT_EQ(made.wait_for(third.id, {SimulationState::done}), SimulationState::done);
  EXPECT_EQ(made.list().find(first.id)->state, SimulationState::cancelled);
  // One that has ended is forgotten.
  EXPECT_TRUE(made.list().remove(third.id));
  EXPECT_FALSE(made.list().find(third.id));
  EXPECT_FALSE(made.list().remove(third.id));
}

TEST(Simulations, TooManyThatWaitAreRefused) {
  Made made({.most_waiting = 2});
  const Simulation first = made.add();
  made.wait_for(first.id, {SimulationState::running});
  made.add();
  made.add();
  const auto refused = made.list().add({}, "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::busy);
}

TEST(Simulations, TheOldestResultsGiveWay) {
  Made made({.most_waiting = 100, .most_kept = 3});
  made.let_go();
  std::vector<std::string> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(made.add().id);
  made.wait_for(ids.back(), {SimulationState::done});
  EXPECT_EQ(made.list().all().size(), 3u);
  EXPECT_FALSE(made.list().find(ids.front()));
  EXPECT_TRUE(made.list().find(ids.back()));
}

TEST(Simulations, EventsEndWithTheSimulation) {
  Made made;
  const Simulation one = made.add();
  made.wait_for(one.id, {SimulationState::running});
  const auto stream = made.list().events(one.id);
  ASSERT_TRUE(stream);
  EXPECT_NE((*stream)->take()->find("event: simulation"), std::string::npos);
  EXPECT_FALSE((*stream)->ended());
  made.let_go();
  made.wait_for(one.id, {SimulationState::done});
  for (int i = 0; i < 3000 && !(*stream)->ended(); ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE((*stream)->ended());
  EXPECT_NE((*stream)->take()->find("\"done\""), std::string::npos);
  EXPECT_TRUE((*made.list().events(one.id))->ended());
  EXPECT_FALSE(made.list().events("x"));
}

TEST(Simulations, TheEndOfTheServerStopsThem) {
  const auto begin = std::chrono::steady_clock::now();
  {
    Made made;
    made.add();
    made.add();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

}  // namespace
}  // namespace fathom::dashboard
