// SPDX-License-Identifier: Apache-2.0
#include "simulate/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"

namespace fathom::simulate {

Error Scenario::wrong(std::string_view what, unsigned line) const {
  std::string where;
  if (!path.empty()) where = line > 0 ? fmt::format(" ({}:{})", path, line) : fmt::format(" ({})", path);
  return {ErrorKind::malformed, fmt::format("reading the scenario: {}{}", what, where)};
}

Result<Scenario> Scenario::load(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return Error{text.error().kind, fmt::format("reading the scenario: {} ({})", text.error().message, path)};
  return parse(*text, path);
}

std::vector<std::uint32_t> Scenario::compute_nodes() const {
  std::vector<std::uint32_t> list;
  for (const IoNodeGroup& group : io_nodes) list.insert(list.end(), group.count, group.compute_nodes);
  return list;
}

Result<Work> described_work(const Scenario& scenario) {
  if (scenario.increments.empty()) return scenario.wrong("it has no [[increment]], and there is no --store: nothing to simulate");
  Work work;
  std::vector<std::uint32_t> sizes = scenario.compute_nodes();
  if (sizes.empty()) sizes = {usual_compute_nodes};
  for (const std::uint32_t size : sizes) work.nodes.push_back({std::to_string(work.nodes.size()), size, {}});
  work.jobs = scenario.jobs;
  if (work.jobs.empty()) {
    WorkJob all{"all", 0, 0, {}};
    for (const WorkIncrement& each : scenario.increments) {
      all.end = std::max(all.end, each.end);
      all.nodes.push_back(each.node);
    }
    work.jobs.push_back(std::move(all));
  }
  TRY_VOID(lay_out(work, scenario.increments));
  return work;
}

}  // namespace fathom::simulate
