// SPDX-License-Identifier: Apache-2.0
/// The replayed machine's applications as a miner would know them: not all, and none exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "advise/known_pattern.h"
#include "replay/workload.h"

namespace fathom::replay {

/// Relative errors (standard deviations) of what is known. AID, Table IV: the volume of application 8 was 5 % too large, its interval 8 %
/// too short, its throughput 18 % too low, its footprint 0.3 % too small.
struct KnowledgeSettings {
  double volume_error = 0.10;
  double period_error = 0.05;
  double burst_length_error = 0.15;
  double footprint_error = 0.05;
  double run_length_error = 0.15;
  double missed = 0.10;     // applications with a pattern that the miner did not find
  std::size_t support = 5;  // with fewer runs an application stays on the watch list
};

/// By application; nothing: unknown. Drawn from the seed once: the same application is known equally wrong in all its runs.
std::vector<std::optional<advise::KnownApplication>> what_is_known(const Workload& workload, std::uint64_t seed,
                                                                   const KnowledgeSettings& settings = {});

}  // namespace fathom::replay
