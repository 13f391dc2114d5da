// SPDX-License-Identifier: Apache-2.0
#include "fit/fitted_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/preset.h"

namespace fathom::fit {
namespace {

using namespace simulate;

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "?"; }

/// Whole bytes per second, within what a scenario allows.
std::uint64_t whole(double bandwidth) {
  return static_cast<std::uint64_t>(std::llround(std::clamp(bandwidth, 1.0, 1e6 * static_cast<double>(GiB))));
}

}  // namespace

Architecture with_fitted(Architecture architecture, std::span<const Fitted> rows) {
  const std::pair<std::string_view, std::uint64_t Architecture::*> links[] = {{external_link_bandwidth, &Architecture::external_bandwidth},
                                                                              {disk_link_bandwidth, &Architecture::disk_bandwidth}};
  for (const auto& [name, member] : links) {
    double estimate = 0, least = 0;
    for (const Fitted& row : rows) {
      if (row.parameter != name) continue;
      if (row.value)
        estimate = std::max(estimate, *row.value);
      else if (row.lower)
        least = std::max(least, *row.lower);
    }
    const double start = estimate > 0 ? estimate : static_cast<double>(architecture.*member);
    if (estimate > 0 || least > start) architecture.*member = whole(std::max(start, least));
  }
  return architecture;
}

std::string fitted_scenario(const Scenario& scenario, std::span<const Fitted> rows) {
  std::string text = "# Written by `fathom fit`. Found (bandwidths in bytes/s, latencies in s):\n";
  for (const Fitted& row : rows)
    text += fmt::format("#   {} {}: {} [{}, {}], {}\n", row.parameter, kind_names[static_cast<std::size_t>(row.kind)], number(row.value),
                        number(row.lower), number(row.upper), row.method);
  for (const IoNodeGroup& group : scenario.io_nodes)
    text += fmt::format("\n[[io_nodes]]\ncount = {}\ncompute_nodes = {}\n", group.count, group.compute_nodes);
  if (scenario.missing_operations_fill_buffers) text += "\n[generator]\nmissing_operations = \"fill_buffers\"\n";
  return text + component_tables(with_fitted(scenario.architecture, rows), false);
}

}  // namespace fathom::fit
