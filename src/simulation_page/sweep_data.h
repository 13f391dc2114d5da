// SPDX-License-Identifier: Apache-2.0
/// The page of a sweep: every combination with its statistics, its cost, and whether another one beats it.
#pragma once

#include "simulate/sweep_run.h"
#include "simulation_page/heading.h"

namespace fathom::simulation_page {

nlohmann::ordered_json sweep_data(const Heading& heading, const simulate::Scenario& scenario, const simulate::Work& work,
                                  const simulate::Sweep& sweep, const std::vector<simulate::SweepPoint>& points);

}  // namespace fathom::simulation_page
