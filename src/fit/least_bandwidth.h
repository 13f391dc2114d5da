// SPDX-License-Identifier: Apache-2.0
/// The smallest bandwidth of a link at which the simulation does in an interval what the machine did in it.
#pragma once

#include <optional>

#include "fit/link_load.h"
#include "simulate/engine.h"

namespace fathom::fit {

/// Simulated counters match when no more than this share of the bytes comes after the end of the interval.
inline constexpr double match_tolerance = 0.001;

struct LeastBandwidth {
  std::optional<std::uint64_t> bytes_per_second;  // none: not even a link without limits is enough; something else of the model is slower
  std::uint64_t simulations = 0;
};

/// Searches by bisection, to a ten-thousandth. `link` is a bandwidth of the architecture; the other links must be set by the caller.
Result<LeastBandwidth> least_bandwidth(simulate::Architecture architecture, std::uint64_t simulate::Architecture::*link,
                                       const simulate::Work& work, const LinkLoad& load, std::size_t interval);

}  // namespace fathom::fit
