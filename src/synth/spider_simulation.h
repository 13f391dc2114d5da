// SPDX-License-Identifier: Apache-2.0
/// The preset `spider` at work: users, batch system, bursts and counters, step by step; somebody watches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/spider_counters.h"
#include "synth/spider_scheduler.h"
#include "synth/synth.h"

namespace fathom::titan {

/// A job as the batch system will tell it, and what it really did.
struct JobRecord {
  const Application* application = nullptr;
  Submission submission;
  bool ran = false;
  std::string_view state;  // RUNNING and PENDING: when the log ended
  Millis start = 0;
  Millis end = 0;  // whole seconds; without meaning for RUNNING and PENDING
  NodeRanges nodes;
  std::uint64_t bursts = 0;
  std::array<std::uint64_t, 2> bytes{};

  bool ended() const { return state != "RUNNING" && state != "PENDING"; }
};

/// One regular burst of a pseudo or periodic application.
struct BurstRecord {
  const Application* application = nullptr;
  std::uint64_t job_id = 0;
  std::uint64_t number = 0;  // within its job, from 0
  const Burst* burst = nullptr;
  std::uint8_t pattern = 0;  // which of the application's patterns: Application::pattern(pattern)
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  /// The collector has read all OSTs.
  virtual void reading(Millis /*t*/, const StepBytes& /*values*/) {}
  virtual void job(const JobRecord& /*record*/) {}
  virtual void burst(const BurstRecord& /*record*/) {}
  /// At the end, once.
  virtual void finish(const std::vector<Application>& /*apps*/, const OstCounters& /*counters*/) {}
  /// False stops the simulation (a full disk).
  virtual bool go_on() const { return true; }
};

/// `counting` false leaves out counters and small requests, which the jobs do not feel: the same jobs and bursts, much faster.
void simulate(const SynthOptions& options, Watcher& watcher, bool counting = true, const SpiderVariant& variant = {});

}  // namespace fathom::titan
