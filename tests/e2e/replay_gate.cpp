// SPDX-License-Identifier: Apache-2.0
// replay_gate SEEDS DAYS [TRIALS.csv]: fails unless advice does what docs/advice.md says it does, with the weights that are built in.
//   * mean and 95th percentile of the I/O slowdown of I/O jobs are below those of first come first served;
//   * the last job ends no more than 2 % later;
//   * nobody is held back by advice for longer than 30 minutes (and the minute until it is looked at again);
//   * jobs started in spite of `delay` are slowed down by at least 0.48 more than those started on `run` (AID: 1.69 and 1.21); by 0.3 where
//   less than 100 days in all
//     are replayed, of which the first hours find an empty machine.
#include <fmt/format.h>

#include <cstdlib>
#include <numeric>
#include <string>

#include "base/parallel.h"
#include "replay/experiment.h"

namespace fathom::replay {
namespace {

constexpr double least_apart = 0.48, least_apart_of_few = 0.3;
constexpr double many_days = 100;

bool failed = false;

void expect(bool met, const std::string& what) {
  fmt::print("{:8}{}\n", met ? "met" : "NOT MET", what);
  failed = failed || !met;
}

double mean(const std::vector<PolicyRun>& runs, std::string_view policy, double Outcome::*what) {
  double sum = 0, count = 0;
  for (const PolicyRun& run : runs)
    if (run.policy == policy) {
      sum += run.outcome.*what;
      ++count;
    }
  return sum / count;
}

void compare(const std::vector<PolicyRun>& runs) {
  fmt::print("{:16}{:>6}{:>9}{:>10}{:>10}{:>9}{:>11}{:>11}{:>9}{:>9}\n", "policy", "seed", "io jobs", "slowdown", "95 %", "wait s",
             "io wait s", "makespan d", "delayed", "most s");
  double longest = 0;
  for (const PolicyRun& run : runs) {
    const Outcome& out = run.outcome;
    fmt::print("{:16}{:>6}{:>9}{:>10.3f}{:>10.3f}{:>9.0f}{:>11.0f}{:>11.3f}{:>9}{:>9.0f}\n", run.policy, run.seed, out.io_jobs,
               out.slowdown_mean, out.slowdown_p95, out.wait_mean, out.io_wait_mean, out.makespan_days, out.delayed, out.delay_most);
    longest = std::max(longest, out.delay_most);
  }
  const auto both = [&](double Outcome::*what) { return std::pair(mean(runs, "fcfs", what), mean(runs, "advice", what)); };
  const auto [mean_before, mean_after] = both(&Outcome::slowdown_mean);
  const auto [tail_before, tail_after] = both(&Outcome::slowdown_p95);
  const auto [end_before, end_after] = both(&Outcome::makespan_days);
  expect(mean_after < mean_before, fmt::format("mean slowdown of I/O {:.3f} with advice, {:.3f} without", mean_after, mean_before));
  expect(tail_after < tail_before, fmt::format("its 95th percentile {:.3f} with advice, {:.3f} without", tail_after, tail_before));
  expect(end_after <= 1.02 * end_before, fmt::format("makespan {:.3f} days with advice, {:.3f} without", end_after, end_before));
  expect(longest <= 1800, fmt::format("longest delay by advice {:.0f} s", longest));
}

void separate(const std::vector<RunAgainstDelay>& all, std::string_view kind, double least) {
  std::vector<Trial> together;
  for (const RunAgainstDelay& each : all) together.insert(together.end(), each.trials.begin(), each.trials.end());
  const TrialGroup run = group_of(together, false), delay = group_of(together, true);
  const std::string words =
      fmt::format("{}: run {} jobs, {:.3f} (sd {:.2f}, most {:.2f}); delay {} jobs, {:.3f} (sd {:.2f}, most {:.2f}); apart by {:.3f}", kind,
                  run.trials, run.mean, run.sd, run.most, delay.trials, delay.mean, delay.sd, delay.most, delay.mean - run.mean);
  if (least > 0)
    expect(run.trials >= 5 && delay.trials >= 5 && delay.mean - run.mean >= least, words);
  else
    fmt::print("{:8}{}\n", "", words);
}

void write(std::FILE* file, const std::vector<RunAgainstDelay>& all, std::string_view kind) {
  for (const RunAgainstDelay& each : all)
    for (const Trial& trial : each.trials)
      fmt::print(file, "{},{},{},{},{},{:.4f},{:.4f},{}\n", kind, each.seed, trial.job, trial.application, trial.delay ? "delay" : "run",
                 trial.score, trial.slowdown, trial.others);
}

int check(std::size_t seeds, double days, const char* file) {
  std::vector<std::uint64_t> all(seeds);
  std::iota(all.begin(), all.end(), 1u);
  ExperimentSettings settings;
  settings.days = days;
  settings.threads = cores();
  const advise::Trained& trained = advise::built_in_training();
  const auto runs = compare_policies(all, trained, settings);
  if (!runs) return fmt::print(stderr, "replay_gate: {}\n", runs.error().message), 1;
  compare(*runs);
  settings.one_partition = true;
  const auto trials = run_against_delay(all, trained, settings, true);
  settings.one_partition = false;
  const auto mixed = run_against_delay(all, trained, settings, true), shadow = run_against_delay(all, trained, settings, false);
  if (!trials || !mixed || !shadow) return 1;
  separate(*trials, "trials, groups of one project", static_cast<double>(seeds) * days >= many_days ? least_apart : least_apart_of_few);
  separate(*mixed, "trials, groups of any", 0);
  separate(*shadow, "all known jobs, nobody held", 0);
  if (std::FILE* const out = file ? std::fopen(file, "w") : nullptr) {
    fmt::print(out, "kind,seed,job,application,advice,score,slowdown,others\n");
    write(out, *trials, "one project"), write(out, *mixed, "any"), write(out, *shadow, "all");
    std::fclose(out);
  }
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace fathom::replay

int main(int argc, char** argv) {
  const double seeds = argc > 1 ? std::strtod(argv[1], nullptr) : 2, days = argc > 2 ? std::strtod(argv[2], nullptr) : 4;
  if (!(seeds >= 1 && seeds <= 1000) || !(days >= 0.5 && days <= 366))
    return fmt::print(stderr, "usage: replay_gate SEEDS DAYS [TRIALS.csv]\n"), 2;
  return fathom::replay::check(static_cast<std::size_t>(seeds), days, argc > 3 ? argv[3] : nullptr);
}
