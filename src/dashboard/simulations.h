// SPDX-License-Identifier: Apache-2.0
/// Simulations as jobs: they wait in a queue, one thread runs them one after the other, their results are kept for a while.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dashboard/endpoint.h"
#include "simulate/what_if.h"

namespace fathom::dashboard {

struct SimulationLimits {
  bool allowed = true;
  std::size_t most_waiting = 8;               // beside the one that runs
  std::size_t most_kept = 50;                 // of those that have ended
  std::uint64_t most_requests = 500'000'000;  // simulated altogether by one of them
  std::uint64_t most_increments = 5'000'000;  // taken from a store
  std::size_t most_combinations = 1000;       // of a sweep
};

enum class SimulationState { waiting, running, done, failed, cancelled };
std::string_view name_of(SimulationState state);

struct Simulation {
  std::string id;
  simulate::WhatIf asked;
  std::string scenario;  // TOML
  double created = 0;    // Unix time
  SimulationState state = SimulationState::waiting;
  double done = 0;  // 0 to 1
  std::string problem;
  std::shared_ptr<const std::string> result;  // a WhatIfData; null: there is none yet
  bool ended() const { return state != SimulationState::waiting && state != SimulationState::running; }
};

/// A SimulationEntry of web/src/lib/api.ts.
Json entry_json(const Simulation& simulation);

class Simulations {
 public:
  /// Tells how far it is; false: it is to stop.
  using GoOn = std::function<bool(double done)>;
  /// What a simulation does; the text is a WhatIfData. One that was told to stop fails in any way it likes.
  using Run = std::function<Result<std::string>(const Simulation& simulation, const GoOn& go_on)>;
  /// Of every change.
  using Tell = std::function<void(const Json& entry)>;

  Simulations(const SimulationLimits& limits, Run run, Tell tell);
  ~Simulations();  // what runs is stopped
  Simulations(const Simulations&) = delete;

  const SimulationLimits& limits() const { return limits_; }
  /// Fails with `busy` where too many wait.
  Result<Simulation> add(simulate::WhatIf asked, std::string scenario);
  Result<Simulation> find(std::string_view id) const;
  std::vector<Simulation> all() const;  // the newest first
  /// One that has not ended is stopped and stays in the list; one that has is forgotten.
  Result<Simulation> remove(std::string_view id);
  /// Its entry now and after every change, until it has ended.
  Result<std::shared_ptr<http::EventStream>> events(std::string_view id);

 private:
  struct Kept {
    Simulation simulation;
    std::atomic<bool> stop{false};
    std::vector<std::shared_ptr<http::EventStream>> readers;
  };
  using Shared = std::shared_ptr<Kept>;
  void work();
  void run_one(const Shared& kept);
  void finish(const Shared& kept, Result<std::string> result);
  void changed(const Shared& kept);
  Shared place_of(std::string_view id) const;
  void forget_old();

  const SimulationLimits limits_;
  const Run run_;
  const Tell tell_;
  const std::string prefix_;  // of ids: a link from an earlier server leads to nothing, not to something else
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Shared> all_;  // the oldest first
  std::uint64_t last_ = 0;
  bool ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace fathom::dashboard
