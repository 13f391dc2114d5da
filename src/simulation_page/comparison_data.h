// SPDX-License-Identifier: Apache-2.0
/// The page of a comparison: I/O time of every I/O node (Fig. 5.14 of the dissertation), how much jobs change (Fig. 5.16), who changes
/// most.
#pragma once

#include "simulate/comparison.h"
#include "simulation_page/heading.h"

namespace fathom::simulation_page {

/// So many bars fit on a page; more I/O nodes share them.
inline constexpr std::size_t most_bars = 800;

nlohmann::ordered_json comparison_data(const Heading& heading, const simulate::Scenario& scenario, const simulate::Work& work,
                                       const simulate::Comparison& found);

}  // namespace fathom::simulation_page
