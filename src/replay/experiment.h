// SPDX-License-Identifier: Apache-2.0
/// Training on the replayed machine, policies compared on the same work, and the paper's comparison of run and delay.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "advise/trained.h"
#include "replay/outcome.h"
#include "replay/watching.h"

namespace fathom::replay {

/// Seeds of training lie far from those that users give: a policy is never tried on what it learned from.
inline constexpr std::uint64_t first_training_seed = 900'001;

struct ExperimentSettings {
  double days = 30;
  bool one_partition = false;  // WorkloadSettings::one_partition
  advise::AdvisorSettings advice;
  unsigned threads = 1;
  std::function<void(std::size_t done, std::size_t all)> progress = [](std::size_t, std::size_t) {};
};

/// The training points of one seed: jobs of pseudo-applications, one at a time, started at once whatever the load. Each group is of one
/// project.
Result<std::vector<advise::TrainingPoint>> training_points(std::uint64_t seed, double days, const advise::LoadSettings& load);
Result<advise::Trained> train_on_replay(std::size_t seeds, double days, const advise::LoadSettings& load, unsigned threads,
                                        const std::function<void(std::size_t done, std::size_t all)>& progress);

struct PolicyRun {
  std::string policy;
  std::uint64_t seed = 0;
  Outcome outcome;
};

/// fcfs, advice, tokens (all of the bandwidth) and tokens_quarter.
std::span<const std::string_view> policy_names();
/// Every policy on every seed; by policy, then seed.
Result<std::vector<PolicyRun>> compare_policies(const std::vector<std::uint64_t>& seeds, const advise::Trained& trained,
                                                const ExperimentSettings& settings);

struct RunAgainstDelay {
  std::uint64_t seed = 0;
  std::vector<Trial> trials;
};
/// `isolated` as in the paper, see Trials.
Result<std::vector<RunAgainstDelay>> run_against_delay(const std::vector<std::uint64_t>& seeds, const advise::Trained& trained,
                                                       const ExperimentSettings& settings, bool isolated);

/// Mean and largest slowdown of the trials with one advice.
struct TrialGroup {
  std::size_t trials = 0;
  double mean = 0, sd = 0, most = 0;
  double others = 0;  // jobs of groups that ran when they started, on average
};
TrialGroup group_of(std::span<const Trial> trials, bool delay);

}  // namespace fathom::replay
