// SPDX-License-Identifier: Apache-2.0
/// What one simulation of the dashboard does: the same as `fathom simulate` with its scenario, on one thread.
#pragma once

#include "dashboard/simulations.h"
#include "simulate/architecture.h"
#include "simulate/work.h"

namespace fathom::dashboard {

class Dashboard;

/// Checks what can be checked without reading a store, and makes the scenario. Fails with `usage` for nonsense, `unsupported` for what is
/// beyond the limits.
Result<std::string> plan_simulation(const Dashboard& dashboard, const simulate::WhatIf& asked, const SimulationLimits& limits);

/// For Simulations::Run.
Result<std::string> run_simulation(const Dashboard& dashboard, const SimulationLimits& limits, const Simulation& simulation,
                                   const Simulations::GoOn& go_on);

/// Requests that the work becomes on these architectures, one after the other; UINT64_MAX for more than fit.
std::uint64_t requests_of(const simulate::Work& work, const std::vector<simulate::Architecture>& architectures);

}  // namespace fathom::dashboard
