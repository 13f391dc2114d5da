// SPDX-License-Identifier: Apache-2.0
/// Traffic over time with its bursts, as a picture of block characters.
#pragma once

#include <span>
#include <string>

#include "mine/bursts.h"

namespace fathom {

/// `marked` are drawn below the traffic; every column is the mean of its slots.
std::string burst_plot(const TrafficSeries& series, std::span<const Burst> marked, std::size_t width = 96);

}  // namespace fathom
