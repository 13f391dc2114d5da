// SPDX-License-Identifier: Apache-2.0
/// Bins and thinned lists of the page of an application.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "mine/burst_log.h"
#include "mine/pattern.h"

namespace fathom::mine {

/// At most `most` of the numbers 0 ... n - 1, evenly apart.
std::vector<std::size_t> evenly(std::size_t n, std::size_t most);

/// With as many digits as a plot needs; null where it is not finite.
nlohmann::ordered_json json_rounded(double value);

/// Steps from burst to burst in periods: a StepBins.
nlohmann::ordered_json step_bins(std::span<const double> periods);
/// Bytes of bursts before and after servers without a part in them were left out: a VolumeBins.
nlohmann::ordered_json volume_bins(std::span<const KnownBurst> bursts);
/// Bursts by the number of servers that take part: a list of Bin.
nlohmann::ordered_json server_bins(std::span<const KnownBurst> bursts);

}  // namespace fathom::mine
