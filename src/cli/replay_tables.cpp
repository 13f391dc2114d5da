// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_tables.h"

#include <fmt/format.h>

#include <cmath>

namespace fathom {
namespace {

Duration length(double seconds) { return Duration{static_cast<std::int64_t>(std::llround(seconds * 1e6))}; }

std::vector<Cell> measures(const replay::Outcome& out) {
  return {cell(std::uint64_t{out.jobs}),     cell(std::uint64_t{out.io_jobs}),
          cell(out.slowdown_mean),           cell(out.slowdown_p95),
          cell(length(out.io_hours * 3600)), cell(length(out.wait_mean)),
          cell(length(out.io_wait_mean)),    cell(length(out.makespan_days * 86400)),
          cell(std::uint64_t{out.delayed}),  cell(length(out.delay_mean)),
          cell(length(out.delay_most))};
}

const std::vector<TableColumn> measure_columns = {{"jobs", Quantity::count},
                                                  {"io_jobs", Quantity::count},
                                                  {"slowdown_mean", Quantity::real},
                                                  {"slowdown_p95", Quantity::real},
                                                  {"io_time", Quantity::duration},
                                                  {"wait_mean", Quantity::duration},
                                                  {"io_wait_mean", Quantity::duration},
                                                  {"makespan", Quantity::duration},
                                                  {"delayed", Quantity::count},
                                                  {"delay_mean", Quantity::duration},
                                                  {"delay_most", Quantity::duration}};

Table with_columns(std::vector<TableColumn> first) {
  first.insert(first.end(), measure_columns.begin(), measure_columns.end());
  return {std::move(first), {}};
}

/// Delays are averaged over delayed jobs, everything else over seeds.
replay::Outcome mean_of(const std::vector<replay::PolicyRun>& runs, std::string_view policy) {
  replay::Outcome sum;
  double seeds = 0, delays = 0, jobs = 0, io_jobs = 0, delayed = 0;
  for (const replay::PolicyRun& run : runs) {
    if (run.policy != policy) continue;
    const replay::Outcome& each = run.outcome;
    ++seeds;
    jobs += static_cast<double>(each.jobs);
    io_jobs += static_cast<double>(each.io_jobs);
    delayed += static_cast<double>(each.delayed);
    delays += static_cast<double>(each.delayed) * each.delay_mean;
    sum.slowdown_mean += each.slowdown_mean;
    sum.slowdown_p95 += each.slowdown_p95;
    sum.io_hours += each.io_hours;
    sum.wait_mean += each.wait_mean;
    sum.io_wait_mean += each.io_wait_mean;
    sum.makespan_days += each.makespan_days;
    sum.delay_most = std::max(sum.delay_most, each.delay_most);
  }
  for (double* value : {&sum.slowdown_mean, &sum.slowdown_p95, &sum.io_hours, &sum.wait_mean, &sum.io_wait_mean, &sum.makespan_days})
    *value /= seeds;
  sum.jobs = static_cast<std::size_t>(jobs / seeds);
  sum.io_jobs = static_cast<std::size_t>(io_jobs / seeds);
  sum.delayed = static_cast<std::size_t>(delayed / seeds);
  sum.delay_mean = delayed > 0 ? delays / delayed : 0;
  return sum;
}

}  // namespace

Table policy_rows(const std::vector<replay::PolicyRun>& runs) {
  Table table = with_columns({{"policy"}, {"seed", Quantity::count}});
  for (const replay::PolicyRun& run : runs) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{cell(run.policy), cell(run.seed)});
    for (Cell& each : measures(run.outcome)) row.push_back(std::move(each));
  }
  return table;
}

Table policy_means(const std::vector<replay::PolicyRun>& runs, bool for_people) {
  Table table = with_columns({{"policy"}});
  for (const std::string_view policy : replay::policy_names()) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{cell(policy)});
    for (Cell& each : measures(mean_of(runs, policy))) row.push_back(std::move(each));
  }
  if (for_people)  // three digits are what the seeds bear
    for (auto& row : table.rows)
      for (const std::size_t column : {3u, 4u}) row[column] = cell(fmt::format("{:.3f}", std::get<double>(row[column])));
  return table;
}

Table trial_rows(const std::vector<replay::RunAgainstDelay>& all) {
  Table table{{{"seed"},
               {"run_trials", Quantity::count},
               {"run_mean", Quantity::real},
               {"run_sd", Quantity::real},
               {"run_most", Quantity::real},
               {"run_others", Quantity::real},
               {"delay_trials", Quantity::count},
               {"delay_mean", Quantity::real},
               {"delay_sd", Quantity::real},
               {"delay_most", Quantity::real},
               {"delay_others", Quantity::real},
               {"difference", Quantity::real}},
              {}};
  const auto add = [&](std::string name, std::span<const replay::Trial> trials) {
    const replay::TrialGroup run = group_of(trials, false), delay = group_of(trials, true);
    table.rows.push_back({cell(std::move(name)), cell(std::uint64_t{run.trials}), cell(run.mean), cell(run.sd), cell(run.most),
                          cell(run.others), cell(std::uint64_t{delay.trials}), cell(delay.mean), cell(delay.sd), cell(delay.most),
                          cell(delay.others), run.trials > 0 && delay.trials > 0 ? cell(delay.mean - run.mean) : Cell{}});
  };
  std::vector<replay::Trial> together;
  for (const replay::RunAgainstDelay& each : all) {
    add(fmt::format("{}", each.seed), each.trials);
    together.insert(together.end(), each.trials.begin(), each.trials.end());
  }
  add("all", together);
  return table;
}

}  // namespace fathom
