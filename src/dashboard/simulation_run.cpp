// SPDX-License-Identifier: Apache-2.0
#include "dashboard/simulation_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

#include "base/units.h"
#include "dashboard/dashboard.h"
#include "simulate/comparison.h"
#include "simulate/sweep_run.h"
#include "simulation_page/comparison_data.h"
#include "simulation_page/sweep_data.h"
#include "store_work/store_work.h"

namespace fathom::dashboard {
namespace {

using namespace simulate;

Error stopped() { return {ErrorKind::interrupted, "simulating: it was stopped"}; }

std::vector<Architecture> architectures_of(const Scenario& scenario, const Sweep& sweep, bool sweeping) {
  std::vector<Architecture> all{scenario.original.value_or(scenario.architecture)};
  if (!sweeping) all.push_back(scenario.architecture);
  for (std::size_t i = 0; sweeping && i < sweep.combinations.size(); ++i) all.push_back(sweep.architecture(i));
  return all;
}

Result<void> check_requests(const Work& work, const std::vector<Architecture>& architectures, const SimulationLimits& limits) {
  const std::uint64_t requests = requests_of(work, architectures);
  if (requests <= limits.most_requests) return {};
  return Error{ErrorKind::unsupported, fmt::format("simulating: {} requests in {} runs are more than this server allows ({}); choose a "
                                                   "shorter time, fewer I/O nodes or combinations, or use fathom simulate",
                                                   human_count(requests), architectures.size(), human_count(limits.most_requests))};
}

/// How far all runs are, one after the other.
class Course {
 public:
  Course(std::size_t runs, const Simulations::GoOn& go_on) : runs_(runs), go_on_(go_on) {}
  double done() const { return static_cast<double>(begun_) / static_cast<double>(runs_); }
  Watch watch() {
    const std::size_t number = begun_++;
    return [this, number](const Moment& moment) {
      const double share = moment.all_steps == 0 ? 0 : static_cast<double>(moment.steps) / static_cast<double>(moment.all_steps);
      return go_on_((static_cast<double>(number) + share) / static_cast<double>(runs_));
    };
  }

 private:
  std::size_t runs_, begun_ = 0;
  const Simulations::GoOn& go_on_;
};

Time time_of(const std::optional<double>& unix_time) {
  return unix_time ? Time{Duration{static_cast<std::int64_t>(std::llround(*unix_time * 1e6))}} : no_time;
}

Result<Work> work_for(const Dashboard& dashboard, const Scenario& scenario, const SimulationLimits& limits, const Simulation& simulation,
                      const Simulations::GoOn& go_on, std::vector<std::string>& notes) {
  const WhatIf& asked = simulation.asked;
  if (!asked.store) return described_work(scenario);
  TRY(const StoreSource* source, dashboard.store(*asked.store));
  TRY(const auto moment, source->moment());
  StoreWorkOptions options;
  options.store = source->name();
  options.from = time_of(asked.from);
  options.to = time_of(asked.to);
  options.tell = [&](const std::string& what) { notes.push_back(what); };
  options.stop = [&] { return !go_on(0); };
  options.most_increments = limits.most_increments;
  return work_of_store(scenario, *moment->snapshot, options);
}

simulation_page::Heading heading_of(const Dashboard& dashboard, const Simulation& simulation, std::vector<std::string> notes) {
  simulation_page::Heading heading;
  heading.title = simulation.asked.title;
  heading.version = dashboard.settings().version;
  heading.generated = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  heading.notes = std::move(notes);
  return heading;
}

}  // namespace

std::uint64_t requests_of(const Work& work, const std::vector<Architecture>& architectures) {
  std::map<std::uint64_t, std::uint64_t> by_buffer;  // only its size decides into how many requests an increment is cut
  std::uint64_t all = 0;
  for (const Architecture& architecture : architectures) {
    const auto [at, first] = by_buffer.try_emplace(architecture.ciod_buffer, 0);
    if (first)
      for (const NodeWork& node : work.nodes)
        for (const Step& step : node.steps)
          if (step.what == Step::What::increment &&
              __builtin_add_overflow(at->second, RequestSequence(step.amounts, architecture.ciod_buffer).size(), &at->second))
            return UINT64_MAX;
    if (__builtin_add_overflow(all, at->second, &all)) return UINT64_MAX;
  }
  return all;
}

Result<std::string> plan_simulation(const Dashboard& dashboard, const WhatIf& asked, const SimulationLimits& limits) {
  if (!limits.allowed) return Error{ErrorKind::unsupported, "this server allows no simulations"};
  TRY(std::string text, scenario_text(asked));
  TRY(const Scenario scenario, Scenario::parse(text, ""));
  std::size_t combinations = asked.sweep.empty() ? 0 : 1;
  for (const WhatIf::Axis& axis : asked.sweep)
    combinations = std::min<std::size_t>(combinations * axis.values.size(), limits.most_combinations + 1);
  if (combinations > limits.most_combinations)
    return Error{ErrorKind::unsupported,
                 fmt::format("simulating: the sweep has more than {} combinations, which is what this server allows",
                             human_count(limits.most_combinations))};
  TRY(const Sweep sweep, plan_sweep(scenario.architecture, sweep_words(asked)));
  if (asked.store) {
    TRY_VOID(dashboard.store(*asked.store));
    return text;
  }
  TRY(const Work work, described_work(scenario));
  TRY_VOID(check_requests(work, architectures_of(scenario, sweep, !asked.sweep.empty()), limits));
  return text;
}

Result<std::string> run_simulation(const Dashboard& dashboard, const SimulationLimits& limits, const Simulation& simulation,
                                   const Simulations::GoOn& go_on) {
  const bool sweeping = !simulation.asked.sweep.empty();
  std::vector<std::string> notes;
  TRY(const Scenario scenario, Scenario::parse(simulation.scenario, ""));
  TRY(const Sweep sweep, plan_sweep(scenario.architecture, sweep_words(simulation.asked)));
  TRY(const Work work, work_for(dashboard, scenario, limits, simulation, go_on, notes));
  const std::vector<Architecture> architectures = architectures_of(scenario, sweep, sweeping);
  TRY_VOID(check_requests(work, architectures, limits));
  const auto text = [](const Json& data) { return data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); };
  const simulation_page::Heading heading = heading_of(dashboard, simulation, std::move(notes));
  if (!sweeping) {
    Course course(1, go_on);  // compare itself makes two halves of it
    TRY(const Comparison found, compare(scenario.architecture, scenario.original, work, {}, course.watch()));
    if (found.stopped || !go_on(1)) return stopped();
    return text(simulation_page::comparison_data(heading, scenario, work, found));
  }
  Course course(architectures.size(), go_on);
  TRY(const std::vector<SweepPoint> points,
      run_sweep(
          sweep, architectures.front(), work, {}, [&] { return course.watch(); }, [&] { return !go_on(course.done()); }));
  if (points.size() < sweep.combinations.size() || !go_on(1)) return stopped();
  return text(simulation_page::sweep_data(heading, scenario, work, sweep, points));
}

}  // namespace fathom::dashboard
