// SPDX-License-Identifier: Apache-2.0
#include "replay/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/parallel.h"

namespace fathom::replay {
namespace {

constexpr std::array<std::string_view, 4> names = {"fcfs", "advice", "tokens", "tokens_quarter"};

/// Everything of one seed that does not depend on the policy.
struct Stage {
  Workload workload;
  Knowledge known;
  Stage(std::uint64_t seed, double days, bool one_partition)
      : workload(make_workload(settings_of(seed, days, one_partition))), known(what_is_known(workload, seed)) {}
  static WorkloadSettings settings_of(std::uint64_t seed, double days, bool one_partition) {
    WorkloadSettings settings;
    settings.seed = seed;
    settings.days = days;
    settings.one_partition = one_partition;
    return settings;
  }
};

/// Training jobs are pseudo-applications; what they do is known.
Knowledge exact_pseudo(const Workload& workload) {
  KnowledgeSettings exact{0, 0, 0, 0, 0, 0, 0};
  Knowledge known = what_is_known(workload, 0, exact);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (workload.applications[i].kind != titan::Kind::pseudo) known[i].reset();
  return known;
}

Result<Outcome> one_policy(std::string_view policy, std::uint64_t seed, const advise::Trained& trained,
                           const ExperimentSettings& settings) {
  const Stage stage(seed, settings.days, settings.one_partition);
  if (policy == "advice") {
    TRY(advise::Advisor advisor, make_advisor(trained, settings.advice));
    AdvicePolicy advice(std::move(advisor), stage.known);
    const MachineRun run = run_machine(stage.workload, seed, advice);
    return outcome_of(stage.workload, run, advice.delays());
  }
  if (policy != "fcfs") {
    TokenPolicy tokens(stage.known, policy == "tokens" ? 1 : 0.25);
    return outcome_of(stage.workload, run_machine(stage.workload, seed, tokens));
  }
  Policy anybody;
  return outcome_of(stage.workload, run_machine(stage.workload, seed, anybody));
}

/// Calls `progress` from several threads in turn.
class Counted {
 public:
  Counted(std::size_t all, const std::function<void(std::size_t, std::size_t)>& progress) : all_(all), progress_(progress) {
    progress_(0, all_);
  }
  void one_more() {
    const std::lock_guard lock(mutex_);
    progress_(++done_, all_);
  }

 private:
  std::mutex mutex_;
  std::size_t done_ = 0, all_;
  const std::function<void(std::size_t, std::size_t)>& progress_;
};

}  // namespace

Result<std::vector<advise::TrainingPoint>> training_points(std::uint64_t seed, double days, const advise::LoadSettings& load) {
  const Stage stage(seed, days, true);
  const Knowledge exact = exact_pseudo(stage.workload);
  advise::Trained nothing;
  nothing.load = load;
  nothing.weights.assign(load.bands.count(), 0);
  TRY(advise::Advisor advisor, make_advisor(nothing, {}));
  Training training(std::move(advisor), stage.known, stage.workload, exact);
  run_machine(stage.workload, seed, training);
  return std::move(training.points());
}

Result<advise::Trained> train_on_replay(std::size_t seeds, double days, const advise::LoadSettings& load, unsigned threads,
                                        const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::vector<advise::TrainingPoint>> parts(seeds);
  Counted counted(seeds, progress);
  TRY_VOID(in_parallel(seeds, threads, [&](unsigned, std::size_t i) -> Result<void> {
    TRY(parts[i], training_points(first_training_seed + i, days, load));
    counted.one_more();
    return {};
  }));
  std::vector<advise::TrainingPoint> all;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
  return advise::train(all, load, fmt::format("replayed machine, {} seeds of {:g} days from {}", seeds, days, first_training_seed));
}

std::span<const std::string_view> policy_names() { return names; }

Result<std::vector<PolicyRun>> compare_policies(const std::vector<std::uint64_t>& seeds, const advise::Trained& trained,
                                                const ExperimentSettings& settings) {
  std::vector<PolicyRun> runs(seeds.size() * names.size());
  Counted counted(runs.size(), settings.progress);
  TRY_VOID(in_parallel(runs.size(), settings.threads, [&](unsigned, std::size_t i) -> Result<void> {
    PolicyRun& run = runs[i];
    run.policy = names[i / seeds.size()];
    run.seed = seeds[i % seeds.size()];
    TRY(run.outcome, one_policy(run.policy, run.seed, trained, settings));
    counted.one_more();
    return {};
  }));
  return runs;
}

Result<std::vector<RunAgainstDelay>> run_against_delay(const std::vector<std::uint64_t>& seeds, const advise::Trained& trained,
                                                       const ExperimentSettings& settings, bool isolated) {
  std::vector<RunAgainstDelay> all(seeds.size());
  Counted counted(seeds.size(), settings.progress);
  TRY_VOID(in_parallel(seeds.size(), settings.threads, [&](unsigned, std::size_t i) -> Result<void> {
    const Stage stage(seeds[i], settings.days, settings.one_partition);
    TRY(advise::Advisor advisor, make_advisor(trained, settings.advice));
    Trials trials(std::move(advisor), stage.known, stage.workload, isolated);
    run_machine(stage.workload, seeds[i], trials);
    all[i] = {seeds[i], trials.trials()};
    counted.one_more();
    return {};
  }));
  return all;
}

TrialGroup group_of(std::span<const Trial> trials, bool delay) {
  TrialGroup group;
  double sum = 0, squares = 0;
  for (const Trial& trial : trials) {
    if (trial.delay != delay) continue;
    ++group.trials;
    sum += trial.slowdown;
    group.others += static_cast<double>(trial.others);
    squares += trial.slowdown * trial.slowdown;
    group.most = std::max(group.most, trial.slowdown);
  }
  if (group.trials == 0) return group;
  const auto count = static_cast<double>(group.trials);
  group.mean = sum / count;
  group.others /= count;
  group.sd = std::sqrt(std::max(0.0, squares / count - group.mean * group.mean));
  return group;
}

}  // namespace fathom::replay
