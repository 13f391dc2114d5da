// SPDX-License-Identifier: Apache-2.0
#include "sharing/scenario.h"

#include <fmt/format.h>

#include "base/text.h"

namespace fathom::sharing {
namespace {

Error lacks(const Scenario& scenario, const Application& application, std::string_view key, std::string_view why) {
  return scenario.wrong(fmt::format("application '{}' has no {}{}", excerpt(application.name, 40), key, why), application.line);
}

Result<void> check_nodes(const Scenario& scenario) {
  if (scenario.share != Share::node) return {};
  for (const Application& application : scenario.applications)
    if (!application.nodes) return lacks(scenario, application, "nodes", ", and share is \"node\"");
  return {};
}

}  // namespace

Error Scenario::wrong(std::string_view what, unsigned line) const {
  std::string where;
  if (!path.empty()) where = line > 0 ? fmt::format(" ({}:{})", path, line) : fmt::format(" ({})", path);
  return {ErrorKind::malformed, fmt::format("reading the competing applications: {}{}", what, where)};
}

Result<Prediction> predict(const Scenario& scenario) {
  TRY_VOID(check_nodes(scenario));
  // With the stand-alone time as work and a capacity of 1, rate_i = (V_i / standalone_i) * w_i / sum of w comes out, volume or not.
  const Capacity capacity = scenario.bandwidth.value_or(Capacity(1));
  Prediction prediction;
  std::vector<Competitor> competitors;
  for (const Application& each : scenario.applications) {
    if (scenario.per_application() && !each.standalone) return lacks(scenario, each, "standalone", ": the seconds it takes alone");
    if (!scenario.per_application() && !each.volume) return lacks(scenario, each, "volume", ": the bytes it moves");
    const double work = scenario.per_application() ? *each.standalone : *each.volume;
    competitors.push_back({each.start, work, scenario.weight(each), each.processes});
    prediction.standalone.push_back(work / capacity.at(each.processes));
  }
  prediction.course = share_out(competitors, capacity);
  return prediction;
}

std::optional<double> rate(const Scenario& scenario, const Application& application, const Segment& segment) {
  const double of_capacity = segment.rate(scenario.weight(application));
  if (!scenario.per_application()) return of_capacity;
  if (!application.volume || !application.standalone) return std::nullopt;
  return *application.volume / *application.standalone * of_capacity;
}

Result<std::vector<double>> standalone_from_observed(const Scenario& scenario) {
  TRY_VOID(check_nodes(scenario));
  const Capacity capacity = scenario.bandwidth.value_or(Capacity(1));
  std::vector<Observation> observations;
  for (const Application& each : scenario.applications) {
    if (!each.observed) return lacks(scenario, each, "observed", ": the seconds it took beside the others");
    observations.push_back({each.start, each.start + *each.observed, scenario.weight(each), each.processes});
  }
  std::vector<double> alone = work_done(observed_course(observations, capacity), observations);
  for (std::size_t i = 0; i < alone.size(); ++i) alone[i] /= capacity.at(scenario.applications[i].processes);
  return alone;
}

}  // namespace fathom::sharing
