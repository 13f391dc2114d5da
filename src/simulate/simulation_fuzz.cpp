// SPDX-License-Identifier: Apache-2.0
// Any text is a scenario or an error; a small one runs, and keeps its bytes and requests.
#include <algorithm>
#include <cstdlib>

#include "simulate/comparison.h"
#include "simulate/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fathom::simulate;
  const auto scenario = Scenario::parse({reinterpret_cast<const char*>(data), size}, "scenario.toml");
  if (!scenario || scenario->increments.size() > 50 || scenario->compute_nodes().size() > 50) return 0;
  std::uint64_t requests = 0;
  for (const WorkIncrement& each : scenario->increments)
    requests = std::min<std::uint64_t>(1'000'000, requests + RequestSequence(each.amounts, scenario->architecture.ciod_buffer).size());
  if (requests > 5000) return 0;
  const auto work = described_work(*scenario);
  if (!work) return 0;
  const auto found = compare(scenario->architecture, scenario->original, *work);
  if (!found && found.error().message.find("internal error") != std::string::npos) std::abort();
  if (found && found->changed.requests != requests) std::abort();
  return 0;
}
