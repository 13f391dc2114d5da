// SPDX-License-Identifier: Apache-2.0
/// The page of a verification: Table 5.1 of the dissertation, and single I/O nodes over time as in its Fig. 5.7.
#pragma once

#include "simulate/verification.h"
#include "simulation_page/heading.h"

namespace fathom::simulation_page {

/// I/O nodes that are drawn: those with the largest differences in bytes, the busiest first where there are none.
inline constexpr std::size_t nodes_drawn = 8;
inline constexpr std::size_t most_time_bins = 720;

nlohmann::ordered_json verification_data(const Heading& heading, const simulate::Scenario& scenario, const simulate::Work& work,
                                         const simulate::Verification& found);

}  // namespace fathom::simulation_page
