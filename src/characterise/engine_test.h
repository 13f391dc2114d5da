// SPDX-License-Identifier: Apache-2.0
/// Drives the engine on increments in memory, cut into any pieces and in any order.
#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "characterise/analyse.h"
#include "characterise/reference_test.h"

namespace fathom {

struct EngineAnswer {
  Machine machine;
  std::vector<std::uint32_t> place;            // of each job of the reference's machine in the engine's
  std::vector<std::optional<Measured>> jobs;   // in the reference's order; none where it cannot be measured (running, no units)
  std::vector<std::vector<LinkedPart>> parts;  // what each job was given, same order
  Ledger ledger;
};

/// `pieces` null: one run for each series, in order. Else runs are cut and shuffled by it.
EngineAnswer run_engine(const reference::Machine& machine, const reference::Settings& settings, Random* pieces = nullptr);

/// True if not one bit differs.
bool identical(const Measured& a, const Measured& b);

}  // namespace fathom
